// The lease protocol: what a client asks of a provider and what it gets, as the source document defines them.
// What we added is optional, so that a simple provider or an older client still fits.
import type { IdLayout } from '../id/layout.js';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** On whose account a lease goes; a server passes its caller's token here. Only stores look at it. */
  readonly account?: LeaseAccount;
}

/** Whoever may hold so many leases of a pool at a time, whatever services they are for. */
export interface LeaseAccount {
  readonly name: string;
  readonly maxLeases: number;
}

export interface LeaseProvider {
  /** Leases one or more machine numbers. */
  acquire(options: AcquireOptions, call?: CallOptions): Promise<AcquireResponse>;
  /** Gives a lease back. */
  release(options: ReleaseOptions, call?: CallOptions): Promise<void>;
}

export interface AcquireOptions {
  readonly serviceId?: string;
  /** Who asks: host, process, version. */
  readonly meta?: Readonly<Record<string, string>>;
  /** How many IDs a millisecond are wanted from the new leases; 1 when left out. */
  readonly throughputPerMs?: number;
  /** The same for every retry of one request: the pool then repeats its answer (rule R8). */
  readonly requestId?: string;
  /** The pool and the highest serial that the client has seen (rule R7). */
  readonly seen?: SeenPool;
  /** What happened since the last acquire, for the fleet's statistics. */
  readonly report?: ClientReport;
}

export interface SeenPool {
  readonly pool: string;
  readonly serial: number;
}

/** Counts since the last acquire that was answered. */
export interface ClientReport {
  readonly leasedIds: number;
  readonly fencedIds: number;
  readonly randomIds: number;
  readonly exhaustedMs: number;
  readonly acquireFailures: number;
  readonly clockSteps: number;
}

export interface ReleaseOptions {
  /** The machine number. */
  readonly id: number;
  /** `signRelease(secret, id, timestamp)`. */
  readonly signature: string;
  /** Unix milliseconds; not below any timestamp that the lease was used for (rule R2). */
  readonly timestamp: number;
  /** Needed when the service has a pool of its own. */
  readonly serviceId?: string;
}

export interface AcquireResponse {
  readonly leases: readonly LeaseInfo[];
  readonly requestId?: string;
  /** The store's time, fresh in every answer. */
  readonly now?: number;
  /** The pool's id, and its serial after this grant. */
  readonly pool?: string;
  readonly serial?: number;
}

export interface LeaseInfo extends IdLayout {
  /** The machine number. */
  readonly id: number;
  /** IDs may carry timestamps from here (rule R1) … */
  readonly created: number;
  /** … to before here. */
  readonly expired: number;
  /** Signs the release; 128 random bits. */
  readonly secret: string;
  /** Until here, exclusively, the lease may go on in the fallback half (rule R5); `expired` when left out. */
  readonly fallbackUntil?: number;
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
  /** How many leases one request may ask for; no limit when left out. */
  readonly maxLeasesPerRequest?: number;
}

/** The layout that a pool is created with. */
export type PoolConfig = Partial<IdLayout>;

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
  /** How many machine numbers can be leased: half of them, the other half is for fallback. */
  readonly slots: number;
  /** Leases whose fallback window has not ended. */
  readonly held: number;
  /** No grants before this time; 0 when the pool is not in quarantine. */
  readonly quarantinedUntil: number;
}

/** New widths for a pool; `default` when none is named. */
export interface LayoutChange {
  readonly bitId: number;
  readonly bitSeq: number;
  readonly pool?: string;
}

export interface LeaseInspector {
  inspectPool(pool?: string): Promise<InspectedPool>;
  listLeases(pool?: string): Promise<readonly InspectedLease[]>;
  /** Stops granting until every lease that could still be out has ended; for after a restored backup. */
  quarantine(pool?: string): Promise<InspectedPool>;
  /** Forgets a lease, so that it cannot be released; its slot stays taken until its windows end. */
  revoke(lease: { readonly id: number; readonly pool?: string }): Promise<void>;
  /** Changes how many bits are machine number and how many sequence, while leases live (rule R4). */
  changeLayout(layout: LayoutChange): Promise<InspectedPool>;
}
