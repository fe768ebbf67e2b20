// What a store must be able to keep and find of one pool, inside one transaction. Whoever can do this, and can run a
// function over it all or not at all, has a lease store: the rules and the order of their steps are in `store.ts`.
import type { LeaseRecord, PoolRecord } from './rules.js';

/** Whose leases a quota counts. */
export type Quota =
  | { readonly of: 'service'; readonly name: string }
  | { readonly of: 'account'; readonly name: string };

export interface PoolStorage {
  /** Undefined when the pool was never created. */
  readPool(): PoolRecord | undefined;
  writePool(pool: PoolRecord): void;

  /**
   * The slot that is granted next, and when it becomes free: never used first (0), in order, then by `freeFrom`, then
   * by number. Undefined when the pool has no slot at all. It moves on when that slot is written.
   */
  firstSlot(): { readonly slot: number; readonly freeFrom: number } | undefined;
  /** When a slot becomes free; 0 when it was never used. */
  freeFrom(slot: number): number;
  writeSlot(slot: number, freeFrom: number): void;
  /** Every slot that was ever used. */
  usedSlots(): Iterable<readonly [slot: number, freeFrom: number]>;
  /** Puts these in the place of all slots, after a change of layout, which is written before. */
  replaceSlots(slots: ReadonlyMap<number, number>): void;

  /** The leases of a machine number that are not released; several at once only after a change of layout. */
  leasesOf(id: number): readonly LeaseRecord[];
  /** All leases that are not released; those that have ended may be left out. */
  allLeases(): Iterable<LeaseRecord>;
  /**
   * Keeps leases. Each takes the place of an earlier one with the same machine number and widths; together they take
   * the place of an earlier answer to the same request.
   */
  addLeases(leases: readonly LeaseRecord[]): void;
  /** Forgets a lease, and the answer that it was a part of. */
  removeLease(lease: LeaseRecord): void;
  /** The leases that answered a request; empty when there are none, or one of them was released. */
  answerTo(request: string): readonly LeaseRecord[];
  forgetAnswers(): void;
  /** Of the leases whose windows end after `now`: the first end of all, and how many; counting may stop at `limit`. */
  held(quota: Quota, now: number, limit: number): { readonly count: number; readonly firstEnd: number };
}
