// A pool as the page knows it: what the server told, and what follows from it at a given time. Pure, so that the live
// pool and the simulated one are shown by the same code.
import type { InspectedLease, InspectedPool } from 'kazahana/lease';

export interface PoolView {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
  /** When the pool was as it is here, by the reader's clock. */
  readonly receivedAt: number;
  /** Serials of the last minute, from which the rate follows. */
  readonly serials: readonly (readonly [at: number, serial: number])[];
}

/** What the server, or the simulated provider, tells. */
export interface PoolState {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
}

const RATE_WINDOW_MS = 60_000;

/** The view of a state, which knows the serials of the view before it. */
export function viewOf(
  before: PoolView | undefined,
  { pool, leases }: PoolState,
  receivedAt: number,
): PoolView {
  const known = before?.pool.id === pool.id ? before.serials : [];
  const serials = [...known, [pool.now, pool.serial] as const].filter(
    ([at]) => at >= pool.now - RATE_WINDOW_MS,
  );
  return { pool, leases, receivedAt, serials };
}

/** The store's time now, as far as the watcher can know it. */
export function storeTime({ pool, receivedAt }: PoolView, now: number): number {
  return pool.now + Math.max(0, now - receivedAt);
}

export type SlotState = 'free' | 'held' | 'kept';

export function stateOf({ expired, fallbackUntil }: InspectedLease, at: number): SlotState {
  if (at < expired) return 'held';
  return at < fallbackUntil ? 'kept' : 'free';
}

/** The slots that a lease covers, counted from the first of the pool's share; of a former layout it may be several. */
export function slotsOf(
  { id, bitSeq }: InspectedLease,
  { layout, share, slots }: InspectedPool,
): readonly [from: number, to: number] {
  const scale = 2 ** (bitSeq - layout.bitSeq);
  const first = Math.floor(id * scale) - share.index * slots;
  return [first, Math.max(first + 1, Math.ceil((id + 1) * scale) - share.index * slots)];
}

/** The lease that holds a machine ID, if one does. */
export function leaseAt(view: PoolView, slot: number, at: number): InspectedLease | undefined {
  for (const lease of view.leases) {
    const [from, to] = slotsOf(lease, view.pool);
    if (slot >= from && slot < to && stateOf(lease, at) !== 'free') return lease;
  }
  return undefined;
}

export interface ServiceShare {
  readonly serviceId: string;
  /** How many slots it holds; those that are kept for its fallback are not counted. */
  readonly held: number;
}

export interface PoolSummary {
  readonly held: number;
  readonly kept: number;
  readonly free: number;
  /** Grants in the last minute. */
  readonly grantsPerMinute: number;
  /** IDs a millisecond that free numbers could still give. */
  readonly remainingPerMs: number;
  /** The lease that ends first. */
  readonly next: InspectedLease | undefined;
  /** By name. */
  readonly services: readonly ServiceShare[];
  /** Every slot from here on is free. */
  readonly usedSlots: number;
}

export function summarise(view: PoolView, at: number): PoolSummary {
  let [held, kept] = [0, 0];
  let next: InspectedLease | undefined;
  const services = new Map<string, number>();
  let [usedSlots, grantedBefore] = [0, 0];
  const [firstSerial] = view.serials;
  for (const lease of view.leases) {
    // The serial counts from the first event on; what was granted before that is known by its own time.
    if (lease.created > at - RATE_WINDOW_MS && lease.created <= (firstSerial?.[0] ?? 0)) grantedBefore++;
    const state = stateOf(lease, at);
    if (state === 'free') continue;
    const [from, to] = slotsOf(lease, view.pool);
    const isHeld = state === 'held';
    services.set(lease.serviceId, (services.get(lease.serviceId) ?? 0) + (isHeld ? to - from : 0));
    usedSlots = Math.max(usedSlots, to);
    if (isHeld) held += to - from;
    else kept += to - from;
    if (isHeld && lease.expired < (next?.expired ?? Number.POSITIVE_INFINITY)) next = lease;
  }
  const free = Math.max(0, view.pool.slots - held - kept);
  return {
    held,
    kept,
    free,
    next,
    usedSlots,
    services: [...services]
      .map(([serviceId, share]) => ({ serviceId, held: share }))
      .sort((a, b) => (a.serviceId < b.serviceId ? -1 : 1)),
    remainingPerMs: free * 2 ** view.pool.layout.bitSeq,
    grantsPerMinute: grantedBefore + view.pool.serial - (firstSerial?.[1] ?? view.pool.serial),
  };
}
