// A lease provider on anything that keeps pools in transactions. This is the order in which the rules are applied,
// once for all stores that run in this process; a store is what `transact` makes of it.
import { defaultEnvironment, type Environment, randomHex } from '../environment.js';
import {
  DEFAULT_POOL,
  type PoolsOptions,
  type ResolvedPools,
  type ResolvedService,
  resolvePools,
} from './config.js';
import { type LeaseError, LeaseNotFoundError, PoolExhaustedError, TooManyLeasesError } from './errors.js';
import { believedAcquire, checkRelease } from './requests.js';
import {
  checkConfigured,
  createPool,
  freeFromAfterRelease,
  grant,
  hasForgotten,
  isFree,
  isRepeatable,
  type LeaseRecord,
  leaseToRelease,
  type PoolRecord,
  quarantine,
  relayout,
  relayoutSlots,
  requestKey,
  slotCount,
  slotsFor,
  takenUntil,
  toLeaseInfo,
} from './rules.js';
import type { PoolStorage, Quota } from './storage.js';
import type {
  AcquireOptions,
  AcquireResponse,
  CallOptions,
  InspectedLease,
  InspectedPool,
  LayoutChange,
  LeaseAccount,
  LeaseInspector,
  LeaseProvider,
  ReleaseOptions,
  SeenPool,
} from './types.js';

/** What every store takes. */
export interface LeaseStoreOptions extends PoolsOptions {
  readonly environment?: Environment;
}

/** The rules that the simulator switches off one by one, to show what each is for. */
export type SwitchableRules = Pick<
  typeof import('./rules.js'),
  'freeFromAfterRelease' | 'hasForgotten' | 'relayoutSlots' | 'takenUntil'
>;

const RULES: SwitchableRules = { freeFromAfterRelease, hasForgotten, relayoutSlots, takenUntil };

export abstract class LeaseStore implements LeaseProvider, LeaseInspector {
  protected readonly environment: Environment;
  protected readonly configured: ResolvedPools;
  readonly #rules: SwitchableRules;

  constructor(
    { environment = defaultEnvironment, ...options }: LeaseStoreOptions = {},
    rules: Partial<SwitchableRules> = {},
  ) {
    this.environment = environment;
    this.configured = resolvePools(options);
    this.#rules = { ...RULES, ...rules };
  }

  /**
   * Runs `work` over what is kept of a pool: all that it writes is kept, durably, before the promise resolves, or
   * nothing is and the promise rejects. No two transactions of a pool see each other half done. `work` may be run
   * again after a conflict, and `now` is read once for each run (rules R2 and R3).
   */
  protected abstract transact<Result>(
    pool: string,
    work: (storage: PoolStorage, now: number) => Result,
    call?: CallOptions,
  ): Promise<Result>;

  async acquire(options: AcquireOptions, call: CallOptions = {}): Promise<AcquireResponse> {
    const request = believedAcquire(options);
    const service = this.configured.service(request.serviceId);
    // A refusal is a result like any other: what was learned on the way, a loss for example, must be kept.
    const outcome = await this.transact<AcquireResponse | LeaseError>(
      service.pool,
      (storage, now) => this.#acquire(storage, request, service, call.account, now),
      call,
    );
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  #acquire(
    storage: PoolStorage,
    request: AcquireOptions,
    service: ResolvedService,
    account: LeaseAccount | undefined,
    now: number,
  ): AcquireResponse | LeaseError {
    let pool = this.#open(storage, service.pool, now, request.seen);
    // First of all, and for a repeated request too: whoever knows better must be heard before the next grant.
    if (this.#rules.hasForgotten(pool, request.seen)) {
      pool = quarantine(pool, now, this.configured.pool(service.pool).maxWindow, request.seen);
      storage.writePool(pool);
    }
    const key = requestKey(service, request.requestId);
    const known = key === null ? [] : storage.answerTo(key);
    if (isRepeatable(known, now)) return toResponse(pool, known, request, now);
    if (now < pool.quarantinedUntil) {
      return new PoolExhaustedError(service.pool, pool.quarantinedUntil - now, 'in quarantine');
    }
    const asked = slotsFor(request, pool.layout);
    if (asked > service.maxLeasesPerRequest) {
      return new TooManyLeasesError(service.serviceId, service.maxLeasesPerRequest, asked);
    }
    const { left, nextAt } = quotaLeft(storage, service, account, asked, now);
    if (left === 0) return new PoolExhaustedError(service.pool, nextAt - now, 'the quota is used up');
    const taken = this.#takeFree(storage, left, now, this.#rules.takenUntil(service, now));
    if (taken.length === 0) {
      return new PoolExhaustedError(service.pool, Math.max(0, (storage.firstSlot()?.freeFrom ?? now) - now));
    }
    const granted = grant(pool, taken, service, request, account?.name ?? null, now);
    storage.writePool(granted.pool);
    storage.addLeases(granted.leases);
    return toResponse(granted.pool, granted.leases, request, now);
  }

  async release(options: ReleaseOptions, call?: CallOptions): Promise<void> {
    const { id, timestamp, serviceId } = checkRelease(options);
    const { pool: name } = this.configured.service(serviceId);
    await this.transact(
      name,
      (storage, now) => {
        const pool = this.#open(storage, name, now);
        const lease = leaseToRelease(storage.leasesOf(id), options, now);
        storage.removeLease(lease);
        // A slot of a former layout has no place of its own any more; what overlaps it stays taken until it ends.
        if (lease.bitSeq !== pool.layout.bitSeq) return;
        storage.writeSlot(id, this.#rules.freeFromAfterRelease(lease, timestamp, storage.freeFrom(id)));
      },
      call,
    );
  }

  async inspectPool(name = DEFAULT_POOL): Promise<InspectedPool> {
    return this.transact(name, (storage, now) =>
      inspected(storage, name, this.#open(storage, name, now), now),
    );
  }

  async listLeases(name = DEFAULT_POOL): Promise<readonly InspectedLease[]> {
    return this.transact(name, (storage, now) => {
      this.#open(storage, name, now);
      const leases = live(storage.allLeases(), now).sort((a, b) => a.id - b.id || a.bitSeq - b.bitSeq);
      return leases.map(toInspectedLease);
    });
  }

  async quarantine(name = DEFAULT_POOL): Promise<InspectedPool> {
    return this.transact(name, (storage, now) => {
      const { maxWindow } = this.configured.pool(name);
      const pool = quarantine(this.#open(storage, name, now), now, maxWindow);
      storage.writePool(pool);
      return inspected(storage, name, pool, now);
    });
  }

  async revoke({ id, pool: name = DEFAULT_POOL }: { id: number; pool?: string }): Promise<void> {
    await this.transact(name, (storage, now) => {
      this.#open(storage, name, now);
      const leases = live(storage.leasesOf(id), now);
      if (leases.length === 0) throw new LeaseNotFoundError(id);
      for (const lease of leases) storage.removeLease(lease);
    });
  }

  async changeLayout({ bitId, bitSeq, pool: name = DEFAULT_POOL }: LayoutChange): Promise<InspectedPool> {
    return this.transact(name, (storage, now) => {
      const pool = this.#open(storage, name, now);
      const changed = relayout(pool, { bitId, bitSeq });
      const slots = this.#rules.relayoutSlots(storage.usedSlots(), pool.layout, changed.layout);
      storage.writePool(changed);
      storage.replaceSlots(slots);
      // Answers speak of slots that are no longer granted like that.
      storage.forgetAnswers();
      return inspected(storage, name, changed, now);
    });
  }

  #open(storage: PoolStorage, name: string, now: number, seen?: SeenPool): PoolRecord {
    const configured = this.configured.pool(name);
    let pool = storage.readPool();
    if (!pool) {
      pool = createPool(randomHex(this.environment, 16), configured, now, seen);
      storage.writePool(pool);
    }
    checkConfigured(pool, configured);
    return pool;
  }

  /** Takes slots until the end of the windows they will get; no further, should the source of secrets fail now. */
  #takeFree(
    storage: PoolStorage,
    count: number,
    now: number,
    until: number,
  ): { id: number; secret: string }[] {
    const taken: { id: number; secret: string }[] = [];
    while (taken.length < count) {
      const next = storage.firstSlot();
      if (!next || !isFree(next.freeFrom, now)) break;
      storage.writeSlot(next.slot, until);
      taken.push({ id: next.slot, secret: randomHex(this.environment, 16) });
    }
    return taken;
  }
}

/** How many of the leases asked for the quotas leave; and when the next can be had where that is none. */
function quotaLeft(
  storage: PoolStorage,
  { serviceId, maxLeases }: ResolvedService,
  account: LeaseAccount | undefined,
  asked: number,
  now: number,
): { left: number; nextAt: number } {
  const quotas: { quota: Quota; limit: number }[] = [
    { quota: { of: 'service', name: serviceId }, limit: maxLeases },
    ...(account ? [{ quota: { of: 'account', name: account.name } as const, limit: account.maxLeases }] : []),
  ];
  let left = asked;
  let nextAt = now;
  for (const { quota, limit } of quotas) {
    if (limit === Number.POSITIVE_INFINITY) continue;
    const { count, firstEnd } = storage.held(quota, now, limit);
    left = Math.min(left, Math.max(0, limit - count));
    if (count >= limit) nextAt = Math.max(nextAt, firstEnd);
  }
  return { left, nextAt };
}

function toResponse(
  pool: PoolRecord,
  leases: readonly LeaseRecord[],
  { requestId }: AcquireOptions,
  now: number,
): AcquireResponse {
  const infos = leases.map((lease) => toLeaseInfo(pool, lease));
  const { id, serial } = pool;
  return { leases: infos, now, pool: id, serial, ...(requestId !== undefined && { requestId }) };
}

function inspected(storage: PoolStorage, name: string, pool: PoolRecord, now: number): InspectedPool {
  const held = live(storage.allLeases(), now).length;
  return toInspectedPool(name, pool, held, now);
}

/** A pool as operators see it. */
export function toInspectedPool(name: string, pool: PoolRecord, held: number, now: number): InspectedPool {
  const { id, serial, layout } = pool;
  const quarantinedUntil = pool.quarantinedUntil > now ? pool.quarantinedUntil : 0;
  return { name, id, serial, now, layout, slots: slotCount(layout), held, quarantinedUntil };
}

/** A lease as operators see it: without its secret. */
export function toInspectedLease(lease: LeaseRecord): InspectedLease {
  const { id, bitSeq, serviceId, holder, created, expired, fallbackUntil } = lease;
  return { id, bitSeq, serviceId, holder, created, expired, fallbackUntil };
}

function live(leases: Iterable<LeaseRecord>, now: number): LeaseRecord[] {
  return [...leases].filter(({ fallbackUntil }) => fallbackUntil > now);
}
