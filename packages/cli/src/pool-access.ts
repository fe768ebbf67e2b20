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

/** So many leases come at once: a full pool of the widest layout has a million. */
const PAGE = 1000;

/** The leases of a pool by machine ID, a page at a time. */
export async function* leasesOf(
  inspector: LeaseInspector,
  name: string | undefined,
): AsyncGenerator<InspectedLease> {
  for (let after = -1; ; ) {
    const page = await inspector.listLeases(name, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

export async function viewPool(inspector: LeaseInspector, name: string | undefined): Promise<PoolView> {
  const pool = await inspector.inspectPool(name);
  const leases: InspectedLease[] = [];
  for await (const lease of leasesOf(inspector, name)) leases.push(lease);
  return { pool, leases };
}
