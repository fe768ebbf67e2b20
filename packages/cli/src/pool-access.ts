// A pool as `kazahana pool` and `kazahana whois` see it, whether through a server or in the store itself.
import type { InspectedLease, InspectedPool, LeaseInspector } from 'kazahana/lease';
import {
  DEFAULT_URL,
  leaseSourceOf,
  type OpenedSource,
  openSource,
  type SourceFlags,
  serverAt,
} from './lease-source.js';

export interface PoolView {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
}

/** Opens the source of the flags; a pool that is not in the store is not created. */
export async function openPool(flags: SourceFlags, pool: string | undefined): Promise<OpenedSource> {
  const source = (await leaseSourceOf(flags)) ?? serverAt('--url', DEFAULT_URL, flags);
  return openSource(source, pool, 'never');
}

export async function viewPool(inspector: LeaseInspector, name: string | undefined): Promise<PoolView> {
  const [pool, leases] = await Promise.all([inspector.inspectPool(name), inspector.listLeases(name)]);
  return { pool, leases };
}
