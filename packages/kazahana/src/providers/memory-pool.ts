// One pool in memory: its slots in the order of granting, its leases by machine number, by request and by holder.
import { type LeaseRecord, type PoolRecord, slotCount } from '../lease/rules.js';
import { SlotQueue } from '../lease/slot-queue.js';
import type { PoolStorage, Quota } from '../lease/storage.js';

export class MemoryPool implements PoolStorage {
  #record: PoolRecord | undefined;
  #slots = new SlotQueue(0);
  /** By machine number. */
  readonly #leases: Map<number, readonly LeaseRecord[]>;
  /** By request, the oldest first. */
  readonly #answers: Map<string, readonly LeaseRecord[]>;
  /** By what quotas count, those that have ended included until somebody counts. */
  readonly #held = new Map<string, Set<LeaseRecord>>();

  constructor(
    leases: Iterable<readonly [number, readonly LeaseRecord[]]> = [],
    answers: Iterable<readonly [string, readonly LeaseRecord[]]> = [],
  ) {
    this.#leases = new Map(leases);
    this.#answers = new Map(answers);
    for (const lease of this.allLeases()) this.#count(lease);
  }

  copy(): MemoryPool {
    const copy = new MemoryPool(this.#leases, this.#answers);
    if (this.#record) copy.writePool(this.#record);
    copy.replaceSlots(new Map(this.#slots.used()));
    return copy;
  }

  readPool(): PoolRecord | undefined {
    return this.#record;
  }

  writePool(pool: PoolRecord): void {
    const isNew = this.#record === undefined;
    this.#record = pool;
    if (isNew) this.replaceSlots(new Map());
  }

  firstSlot() {
    return this.#slots.first();
  }

  freeFrom(slot: number): number {
    return this.#slots.freeFrom(slot);
  }

  writeSlot(slot: number, freeFrom: number): void {
    this.#slots.set(slot, freeFrom);
  }

  usedSlots() {
    return this.#slots.used();
  }

  replaceSlots(slots: ReadonlyMap<number, number>): void {
    this.#slots = new SlotQueue(this.#record ? slotCount(this.#record.layout) : 0, slots);
  }

  leasesOf(id: number): readonly LeaseRecord[] {
    return this.#leases.get(id) ?? [];
  }

  *allLeases(): Iterable<LeaseRecord> {
    for (const leases of this.#leases.values()) yield* leases;
  }

  addLeases(leases: readonly LeaseRecord[]): void {
    for (const lease of leases) {
      const earlier = this.leasesOf(lease.id).find(({ bitSeq }) => bitSeq === lease.bitSeq);
      if (earlier) this.#drop(earlier);
      this.#leases.set(lease.id, [...this.leasesOf(lease.id), lease]);
      this.#count(lease);
    }
    const [first] = leases;
    if (!first || first.request === null) return;
    // Answers whose leases have ended go, from the front; what is behind a longer one goes with it.
    for (const [request, answer] of this.#answers) {
      if (answer.some(({ fallbackUntil }) => fallbackUntil > first.created)) break;
      this.#answers.delete(request);
    }
    this.#answers.set(first.request, leases);
  }

  removeLease(lease: LeaseRecord): void {
    this.#drop(lease);
    // A request that came again after its leases had expired has a newer answer, which stays.
    if (lease.request !== null && this.answerTo(lease.request).includes(lease)) {
      this.#answers.delete(lease.request);
    }
  }

  answerTo(request: string): readonly LeaseRecord[] {
    return this.#answers.get(request) ?? [];
  }

  forgetAnswers(): void {
    this.#answers.clear();
  }

  held(quota: Quota, now: number) {
    const leases = this.#held.get(keyOf(quota)) ?? new Set();
    let count = 0;
    let firstEnd = Number.POSITIVE_INFINITY;
    for (const lease of leases) {
      if (lease.fallbackUntil <= now) {
        leases.delete(lease);
        continue;
      }
      firstEnd = Math.min(firstEnd, lease.fallbackUntil);
      count++;
    }
    return { count, firstEnd };
  }

  #count(lease: LeaseRecord): void {
    for (const quota of quotasOf(lease)) {
      const key = keyOf(quota);
      const leases = this.#held.get(key) ?? new Set();
      this.#held.set(key, leases.add(lease));
    }
  }

  #drop(lease: LeaseRecord): void {
    const others = this.leasesOf(lease.id).filter((other) => other !== lease);
    if (others.length > 0) this.#leases.set(lease.id, others);
    else this.#leases.delete(lease.id);
    for (const quota of quotasOf(lease)) {
      const key = keyOf(quota);
      const leases = this.#held.get(key);
      leases?.delete(lease);
      if (leases?.size === 0) this.#held.delete(key);
    }
  }
}

/** The quotas that a lease counts for. */
function quotasOf({ serviceId, account }: LeaseRecord): Quota[] {
  const service: Quota = { of: 'service', name: serviceId };
  return account === null ? [service] : [service, { of: 'account', name: account }];
}

function keyOf({ of, name }: Quota): string {
  return `${of}\n${name}`;
}
