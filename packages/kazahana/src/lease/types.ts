// The lease protocol: the requests of a client and the responses of a provider, as the source document defines them.
// What we added is optional, so that a simple provider or an older client still fits.
import type { IdLayout } from '../id/layout.js';
import type { ClientReport } from './report.js';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** On whose account a lease goes; a server passes its caller's token here. Only stores look at it. */
  readonly account?: LeaseAccount;
  /**
   * Whether the store believes what the caller claims to have seen or to hold, even without the server's proof (rule
   * R7). True when left out: a provider that is used directly is called by its own process.
   */
  readonly isTrusted?: boolean;
  /** The name of the caller, for `onLoss`. */
  readonly caller?: string;
}

/** A caller that may hold so many leases of a pool at a time, whatever services they are for. */
export interface LeaseAccount {
  readonly name: string;
  readonly maxLeases: number;
}

export interface LeaseProvider {
  /** Leases one or more machine IDs. */
  acquire(options: AcquireOptions, call?: CallOptions): Promise<AcquireResponse>;
  /** Gives a lease back. */
  release(options: ReleaseOptions, call?: CallOptions): Promise<void>;
}

export interface AcquireOptions {
  readonly serviceId?: string;
  /** What the client tells of itself: host, process, version. */
  readonly meta?: Readonly<Record<string, string>>;
  /** How many IDs a millisecond are wanted from the new leases; 1 when left out. */
  readonly throughputPerMs?: number;
  /** The same for every retry of one request: the pool then repeats its response (rule R8). */
  readonly requestId?: string;
  /** The pool and the highest serial that the client has seen (rule R7). */
  readonly seen?: SeenPool;
  /** Leases that the client holds and wants to renew, each on its own slot. */
  readonly renew?: readonly RenewalClaim[];
  /** What happened since the last report, for the fleet's statistics; the same in every retry of a request. */
  readonly report?: ClientReport;
}

export interface SeenPool {
  readonly pool: string;
  readonly serial: number;
  /** The server's proof, as it came with that serial. */
  readonly proof?: string;
}

/**
 * A lease that its holder wants to go on with. The signature shows that it holds the lease. The rest describes the lease to a
 * store that has lost it (rule R7).
 */
export interface RenewalClaim {
  /** The pool's id, as it came with the lease. */
  readonly pool: string;
  readonly id: number;
  readonly bitId: number;
  readonly bitSeq: number;
  readonly created: number;
  readonly expired: number;
  readonly fallbackUntil: number;
  /** Unix milliseconds, close to the store's time. */
  readonly timestamp: number;
  /** `signHold(secret, id, timestamp)`. */
  readonly signature: string;
  /** The server's proof, as it came with the lease. */
  readonly proof?: string;
}

export interface ReleaseOptions {
  /** The machine ID. */
  readonly id: number;
  /** `signRelease(secret, id, timestamp)`. */
  readonly signature: string;
  /** Unix milliseconds; not below any timestamp that the lease was used for (rule R2). */
  readonly timestamp: number;
  /** Needed when the service has a pool of its own. */
  readonly serviceId?: string;
  /** What happened since the last report, so that clients that end count as well. */
  readonly report?: ClientReport;
}

export interface AcquireResponse {
  readonly leases: readonly LeaseInfo[];
  readonly requestId?: string;
  /** The store's time, fresh in every response. */
  readonly now?: number;
  /** The pool's id, and its serial after this grant. */
  readonly pool?: string;
  readonly serial?: number;
  /** Proves pool and serial to any server, after the store has lost them (rule R7). */
  readonly proof?: string;
  /** The leases were granted earlier, to this request. */
  readonly isRepeated?: boolean;
}

export interface LeaseInfo extends IdLayout {
  /** The machine ID. */
  readonly id: number;
  /** IDs may carry timestamps from here (rule R1) … */
  readonly created: number;
  /** … to before here. */
  readonly expired: number;
  /** Signs the release; 128 random bits. */
  readonly secret: string;
  /** Until here, exclusively, the lease may go on in the fallback half (rule R5); `expired` when left out. */
  readonly fallbackUntil?: number;
  /** Proves the lease to any server, after the store has lost it (rule R7). */
  readonly proof?: string;
}

/** How long a service's leases last, and the layout that its pool is created with. */
export interface ServiceConfig extends IdLayout {
  readonly serviceId: string;
  readonly leaseDuration: number;
  /** The pool that the service draws from; `default` when left out. */
  readonly pool?: string;
  /** How long a lease that could not be renewed may go on in the fallback half; one `leaseDuration` by default. */
  readonly fallbackGrace?: number;
  /** How many leases the service may hold at a time; no limit when left out. */
  readonly maxLeases?: number;
  /** The most leases of one request; no limit when left out. */
  readonly maxLeasesPerRequest?: number;
}

/** The layout that a pool is created with, and its share of the machine IDs. */
export interface PoolConfig extends Partial<IdLayout> {
  readonly share?: Share;
}

/** One of `of` equal parts of the machine IDs. Pools with different shares of one layout never make equal IDs. */
export interface Share {
  readonly index: number;
  /** A power of two. */
  readonly of: number;
}

/** A lease as operators see it: without its secret. */
export interface InspectedLease {
  readonly id: number;
  readonly bitSeq: number;
  readonly serviceId: string;
  readonly holder: Readonly<Record<string, string>>;
  readonly created: number;
  readonly expired: number;
  readonly fallbackUntil: number;
}

export interface InspectedPool {
  readonly name: string;
  readonly id: string;
  readonly serial: number;
  readonly now: number;
  readonly layout: IdLayout;
  readonly share: Share;
  /** How many machine IDs can be leased: half of the pool's share, the other half is for fallback. */
  readonly slots: number;
  /** Slots whose last window has not ended. */
  readonly held: number;
  /** How many of them each configured service holds, where the provider counts that (`serviceShare`). */
  readonly heldBy?: Readonly<Record<string, number>>;
  /** No grants before this time; 0 when the pool is not in quarantine. */
  readonly quarantinedUntil: number;
}

/** A part of a list of leases. */
export interface LeasePage {
  /** Only leases of machine IDs above this one, which the last page ended with. */
  readonly after?: number;
  /** So many, and with the last of them all leases of its machine ID; after a change of layout it may have several. */
  readonly limit?: number;
}

/** New widths for a pool; `default` when none is named. */
export interface LayoutChange {
  readonly bitId: number;
  readonly bitSeq: number;
  readonly pool?: string;
}

/** Where a pool's ID comes from, as far as its slots remember. */
export interface WhoisResult {
  readonly pool: string;
  /** The time in the ID. */
  readonly unixMs: number;
  readonly machineId: number;
  readonly sequence: number;
  /** Whether the ID is in the fallback half. A random ID is there, too: then `maker` had the slot and did not make it. */
  readonly isFallback: boolean;
  /** Null when no slot remembers it. */
  readonly maker: IdMaker | null;
}

/** The holder of a slot, and from when to when it held it. */
export interface IdMaker {
  readonly serviceId: string;
  readonly holder: Readonly<Record<string, string>>;
  readonly created: number;
  /** The holder made no ID from here on. */
  readonly end: number;
}

export interface LeaseInspector {
  /** Makes a pool that does not exist; `afterLoss`: in quarantine, because an earlier one may have leases out. */
  createPool(options?: { readonly pool?: string; readonly afterLoss?: boolean }): Promise<InspectedPool>;
  inspectPool(pool?: string): Promise<InspectedPool>;
  /** Leases by machine ID, all or a page of them: fewer than the page's `limit` are the last. */
  listLeases(pool?: string, page?: LeasePage): Promise<readonly InspectedLease[]>;
  /** Stops granting until every lease that clients may still hold has ended; for after a restored backup. */
  quarantine(pool?: string): Promise<InspectedPool>;
  /** Forgets a lease, so that it cannot be released; its slot stays held until its windows end. */
  revoke(lease: { readonly id: number; readonly pool?: string }): Promise<void>;
  /** Changes how many bits are machine ID and how many sequence, while leases live (rule R4). */
  changeLayout(layout: LayoutChange): Promise<InspectedPool>;
  /** Tells which holder made an ID. */
  whois(id: bigint, pool?: string): Promise<WhoisResult>;
}
