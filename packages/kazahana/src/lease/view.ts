// What one batch of calls sees of a pool: the facts that were read, and over them what the calls have decided so far.
// The calls of a batch are decided one after another, each on top of the one before.
import type { Changes, Facts, QuotaCount, ReadSlot, SlotKey, StoredResponse } from './driver.js';
import type { Looked } from './open-slots.js';
import { decodeSlot, encodePool, encodeSlot } from './records.js';
import { isFree, isLeased, type LeasedSlot, type PoolRecord, type SlotRecord } from './rules.js';

interface SlotState {
  readonly before: ReadSlot;
  record: SlotRecord;
  isChanged: boolean;
}

/** The facts do not suffice: read again, more of them. */
export class TooFewFacts extends Error {
  override readonly name = 'TooFewFacts';
}

const keyOf = ({ generation, slot }: SlotKey) => `${generation} ${slot}`;

export class PoolView {
  readonly now: number;
  readonly held: number;
  /** The record as it is decided; `facts.pool` is as it was read. */
  pool: PoolRecord;
  /** How many grants were decided; each raises the serial by one. */
  grants = 0;
  /** The serial goes on above this. */
  serialAtLeast = 0;
  readonly #facts: Facts;
  readonly #free: Looked['free'];
  /** What is known of slots that were not looked at, where there are some. */
  readonly #rest: Looked['rest'];
  readonly #isFree: typeof isFree;
  readonly #slots = new Map<string, SlotState>();
  /** Slots in the order of granting, and how many of them were passed. */
  readonly #order: readonly SlotState[];
  #passed = 0;
  /** Slots that became free in this batch. */
  readonly #freed: SlotState[] = [];
  readonly #responses = new Map<string, StoredResponse>();
  readonly #quotas = new Map<string, QuotaCount>();
  /** Quotas that a decision has relied on. */
  readonly #reliedOn = new Set<string>();
  readonly #original: PoolRecord;

  constructor(facts: Facts, pool: PoolRecord, { free, rest }: Looked, rule: typeof isFree = isFree) {
    this.#facts = facts;
    this.#free = free;
    this.#rest = rest;
    this.#isFree = rule;
    this.now = facts.now;
    this.held = facts.held;
    this.pool = pool;
    this.#original = pool;
    for (const before of [...facts.slots, ...facts.free]) {
      const key = keyOf(before);
      if (!this.#slots.has(key))
        this.#slots.set(key, { before, record: decodeSlot(before), isChanged: false });
    }
    this.#order = facts.free
      .map((slot) => this.#slots.get(keyOf(slot)))
      .filter((state) => state !== undefined);
    for (const response of facts.responses) this.#responses.set(response.request, response);
    for (const quota of facts.quotas) this.#quotas.set(quota.quota, quota);
  }

  get serial(): number {
    return Math.max(this.#facts.serial, this.serialAtLeast);
  }

  /** A slot that was wanted; undefined when it was never used. */
  slot(key: SlotKey): SlotRecord | undefined {
    return this.#slots.get(keyOf(key))?.record;
  }

  /** A slot that was wanted and was never used. */
  addUnused(key: SlotKey): SlotRecord {
    const before: ReadSlot = { ...key, freeFrom: 0, quotas: [], data: '', version: null };
    const record = decodeSlot(before);
    this.#slots.set(keyOf(key), { before, record, isChanged: false });
    return record;
  }

  write(record: SlotRecord): void {
    const state = this.#slots.get(keyOf(record));
    if (!state) throw new Error(`slot ${record.slot} was not read`);
    this.#count(state.record, -1);
    state.record = record;
    state.isChanged = true;
    this.#count(record, 1);
    // What is free now can be granted to the next call.
    const isNext = record.generation === this.pool.generation && this.#isFree(record.freeFrom, this.now);
    if (isNext) this.#freed.push(state);
  }

  /** The next slot in the order of granting that is free; undefined when there is none. */
  takeFree(): SlotRecord | undefined {
    for (let state = this.#order[this.#passed]; state; state = this.#order[this.#passed]) {
      const isFreeNow = this.#isFree(state.record.freeFrom, this.now);
      // The order is of what was read: behind a slot that is not free, only those of this batch can be.
      if (!isFreeNow && !state.isChanged) break;
      this.#passed++;
      if (isFreeNow) return state.record;
    }
    const freed = this.#freed.findLast(({ record }) => this.#isFree(record.freeFrom, this.now));
    if (!freed && this.#mayHaveMore()) throw new TooFewFacts();
    return freed?.record;
  }

  /** When the next slot becomes free, when none is. */
  nextFreeFrom(): number {
    if (this.#rest?.nextAt !== undefined) return this.#rest.nextAt;
    if (this.#rest) throw new TooFewFacts();
    const times = [...this.#slots.values()]
      .map(({ record }) => record)
      .filter(({ generation }) => generation === this.pool.generation)
      .map(({ freeFrom }) => freeFrom);
    return Math.max(this.now + 1, Math.min(...times));
  }

  /** The slots whose leases a request got, if they are all still its, and of the present layout. */
  responseTo(request: string): LeasedSlot[] | undefined {
    const response = this.#responses.get(request);
    if (!response) return undefined;
    const slots = response.slots
      .filter(({ generation }) => generation === this.pool.generation)
      .map((key) => this.slot(key))
      .filter(isLeased)
      .filter(({ lease }) => lease.request === request && lease.granted === response.created);
    return slots.length === response.slots.length && slots.length > 0 ? slots : undefined;
  }

  respond(request: string, slots: readonly SlotKey[]): void {
    const keys = slots.map(({ generation, slot }) => ({ generation, slot }));
    this.#responses.set(request, { request, created: this.now, slots: keys });
  }

  /** How many slots a quota counts now, and when the first of them ends. */
  quota(quota: string): QuotaCount {
    this.#reliedOn.add(quota);
    return this.count(quota);
  }

  /** The same, for a call that decides nothing by it. */
  count(quota: string): QuotaCount {
    const counted = this.#quotas.get(quota);
    if (!counted) throw new TooFewFacts();
    return counted;
  }

  /** What is to be written; undefined when nothing has changed. */
  changes(): Changes | undefined {
    const changed = [...this.#slots.values()].filter(({ isChanged }) => isChanged);
    const isPoolChanged = this.pool !== this.#original;
    if (changed.length === 0 && !isPoolChanged && this.serialAtLeast <= this.#facts.serial) return undefined;
    const read = new Map(this.#facts.responses.map((response) => [response.request, response]));
    const responses = [...this.#responses.values()]
      .filter((response) => read.get(response.request) !== response)
      .map((after) => ({ before: read.get(after.request)?.created ?? null, after }));
    const replaced = new Set(responses.map(({ after }) => after.request));
    return {
      poolVersion: this.#facts.pool?.version ?? null,
      ...(isPoolChanged && { pool: encodePool(this.pool) }),
      grants: this.grants,
      serialAtLeast: this.serialAtLeast,
      slots: changed.map(({ before, record }) => ({ before, after: encodeSlot(record) })),
      responses,
      forget: changed
        .map(({ before }) => decodeSlot(before).lease)
        .filter((lease) => lease !== null && lease.request !== '' && !replaced.has(lease.request))
        .map((lease) => ({ request: lease?.request ?? '', created: lease?.granted ?? 0 })),
      quotas: [...this.#reliedOn].map((quota) => ({
        quota,
        count: this.#facts.quotas.find((read) => read.quota === quota)?.count ?? 0,
      })),
    };
  }

  #count(record: SlotRecord, by: 1 | -1): void {
    if (record.freeFrom <= this.now) return;
    for (const name of record.quotas) {
      const quota = this.#quotas.get(name);
      if (!quota) continue;
      const firstEnd = by === 1 ? Math.min(quota.firstEnd, record.freeFrom) : quota.firstEnd;
      this.#quotas.set(name, { ...quota, count: quota.count + by, firstEnd });
    }
  }

  /** Whether the store may have a free slot that was not read: too few were wanted, or the first were skipped. */
  #mayHaveMore(): boolean {
    if (!this.#free) return !this.#rest;
    const { skip, count, from, to } = this.#free;
    if (this.#rest) return skip > 0;
    const last = this.#facts.free.at(-1);
    const isCut = this.#facts.free.length === count && count < to - from;
    if (isCut && last !== undefined && !isFree(last.freeFrom, this.now)) return skip > 0;
    return skip > 0 || isCut;
  }
}
