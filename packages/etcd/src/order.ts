// The order of granting of one generation: slots that were never written first, by number; then the others by when they
// become free. Neither is read from its very start. There may be thousands of written numbers before the first gap; and
// keys that were taken out of the order stay in etcd's index until it compacts, so that a read from the start would cost
// more the more was ever granted. Where both begin is remembered from one read to the next.
import type { Wanted } from 'kazahana/lease';
import type { Gateway } from './gateway.js';
import { freeFromIn, type PoolKeys, slotIn } from './keys.js';
import { type Found, type KeyRange, Reads, read } from './kv.js';

/** A release goes no further back than its signature may, half a minute; the rest is for clocks that differ. */
const JOIN_BACK_MS = 40_000;
/** So often both are read from their very start, for what is there all the same. */
const LOOK_EVERY_MS = 60_000;
/** So many written slots may lie between never-written ones before a second read is needed. */
const SPARE = 64;
/** A range of numbers is divided into so many parts to find the first that is not full. */
const PARTS = 100;

/** What is wanted yet: so many are skipped, then so many are taken. */
type Left = { skip: number; count: number };

const missing = ({ skip, count }: Left) => (count === 0 ? 0 : skip + count);

/** From where to where those lie that are taken of the next so many. */
function pick(left: Left, length: number): [from: number, to: number] {
  const from = Math.min(left.skip, length);
  const to = Math.min(from + left.count, length);
  left.skip -= from;
  left.count -= to - from;
  return [from, to];
}

const isWhole = ({ kvs, count }: Found) => kvs.length === count;

export class SlotOrder {
  readonly #gateway: Gateway;
  readonly #numbers: (from: number, to: number) => KeyRange;
  readonly #places: (freeFrom: number, before?: number) => KeyRange;
  /** All slots from `#from` to before `#firstGap` were written, and stay so unless etcd is set back. */
  #from = 0;
  #firstGap = 0;
  /** No slot becomes free before, as far as is known. */
  #firstFree = 0;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(gateway: Gateway, keys: PoolKeys, generation: string) {
    this.#gateway = gateway;
    this.#numbers = (from, to) => keys.slotsFrom(generation, from, to);
    this.#places = (freeFrom, before) => keys.orderFrom(generation, freeFrom, before);
  }

  /** A slot is written that becomes free then. */
  join(freeFrom: number): void {
    this.#firstFree = Math.min(this.#firstFree, freeFrom);
  }

  /** Asks for what will do in most cases. What it returns reads on if it must, and tells the numbers of slots. */
  ask(reads: Reads, wanted: NonNullable<Wanted['free']>, now: number) {
    const { from, to, skip, count } = wanted;
    const isDue = Math.abs(now - this.#looked) >= LOOK_EVERY_MS;
    if (isDue || from !== this.#from) this.#from = this.#firstGap = from;
    const start = Math.min(this.#firstGap, to);
    const begin = isDue ? 0 : this.#firstFree;
    const numbers = reads.ask(this.#numbers(start, to), { limit: skip + count + SPARE, keysOnly: true });
    // To etcd, a limit of 0 is none.
    const places = reads.ask(this.#places(begin, now + 1), { limit: skip + count || 1, keysOnly: true });
    return async (revision: number): Promise<{ unwritten: number[]; written: number[] }> => {
      const left = { skip, count };
      const unwritten = await this.#findUnwritten(left, start, to, numbers(), revision);
      const slotsIn = ({ kvs }: Found) =>
        kvs.map(({ key }) => slotIn(key)).filter((slot) => from <= slot && slot < to);
      let found = places();
      let isAll = false;
      // Too few that are free: then there are others that are held, or that joined further back.
      for (let limit = missing(left); slotsIn(found).length < missing(left) && !isAll; limit *= 4) {
        found = await this.#read(this.#places(0), limit, revision);
        isAll = isWhole(found);
        this.#looked = now;
      }
      if (isDue) this.#looked = now;
      const first = found.kvs[0] ? freeFromIn(found.kvs[0].key) : now;
      this.#firstFree = Math.max(0, Math.min(first, now - JOIN_BACK_MS));
      return { unwritten, written: slotsIn(found).slice(...pick(left, slotsIn(found).length)) };
    };
  }

  /** The gaps between the numbers of written slots, from `start` on; `page` has the first of these. */
  async #findUnwritten(left: Left, start: number, to: number, page: Found, revision: number) {
    const slots: number[] = [];
    let at = start;
    for (let found = page; ; ) {
      const written = found.kvs.map(({ key }) => slotIn(key));
      for (const next of isWhole(found) ? [...written, to] : written) {
        if (next === this.#firstGap && next < to) this.#firstGap++;
        const [from, end] = pick(left, Math.max(0, next - at));
        for (let place = from; place < end; place++) slots.push(at + place);
        at = next + 1;
      }
      if (isWhole(found) || missing(left) === 0) return slots;
      if (at === this.#firstGap) at = this.#firstGap = await this.#passFullParts(at, to, revision);
      found = await this.#read(this.#numbers(at, to), found.kvs.length * 4, revision);
    }
  }

  /** A number with no gap before it, close to the first gap. */
  async #passFullParts(from: number, to: number, revision: number): Promise<number> {
    const size = Math.ceil((to - from) / PARTS);
    if (size === 1) return from;
    const reads = new Reads();
    const parts = Array.from({ length: Math.ceil((to - from) / size) }, (_, part) => {
      const [start, end] = [from + part * size, Math.min(to, from + (part + 1) * size)];
      return { start, end, found: reads.ask(this.#numbers(start, end), { limit: 1, keysOnly: true }) };
    });
    await reads.send(this.#gateway, revision);
    const gap = parts.find(({ start, end, found }) => found().count < end - start);
    return gap ? this.#passFullParts(gap.start, gap.end, revision) : to;
  }

  #read(keys: KeyRange, limit: number, revision: number): Promise<Found> {
    return read(this.#gateway, keys, { limit, keysOnly: true }, revision);
  }
}
