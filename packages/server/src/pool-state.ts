// A pool and its leases, read a page at a time: a full pool has megabytes of them, and other requests come first.
import type { Environment, InspectedLease, InspectedPool } from 'kazahana/lease';
import type { MeasuredStore } from './store.js';

/** The most leases that one response has, but for those of the last machine ID. */
export const MAX_PAGE = 1000;
/** Fewer at a time where no request waits for them. */
const BACKGROUND_PAGE = 250;

export interface PoolState {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
}

export interface PoolPage extends PoolState {
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

/** Every lease of a pool. */
export async function readLeases(
  store: MeasuredStore,
  name: string,
  environment: Environment,
): Promise<InspectedLease[]> {
  const leases: InspectedLease[] = [];
  for (let after = -1; ; after = leases.at(-1)?.id ?? after) {
    const page = { after, limit: BACKGROUND_PAGE };
    const found = await store.call('list', (inspector) => inspector.listLeases(name, page));
    leases.push(...found);
    if (found.length < BACKGROUND_PAGE) return leases;
    // Others may come in between: a store in this process has no pause of its own.
    await environment.sleep(0, { background: true });
  }
}
