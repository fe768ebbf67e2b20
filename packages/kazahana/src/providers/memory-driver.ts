// The driver that keeps pools in this process, and the shortest example of one: what `driver.ts` describes, in maps and
// sorted arrays. Every method does its work in one synchronous step, so that a write happens as a whole.
import { defaultEnvironment, type Environment } from '../environment.js';
import type {
  Changes,
  Facts,
  Incarnation,
  LeaseDriver,
  ReadSlot,
  SlotKey,
  StoredResponse,
  StoredSlot,
  Wanted,
} from '../lease/driver.js';

/** The slots of one layout. */
class Generation {
  /** Those that were ever written, by number. */
  readonly written = new Map<number, ReadSlot>();
  /** The same ones by `freeFrom`, then by number. */
  readonly order: ReadSlot[] = [];
  /** All other numbers, as ranges `from ≤ number < to`: a pool may have 2^29 slots, most of them never written. */
  readonly unwritten = [{ from: 0, to: Number.POSITIVE_INFINITY }];
}

class Pool {
  record: Facts['pool'] = null;
  serial = 0;
  readonly generations = new Map<string, Generation>();
  readonly responses = new Map<string, StoredResponse>();
  /** The slots that each quota has, in the order of a generation. */
  readonly quotas = new Map<string, ReadSlot[]>();
}

/** All that a driver keeps, at one moment. */
export type MemorySnapshot = { readonly pools: ReadonlyMap<string, unknown> };

export class MemoryDriver implements LeaseDriver {
  readonly maxSlotsPerWrite = 2 ** 30;
  /** What facts say about the life of this store; a simulated fail-over sets another. */
  incarnation: Incarnation | undefined;
  readonly #environment: Environment;
  #pools = new Map<string, Pool>();
  /** Counts versions. A restored snapshot does not set it back: no version may mean two things. */
  #version = 0;

  constructor({ environment = defaultEnvironment }: { readonly environment?: Environment } = {}) {
    this.#environment = environment;
  }

  async read(name: string, wanted: Wanted): Promise<Facts> {
    const pool = this.#pools.get(name) ?? new Pool();
    const now = this.#environment.now();
    const responses = [...new Set(wanted.requests)].flatMap((request) => pool.responses.get(request) ?? []);
    const keys = [...wanted.slots, ...responses.flatMap(({ slots }) => slots)];
    return {
      now,
      pool: pool.record,
      serial: pool.serial,
      free: wanted.free ? inOrderOfGranting(pool, wanted.free) : [],
      slots: [...new Set(keys.flatMap((key) => slotAt(pool, key) ?? []))],
      responses,
      quotas: wanted.quotas.map((quota) => ({ quota, ...endingAfter(pool.quotas.get(quota), now) })),
      held: wanted.held === undefined ? 0 : endingAfter(pool.generations.get(wanted.held)?.order, now).count,
      ...(this.incarnation && { incarnation: this.incarnation }),
    };
  }

  async write(name: string, changes: Changes, facts: Facts): Promise<{ serial: number } | 'changed'> {
    const pool = this.#pools.get(name) ?? new Pool();
    // A restored snapshot has no trace of what was written after it, so the versions alone do not show it (rule R7).
    if (facts.incarnation?.id !== this.incarnation?.id || !isAsRead(pool, changes, facts.now))
      return 'changed';
    this.#pools.set(name, pool);
    if (changes.pool !== undefined) pool.record = { data: changes.pool, version: this.#nextVersion() };
    pool.serial = Math.max(pool.serial, changes.serialAtLeast) + changes.grants;
    for (const { after } of changes.slots) put(pool, after, this.#nextVersion());
    for (const { request, created } of changes.forget) {
      if (pool.responses.get(request)?.created === created) pool.responses.delete(request);
    }
    for (const { after } of changes.responses) pool.responses.set(after.request, after);
    return { serial: pool.serial };
  }

  async list(name: string, generation: string, after: number, limit: number): Promise<readonly ReadSlot[]> {
    const written = [...(this.#pools.get(name)?.generations.get(generation)?.written.values() ?? [])];
    const above = written.filter(({ slot }) => slot > after);
    return above.sort((a, b) => a.slot - b.slot).slice(0, limit);
  }

  async drop(name: string, generation: string): Promise<void> {
    const pool = this.#pools.get(name);
    for (const slot of pool?.generations.get(generation)?.order ?? []) if (pool) uncount(pool, slot);
    pool?.generations.delete(generation);
  }

  /** A copy of everything, as a backup or a lagging replica has it. */
  snapshot(): MemorySnapshot {
    return { pools: structuredClone(this.#pools) };
  }

  /** Goes back to a snapshot: the driver forgets what it acknowledged since (rule R7). */
  restore({ pools }: MemorySnapshot): void {
    this.#pools = structuredClone(pools) as Map<string, Pool>;
  }

  #nextVersion(): string {
    return String(++this.#version);
  }
}

function slotAt(pool: Pool, { generation, slot }: SlotKey): ReadSlot | undefined {
  return pool.generations.get(generation)?.written.get(slot);
}

/** Whether everything that the changes rest on is as it was read. */
function isAsRead(pool: Pool, { poolVersion, slots, responses, quotas }: Changes, now: number): boolean {
  return (
    (pool.record?.version ?? null) === poolVersion &&
    slots.every(({ before }) => (slotAt(pool, before)?.version ?? null) === before.version) &&
    responses.every(({ before, after }) => (pool.responses.get(after.request)?.created ?? null) === before) &&
    quotas.every(({ quota, count }) => endingAfter(pool.quotas.get(quota), now).count <= count)
  );
}

function inOrderOfGranting(pool: Pool, wanted: NonNullable<Wanted['free']>): ReadSlot[] {
  const { generation, count } = wanted;
  const { order, unwritten } = pool.generations.get(generation) ?? new Generation();
  const found: ReadSlot[] = [];
  let { skip } = wanted;
  for (const range of unwritten) {
    const [from, to] = [Math.max(range.from, wanted.from), Math.min(range.to, wanted.to)];
    for (let slot = from + skip; slot < to && found.length < count; slot++) {
      found.push({ generation, slot, freeFrom: 0, quotas: [], data: '', version: null });
    }
    skip = Math.max(0, skip - Math.max(0, to - from));
  }
  for (const slot of order) {
    if (found.length >= count) break;
    if (slot.slot >= wanted.from && slot.slot < wanted.to && skip-- <= 0) found.push(slot);
  }
  return found;
}

function put(pool: Pool, { generation, slot, freeFrom, quotas, data }: StoredSlot, version: string): void {
  const kept = pool.generations.get(generation) ?? new Generation();
  pool.generations.set(generation, kept);
  const before = kept.written.get(slot);
  if (before) {
    remove(kept.order, before);
    uncount(pool, before);
  } else {
    const at = kept.unwritten.findIndex(({ to }) => slot < to);
    const { from = slot, to = slot + 1 } = kept.unwritten[at] ?? {};
    const [below, above] = [
      { from, to: slot },
      { from: slot + 1, to },
    ];
    kept.unwritten.splice(at, 1, ...[below, above].filter((range) => range.from < range.to));
  }
  const after: ReadSlot = { generation, slot, freeFrom, quotas, data, version };
  kept.written.set(slot, after);
  insert(kept.order, after);
  for (const quota of quotas) {
    const counted = pool.quotas.get(quota) ?? [];
    pool.quotas.set(quota, counted);
    insert(counted, after);
  }
}

function uncount(pool: Pool, slot: ReadSlot): void {
  for (const quota of slot.quotas) {
    const counted = pool.quotas.get(quota) ?? [];
    remove(counted, slot);
    if (counted.length === 0) pool.quotas.delete(quota);
  }
}

/** Where a slot of this time and number is in a sorted array, or would be. */
function placeOf(slots: readonly ReadSlot[], freeFrom: number, slot: number): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = slots[middle] as ReadSlot;
    const isBefore = other.freeFrom < freeFrom || (other.freeFrom === freeFrom && other.slot < slot);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(slots: ReadSlot[], slot: ReadSlot): void {
  slots.splice(placeOf(slots, slot.freeFrom, slot.slot), 0, slot);
}

/** Removes a slot of this time and number; to a quota, those of several generations are alike. */
function remove(slots: ReadSlot[], { freeFrom, slot }: ReadSlot): void {
  slots.splice(placeOf(slots, freeFrom, slot), 1);
}

function endingAfter(slots: readonly ReadSlot[] = [], time: number): { count: number; firstEnd: number } {
  const first = placeOf(slots, time, Number.POSITIVE_INFINITY);
  return { count: slots.length - first, firstEnd: slots[first]?.freeFrom ?? Number.POSITIVE_INFINITY };
}
