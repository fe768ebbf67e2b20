// A pool as a transaction sees it: over what was read, with what it writes on top. What was not read is guessed and
// noted; a run that had to guess counts for nothing.
import { type LeaseRecord, type PoolRecord, type PoolStorage, type Quota, slotCount } from 'kazahana/lease';
import { type Choice, inOrderOfTrying, SPREAD } from './candidates.js';
import { Needs, quotaKey } from './needs.js';
import type { StoredPool } from './records.js';
import { serialAt } from './serial.js';
import type { FreeEntry, KeptLease, Snapshot } from './snapshot.js';

/**
 * The most leases of one answer. Each slot that is taken is one comparison, of which etcd allows 128, with a few to
 * spare for the rest.
 */
export const MAX_LEASES = 100;

const NOTHING = { count: 0, firstEnd: Number.POSITIVE_INFINITY };

export class PoolView implements PoolStorage {
  readonly missing = new Needs();
  /** The slots that were taken, in order, and until when. */
  readonly taken: { readonly entry: FreeEntry; readonly until: number }[] = [];
  /** When slots become free that were given back. */
  readonly freed = new Map<number, number>();
  readonly removed: { readonly lease: LeaseRecord; readonly former: KeptLease | undefined }[] = [];
  added: readonly LeaseRecord[] = [];
  /** The slots of a new layout. */
  replaced: ReadonlyMap<number, number> | undefined;
  /** The quotas and the requests that were looked at. */
  readonly quotas: Quota[] = [];
  readonly requests: string[] = [];
  /** The serial of the pool when it was read. */
  readonly serialBefore: number;
  #pool: PoolRecord | undefined;
  #isPoolWritten = false;
  #created: PoolRecord | undefined;
  readonly #snapshot: Snapshot | undefined;
  readonly #known: Needs;
  readonly #candidates: readonly FreeEntry[];
  readonly #choice: Choice;

  /** `known` is what the snapshot was read for; without one, `last` is the record of the pool when it was read last. */
  constructor(snapshot: Snapshot | undefined, known: Needs, choice: Choice, last: StoredPool | undefined) {
    this.#snapshot = snapshot;
    this.#known = known;
    this.#choice = choice;
    this.#candidates = snapshot ? inOrderOfTrying(snapshot.head, choice) : [];
    const stored = snapshot ? snapshot.pool?.value : last;
    this.serialBefore = stored ? serialAt(stored, snapshot?.serial.version ?? 0) : 0;
    this.#pool = stored && { ...stored.pool, serial: this.serialBefore };
    // Even a transaction that does not look at the pool must find it as it is.
    if (!snapshot) this.missing.addPool();
  }

  /** The pool as it was created, when it did not exist. */
  get created(): PoolRecord | undefined {
    return this.#created;
  }

  /** The pool, when it was written. */
  get writtenPool(): PoolRecord | undefined {
    return this.#isPoolWritten ? this.#pool : undefined;
  }

  readPool(): PoolRecord | undefined {
    return this.#pool;
  }

  writePool(pool: PoolRecord): void {
    if (!this.#pool) this.#created = pool;
    this.#pool = pool;
    this.#isPoolWritten = true;
  }

  firstSlot() {
    const wanted = this.taken.length + 1;
    if (wanted > MAX_LEASES) return undefined;
    const next = this.#candidates[this.taken.length];
    if (this.#needsFresh(next)) this.missing.addFresh();
    else if (next) return { slot: next.slot, freeFrom: next.freeFrom };
    else if (this.#isKnown(this.#known.slots >= wanted)) return this.#nextEnd();
    this.missing.addSlots(wanted);
    return { slot: this.taken.length, freeFrom: 0 };
  }

  /** The slot that becomes free next, when none is; who has got some does not ask for it. */
  #nextEnd() {
    if (this.taken.length > 0) return undefined;
    if (!this.#isKnown(this.#known.isNextEnd)) this.missing.addNextEnd();
    return this.#snapshot?.nextEnd;
  }

  /** Those that were never used come first, and are not all in the order of granting yet. */
  #needsFresh(next: FreeEntry | undefined): boolean {
    if (!this.#snapshot?.pool || this.#known.slots === 0) return false;
    const { fresh, pool, head } = this.#snapshot;
    if (fresh.value >= slotCount(pool.value.pool.layout)) return false;
    const { isContested, chance } = this.#choice;
    if (!next || next.freeFrom > 0 || isContested(next)) return true;
    return chance !== undefined && head.filter(({ freeFrom }) => freeFrom === 0).length < SPREAD;
  }

  freeFrom(slot: number): number {
    this.#needId(slot);
    return this.freed.get(slot) ?? this.#snapshot?.slots.get(slot)?.value.freeFrom ?? 0;
  }

  writeSlot(slot: number, freeFrom: number): void {
    const next = this.#candidates[this.taken.length];
    if (next?.slot === slot) this.taken.push({ entry: next, until: freeFrom });
    else if (this.missing.slots > this.taken.length) this.taken.push({ entry: guess(slot), until: freeFrom });
    else this.freed.set(slot, freeFrom);
  }

  *usedSlots(): Iterable<readonly [slot: number, freeFrom: number]> {
    this.#needEverything();
    for (const [slot, { value }] of this.#snapshot?.slots ?? []) yield [slot, value.freeFrom];
  }

  replaceSlots(slots: ReadonlyMap<number, number>): void {
    this.replaced = slots;
  }

  leasesOf(id: number): readonly LeaseRecord[] {
    this.#needId(id);
    const lease = this.#snapshot?.slots.get(id)?.value.lease;
    return [...(lease ? [lease] : []), ...this.#formerOf(id).map((kept) => kept.lease)];
  }

  *allLeases(): Iterable<LeaseRecord> {
    this.#needEverything();
    for (const { value } of this.#snapshot?.slots.values() ?? []) if (value.lease) yield value.lease;
    for (const leases of this.#snapshot?.former.values() ?? []) for (const { lease } of leases) yield lease;
  }

  addLeases(leases: readonly LeaseRecord[]): void {
    this.added = leases;
  }

  removeLease(lease: LeaseRecord): void {
    this.removed.push({ lease, former: this.#formerOf(lease.id).find((kept) => kept.lease === lease) });
  }

  answerTo(request: string): readonly LeaseRecord[] {
    this.requests.push(request);
    if (!this.#isKnown(this.#known.answers.has(request))) this.missing.answers.add(request);
    return this.#snapshot?.answers.get(request)?.at(-1)?.leases ?? [];
  }

  forgetAnswers(): void {
    // The slots of a new layout start without any.
  }

  held(quota: Quota, _now: number, limit: number) {
    const key = quotaKey(quota);
    this.quotas.push(quota);
    if (!this.#isKnown(this.#known.quotas.has(key))) this.missing.addQuota(quota);
    const { count, firstEnd } = this.#snapshot?.held.get(key) ?? NOTHING;
    return { count: Math.min(count, limit), firstEnd };
  }

  #formerOf(id: number): readonly KeptLease[] {
    return this.#snapshot?.former.get(id) ?? [];
  }

  #needId(id: number): void {
    if (!this.#isKnown(this.#known.isEverything || this.#known.ids.has(id))) this.missing.ids.add(id);
  }

  #needEverything(): void {
    if (!this.#isKnown(this.#known.isEverything)) this.missing.addEverything();
  }

  /** Of a pool that does not exist, everything is known. */
  #isKnown(wasRead: boolean | undefined): boolean {
    return this.#snapshot !== undefined && (this.#snapshot.pool === undefined || wasRead === true);
  }
}

function guess(slot: number): FreeEntry {
  return { slot, freeFrom: 0, revision: 0, last: undefined };
}
