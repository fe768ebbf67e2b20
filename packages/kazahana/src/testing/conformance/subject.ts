// What the conformance suite works on: a provider on a fresh store, and the means to let its time pass.
import { defaultEnvironment } from '../../environment.js';
import type { PoolsOptions } from '../../lease/config.js';
import { signRelease } from '../../lease/signature.js';
import type {
  AcquireOptions,
  AcquireResponse,
  CallOptions,
  LeaseInfo,
  LeaseInspector,
  LeaseProvider,
} from '../../lease/types.js';
import { type ConformanceCase, type ConformanceRule, conformanceCase, skip } from './case.js';
import { check, equal, refusal } from './checks.js';

export type ConformingProvider = LeaseProvider & Partial<LeaseInspector>;

/** A provider under test. It is made anew for every case, on a store in which nothing was ever leased. */
export interface ConformanceSubject {
  readonly provider: ConformingProvider;
  /** The store's time. Left out, the suite believes the `now` of responses. */
  now?(): number | Promise<number>;
  /**
   * Moves the store's time. Leave it out when the store's clock cannot be moved: the suite then really waits, some
   * tens of milliseconds in a case, and skips cases that would take seconds.
   */
  advance?(ms: number): Promise<void>;
  /** Another provider on the same store, differently configured. Left out where a store is never shared. */
  reopen?(options: PoolsOptions): Promise<ConformingProvider>;
  /** True when the provider is the way to a store over a protocol that has no place for accounts. */
  readonly isRemote?: boolean;
  /** Ends connections and removes what the case has stored. */
  dispose?(): Promise<void>;
}

export type ConformanceFactory = (options: PoolsOptions) => Promise<ConformanceSubject>;

/** Four slots: small enough to be filled. */
export const FOUR_SLOTS = { bitId: 3, bitSeq: 19 } as const;
/** The throughput of so many of those slots. */
export const perSlot = (slots: number) => slots * 2 ** FOUR_SLOTS.bitSeq;
/** Long enough that no lease ends while a case runs on a slow store in real time. */
export const LONG = 600_000;
/** Short enough to be waited for, long enough to be seen alive by a store over a network. */
export const SHORT = 60;

/** The means of a case. */
export class Trial {
  readonly provider: ConformingProvider;
  readonly #subject: ConformanceSubject;

  constructor(subject: ConformanceSubject) {
    this.#subject = subject;
    this.provider = subject.provider;
  }

  /** False when waiting takes as long as it says. */
  get canMoveTime(): boolean {
    return this.#subject.advance !== undefined;
  }

  /** The case is skipped where it would really have to wait. */
  needsMovableTime(): void {
    if (!this.canMoveTime) skip("the store's time cannot be moved");
  }

  /** The case is skipped where a call has no place for an account. */
  needsAccounts(): void {
    if (this.#subject.isRemote) skip('the provider is the way to a store, and its protocol has no accounts');
  }

  /** The case is skipped where the provider has no such method. */
  needs<Method extends keyof LeaseInspector>(method: Method): LeaseInspector[Method] {
    if (!this.provider[method]) skip(`the provider has no ${method}`);
    const inspector = this.provider as LeaseInspector;
    return inspector[method].bind(inspector) as LeaseInspector[Method];
  }

  /** Another provider on the same store; the case is skipped where there can be none. */
  reopen(options: PoolsOptions): Promise<ConformingProvider> {
    return this.#subject.reopen?.(options) ?? skip('no second provider can be had on the same store');
  }

  acquire(options: AcquireOptions = {}, call?: CallOptions): Promise<AcquireResponse> {
    return this.provider.acquire(options, call);
  }

  /** The only lease of a response. */
  async lease(options: AcquireOptions = {}): Promise<LeaseInfo> {
    const { leases } = await this.acquire(options);
    const [lease] = leases;
    check(lease !== undefined && leases.length === 1, `one lease was requested, ${leases.length} came`);
    return lease;
  }

  async release(lease: LeaseInfo, timestamp: number, serviceId?: string): Promise<void> {
    const { id, secret } = lease;
    const signature = signRelease(secret, id, timestamp);
    await this.provider.release({ id, signature, timestamp, ...(serviceId !== undefined && { serviceId }) });
  }

  /** Asks for more than there is, and is told how long to wait. */
  async exhausted(options: AcquireOptions = {}): Promise<number> {
    const error = await refusal('acquire from a pool with nothing to give', ['POOL_EXHAUSTED'], () =>
      this.acquire(options),
    );
    const { retryAfterMs } = error as { retryAfterMs?: unknown };
    check(
      Number.isInteger(retryAfterMs) && (retryAfterMs as number) > 0,
      `an exhausted pool must say a positive retryAfterMs, it says ${String(retryAfterMs)}`,
    );
    return retryAfterMs as number;
  }

  /**
   * Waits for the end of the windows of a full pool, and checks on the way that nothing is granted before; to the
   * millisecond where time can be moved. Gives what the pool said first.
   */
  async waitWhileTaken(end: number, options: AcquireOptions = {}): Promise<number> {
    const wait = await this.takenUntil(end, options);
    if (this.canMoveTime) {
      await this.advance(wait - 1);
      equal('the last millisecond of the wait', await this.exhausted(options), 1);
    }
    await this.advance(this.canMoveTime ? 1 : wait);
    return wait;
  }

  /** Is refused; or, where real time went by too fast, granted what begins at the end and not before. */
  async takenUntil(end: number, options: AcquireOptions = {}): Promise<number> {
    if (this.canMoveTime) return this.exhausted(options);
    try {
      const { leases } = await this.acquire(options);
      for (const lease of leases) {
        check(lease.created >= end, `what is taken until ${end} must not be granted from ${lease.created}`);
        await this.release(lease, lease.created - 1, options.serviceId);
      }
      return 0;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'POOL_EXHAUSTED') throw error;
      return (error as { retryAfterMs: number }).retryAfterMs;
    }
  }

  async advance(ms: number): Promise<void> {
    if (this.#subject.advance) return this.#subject.advance(ms);
    // Timers of a busy process fire early; and the store's clock may be a little behind ours.
    const end = defaultEnvironment.now() + ms + 2;
    for (let left = ms + 2; left > 0; left = end - defaultEnvironment.now()) {
      await defaultEnvironment.sleep(left);
    }
  }

  /** The store's time, where it can be read. */
  async now(): Promise<number | undefined> {
    return await this.#subject.now?.();
  }
}

/** A case: its name says what a provider must do, its options what the store is configured to be. */
export interface CaseDefinition {
  readonly name: string;
  readonly rule: ConformanceRule;
  readonly options: PoolsOptions;
  readonly run: (trial: Trial) => Promise<void>;
}

export function toCase(factory: ConformanceFactory, definition: CaseDefinition): ConformanceCase {
  const { options, run } = definition;
  return conformanceCase(
    definition,
    () => factory(options),
    (subject) => run(new Trial(subject)),
  );
}
