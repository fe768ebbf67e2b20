// A pool and its leases, read a page at a time: a full pool has megabytes of them, and other requests come first.
import type { InspectedLease, InspectedPool } from 'kazahana/lease';
import type { MeasuredStore } from './store.js';

/** The most leases that one response has, but for those of the last machine ID. */
export const MAX_PAGE = 1000;

export interface PoolPage {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
  /** The machine ID after which the next page begins; null when this one is the last. */
  readonly next: number | null;
}

/** The totals, which the store counts, without any lease. */
export function readTotals(store: MeasuredStore, name: string): Promise<InspectedPool> {
  return store.call('inspect', (inspector) => inspector.inspectPool(name));
}

/** The totals and one page. A lease that comes between the two reads shows in one of them only. */
export async function readPage(
  store: MeasuredStore,
  name: string,
  {
    after = -1,
    limit = MAX_PAGE,
  }: { readonly after?: number | undefined; readonly limit?: number | undefined },
): Promise<PoolPage> {
  const pool = await readTotals(store, name);
  if (limit === 0) return { pool, leases: [], next: null };
  const leases = await store.call('list', (inspector) => inspector.listLeases(name, { after, limit }));
  return { pool, leases, next: leases.length < limit ? null : (leases.at(-1)?.id ?? null) };
}
