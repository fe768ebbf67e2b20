// The order of granting of one generation: slots that were never written first, by number; then the others by when they
// become free. To etcd, a read costs as much as there are keys in its range, whatever its limit, and a key that was removed
// counts until etcd compacts. So neither is read from its very start, nor the second to its end: where they begin, and how
// far to read, is remembered from one read to the next.
import type { Wanted } from 'kazahana/lease';
import type { Gateway } from './gateway.js';
import { freeFromIn, lastIn, type PoolKeys } from './keys.js';
import { COUNT, type Found, type KeyRange, lastRevision, Reads, read } from './kv.js';

/** Most slots join the order at about the time at which they are written. One that joins further back is written as late. */
const LATE_MS = 2000;
export const isLate = (freeFrom: number, now: number) => freeFrom < now - LATE_MS;
/** So far back others are looked for that joined since the last read; more than is late, for clocks that differ. */
const JOIN_BACK_MS = 5000;
/** So far back a late one is looked for: a release goes no further back than its signature may, half a minute. */
const LATE_BACK_MS = 40_000;
/** So often both are read from their very start, for what is there all the same. */
const LOOK_EVERY_MS = 60_000;
/** A read finds so many times as many free slots as it needs. */
const AMPLE = 8;
/** So many written slots may lie between never-written ones before a second read is needed. */
const SPARE = 64;
/** A range of numbers is divided into so many parts to find the first that is not full. */
const PARTS = 100;

const isWhole = ({ kvs, count }: Found) => kvs.length === count;

export class SlotOrder {
  readonly #gateway: Gateway;
  readonly #numbers: (from: number, to: number) => KeyRange;
  readonly #places: (freeFrom: number, before?: number) => KeyRange;
  readonly #late: string;
  /** All slots from `#from` to before `#firstGap` were written, and stay so unless etcd is set back. */
  #from = 0;
  #firstGap = 0;
  /** No slot becomes free before, as far as is known; and within so many milliseconds, enough do. */
  #firstFree = 0;
  #span = 1;
  /** The last late slot that is known, by its revision. */
  #lastLate = 0;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(gateway: Gateway, keys: PoolKeys, generation: string) {
    this.#gateway = gateway;
    this.#numbers = (from, to) => keys.slotsFrom(generation, from, to);
    this.#places = (freeFrom, before) => keys.orderFrom(generation, freeFrom, before);
    this.#late = keys.late(generation);
  }

  /** A slot is written that becomes free then. */
  join(freeFrom: number): void {
    this.#firstFree = Math.min(this.#firstFree, freeFrom);
  }

  /** Asks for what will do in most cases. What it returns reads on if it must, and tells the numbers of slots. */
  ask(reads: Reads, { from, to, skip, count }: NonNullable<Wanted['free']>, now: number) {
    const isDue = Math.abs(now - this.#looked) >= LOOK_EVERY_MS;
    if (isDue || from !== this.#from) this.#from = this.#firstGap = from;
    const [start, begin] = [Math.min(this.#firstGap, to), isDue ? 0 : this.#firstFree];
    let end = isDue ? now + 1 : Math.min(begin + this.#span, now + 1);
    // To etcd, a limit of 0 is none.
    const limit = skip + count || 1;
    const numbers = reads.ask(this.#numbers(start, to), { limit: limit + SPARE, keysOnly: true });
    const late = reads.ask(this.#late, { keysOnly: true });
    const places = reads.ask(this.#places(begin, end), { limit, keysOnly: true });
    return async (revision: number): Promise<{ unwritten: number[]; written: number[] }> => {
      const unwritten = await this.#findUnwritten(skip + count, start, to, numbers(), revision);
      const needed = skip + count - unwritten.length;
      let found = places();
      const inRange = () =>
        found.kvs.map(({ key }) => lastIn(key)).filter((slot) => from <= slot && slot < to);
      this.#span = Math.ceil((end - begin) * Math.min(AMPLE, (AMPLE * limit) / (found.count || 1)));
      const hasLate = lastRevision(late()) > this.#lastLate;
      if (hasLate || (inRange().length < needed && end <= now)) {
        this.#lastLate = lastRevision(late());
        end = now + 1;
        found = await this.#read(this.#places(Math.min(begin, now - LATE_BACK_MS), end), limit, revision);
      }
      // Too few that are free: then there are others that are held, or that joined further back.
      for (let most = needed, isAll = false; inRange().length < needed && !isAll; most *= 4) {
        found = await this.#read(this.#places(0), most, revision);
        isAll = isWhole(found);
      }
      if (isDue) this.#looked = now;
      const first = found.kvs[0] ? freeFromIn(found.kvs[0].key) : end;
      this.#firstFree = Math.max(0, Math.min(first, now - JOIN_BACK_MS));
      const written = inRange().slice(Math.max(0, skip - unwritten.length), needed);
      return { unwritten: unwritten.slice(skip), written };
    };
  }

  /** The first numbers from `start` on of slots that were never written; `page` has the first of those that were. */
  async #findUnwritten(needed: number, start: number, to: number, page: Found, revision: number) {
    const slots: number[] = [];
    for (let at = start, found = page; ; ) {
      const written = found.kvs.map(({ key }) => lastIn(key));
      const [known, end] = [new Set(written), isWhole(found) ? to : (written.at(-1) ?? at) + 1];
      for (; at < end && slots.length < needed; at++) if (!known.has(at)) slots.push(at);
      this.#firstGap = slots[0] ?? at;
      if (at >= to || slots.length >= needed) return slots;
      if (slots.length === 0) at = await this.#passFull(at, to, revision);
      found = await this.#read(this.#numbers(at, to), found.kvs.length * 4, revision);
    }
  }

  /** A number with no gap between it and `from`, close to the first gap. */
  async #passFull(from: number, to: number, revision: number): Promise<number> {
    const size = Math.ceil((to - from) / PARTS);
    if (size <= 1) return from;
    const reads = new Reads();
    const starts = Array.from({ length: PARTS }, (_, part) => Math.min(to, from + part * size));
    const parts = starts.map((start) => reads.ask(this.#numbers(start, start + size), COUNT));
    await reads.send(this.#gateway, revision);
    const start = starts[parts.findIndex((found) => found().count < size)] ?? to;
    return this.#passFull(start, Math.min(to, start + size), revision);
  }

  #read(keys: KeyRange, limit: number, revision: number): Promise<Found> {
    return read(this.#gateway, keys, { limit, keysOnly: true }, revision);
  }
}
