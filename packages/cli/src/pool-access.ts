// A pool as `kazahana pool` sees it, whether through a server or in the store itself.
import type { InspectedLease, InspectedPool, WhoisResult } from 'kazahana/lease';
import { DEFAULT_URL, leaseSourceOf, openStoreAt, type SourceFlags } from './lease-source.js';

export interface PoolView {
  readonly pool: InspectedPool;
  readonly leases: readonly InspectedLease[];
}

export interface PoolAccess {
  look(pool: string | undefined): Promise<PoolView>;
  whois(id: bigint, pool: string | undefined): Promise<WhoisResult>;
  create(options: { readonly pool?: string; readonly afterLoss?: boolean }): Promise<InspectedPool>;
  quarantine(pool: string | undefined): Promise<InspectedPool>;
  revoke(lease: { readonly id: number; readonly pool?: string }): Promise<void>;
  changeLayout(layout: {
    readonly bitId: number;
    readonly bitSeq: number;
    readonly pool?: string;
  }): Promise<InspectedPool>;
  close(): Promise<void>;
}

export async function openPool(flags: SourceFlags, pool: string | undefined): Promise<PoolAccess> {
  const source = (await leaseSourceOf(flags)) ?? { kind: 'server', url: DEFAULT_URL, token: tokenOf() };
  if (source.kind === 'server') {
    const { HttpInspector } = await import('./http-inspector.js');
    return new HttpInspector(source.url, source.token);
  }
  const { store, close } = await openStoreAt(source.url, pool, 'never');
  return {
    look: async (name) => ({ pool: await store.inspectPool(name), leases: await store.listLeases(name) }),
    whois: (id, name) => store.whois(id, name),
    create: (options) => store.createPool(options),
    quarantine: (name) => store.quarantine(name),
    revoke: (lease) => store.revoke(lease),
    changeLayout: (layout) => store.changeLayout(layout),
    close,
  };
}

const tokenOf = () => process.env.KAZAHANA_TOKEN || undefined;
