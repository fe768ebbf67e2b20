// Leases kept in this process: for tests, for the simulator, and for programs that are one process. It is the pool
// rules and nothing else, and so the measure of every other store.
import { defaultEnvironment, type Environment, randomHex } from '../environment.js';
import { DEFAULT_POOL, type PoolsOptions, type ResolvedPools, resolvePools } from '../lease/config.js';
import { LeaseNotFoundError, PoolExhaustedError } from '../lease/errors.js';
import { checkAcquire, checkRelease } from '../lease/requests.js';
import {
  checkConfigured,
  createPool,
  freeFromAfterRelease,
  grant,
  hasForgotten,
  isFree,
  type LeaseRecord,
  leaseToRelease,
  type PoolRecord,
  quarantine,
  relayout,
  relayoutSlots,
  slotCount,
  slotsFor,
  takenUntil,
  toLeaseInfo,
} from '../lease/rules.js';
import { SlotQueue } from '../lease/slot-queue.js';
import type {
  AcquireOptions,
  AcquireResponse,
  InspectedLease,
  InspectedPool,
  LeaseInspector,
  LeaseProvider,
  ReleaseOptions,
  SeenPool,
} from '../lease/types.js';

export interface MemoryLeaseProviderOptions extends PoolsOptions {
  readonly environment?: Environment;
}

/** The rules that the simulator switches off one by one, to show what each is for. */
export type SwitchableRules = Pick<
  typeof import('../lease/rules.js'),
  'freeFromAfterRelease' | 'hasForgotten' | 'relayoutSlots' | 'takenUntil'
>;

const RULES: SwitchableRules = { freeFromAfterRelease, hasForgotten, relayoutSlots, takenUntil };

/** All that a provider knows, at one moment. */
export type MemorySnapshot = ReadonlyMap<
  string,
  { readonly pool: Pool; readonly slots: readonly [number, number][] }
>;

/** A pool with its slots and leases. */
interface Pool {
  record: PoolRecord;
  slots: SlotQueue;
  /** By machine number; several at once only after a change of layout. */
  readonly leases: Map<number, LeaseRecord[]>;
  /** The leases that answered a request, until they end or one is released; and which request a lease answered. */
  readonly answers: Map<string, readonly LeaseRecord[]>;
  readonly requestOf: WeakMap<LeaseRecord, string>;
}

export class MemoryLeaseProvider implements LeaseProvider, LeaseInspector {
  readonly #environment: Environment;
  readonly #configured: ResolvedPools;
  readonly #pools = new Map<string, Pool>();
  readonly #rules: SwitchableRules;

  constructor(
    { environment = defaultEnvironment, ...options }: MemoryLeaseProviderOptions = {},
    rules: Partial<SwitchableRules> = {},
  ) {
    this.#environment = environment;
    this.#configured = resolvePools(options);
    this.#rules = { ...RULES, ...rules };
  }

  /** A copy of everything, as a backup or a lagging replica would have it. */
  snapshot(): MemorySnapshot {
    const copies = [...this.#pools].map(
      ([name, pool]) => [name, { pool: copyPool(pool), slots: [...pool.slots.used()] }] as const,
    );
    return new Map(copies);
  }

  /** Goes back to a snapshot: what was acknowledged since is forgotten (rule R7). */
  restore(snapshot: MemorySnapshot): void {
    this.#pools.clear();
    for (const [name, { pool, slots }] of snapshot) {
      const copy = copyPool(pool);
      copy.slots = new SlotQueue(slotCount(copy.record.layout), slots);
      this.#pools.set(name, copy);
    }
  }

  async acquire(options: AcquireOptions): Promise<AcquireResponse> {
    const request = checkAcquire(options);
    const service = this.#configured.service(request.serviceId);
    const now = this.#environment.now();
    const pool = this.#open(service.pool, now, request.seen);
    // First of all, and for a repeated request too: whoever knows better must be heard before the next grant.
    if (this.#rules.hasForgotten(pool.record, request.seen)) {
      const { maxWindow } = this.#configured.pool(service.pool);
      pool.record = quarantine(pool.record, now, maxWindow, request.seen);
    }
    // Within its service only: an answer carries secrets.
    const key = request.requestId === undefined ? undefined : `${service.serviceId}\n${request.requestId}`;
    const known = key === undefined ? undefined : pool.answers.get(key);
    if (known?.every(({ expired }) => now < expired)) return this.#answer(pool, known, request, now);
    const { quarantinedUntil } = pool.record;
    if (now < quarantinedUntil) {
      throw new PoolExhaustedError(service.pool, quarantinedUntil - now, 'in quarantine');
    }
    const count = slotsFor(request, pool.record.layout);
    const taken = this.#takeFree(pool, count, now, this.#rules.takenUntil(service, now));
    if (taken.length === 0) {
      throw new PoolExhaustedError(service.pool, Math.max(0, (pool.slots.first()?.freeFrom ?? now) - now));
    }
    const { pool: record, leases } = grant(pool.record, taken, service, request.meta ?? {}, now);
    pool.record = record;
    for (const lease of leases) {
      // What an earlier lease of this slot left behind has ended, or the slot would not have been free.
      const others = (pool.leases.get(lease.id) ?? []).filter(({ bitSeq }) => bitSeq !== lease.bitSeq);
      pool.leases.set(lease.id, [...others, lease]);
    }
    if (key !== undefined) this.#remember(pool, key, leases, now);
    return this.#answer(pool, leases, request, now);
  }

  async release(options: ReleaseOptions): Promise<void> {
    const { id, timestamp, serviceId } = checkRelease(options);
    const now = this.#environment.now();
    const pool = this.#open(this.#configured.service(serviceId).pool, now, undefined);
    const lease = leaseToRelease(pool.leases.get(id) ?? [], options, now);
    this.#forget(pool, lease);
    // A slot of a former layout has no place of its own any more; what overlaps it stays taken until it ends.
    if (lease.bitSeq === pool.record.layout.bitSeq) {
      pool.slots.set(id, this.#rules.freeFromAfterRelease(lease, timestamp, pool.slots.freeFrom(id)));
    }
  }

  async inspectPool(name = DEFAULT_POOL): Promise<InspectedPool> {
    const now = this.#environment.now();
    const pool = this.#open(name, now, undefined);
    const { id, serial, layout, quarantinedUntil } = pool.record;
    const held = liveLeases(pool, now).length;
    const until = quarantinedUntil > now ? quarantinedUntil : 0;
    return { name, id, serial, now, layout, slots: slotCount(layout), held, quarantinedUntil: until };
  }

  async listLeases(name = DEFAULT_POOL): Promise<readonly InspectedLease[]> {
    const now = this.#environment.now();
    return liveLeases(this.#open(name, now, undefined), now).map(
      ({ id, bitSeq, serviceId, holder, created, expired, fallbackUntil }) => ({
        id,
        bitSeq,
        serviceId,
        holder,
        created,
        expired,
        fallbackUntil,
      }),
    );
  }

  async quarantine(name = DEFAULT_POOL): Promise<InspectedPool> {
    const now = this.#environment.now();
    const pool = this.#open(name, now, undefined);
    pool.record = quarantine(pool.record, now, this.#configured.pool(name).maxWindow);
    return this.inspectPool(name);
  }

  async revoke({ id, pool: name = DEFAULT_POOL }: { id: number; pool?: string }): Promise<void> {
    const now = this.#environment.now();
    const pool = this.#open(name, now, undefined);
    const leases = liveLeases(pool, now).filter((lease) => lease.id === id);
    if (leases.length === 0) throw new LeaseNotFoundError(id);
    for (const lease of leases) this.#forget(pool, lease);
  }

  async changeLayout({
    bitId,
    bitSeq,
    pool: name = DEFAULT_POOL,
  }: {
    bitId: number;
    bitSeq: number;
    pool?: string;
  }): Promise<InspectedPool> {
    const pool = this.#open(name, this.#environment.now(), undefined);
    const record = relayout(pool.record, { bitId, bitSeq });
    const slots = this.#rules.relayoutSlots(pool.slots.used(), pool.record.layout, record.layout);
    pool.slots = new SlotQueue(slotCount(record.layout), slots);
    pool.record = record;
    // Answers speak of slots that are no longer granted like that.
    pool.answers.clear();
    return this.inspectPool(name);
  }

  #open(name: string, now: number, seen: SeenPool | undefined): Pool {
    const configured = this.#configured.pool(name);
    let pool = this.#pools.get(name);
    if (!pool) {
      const record = createPool(randomHex(this.#environment, 16), configured, now, seen);
      pool = {
        record,
        slots: new SlotQueue(slotCount(record.layout)),
        leases: new Map(),
        answers: new Map(),
        requestOf: new WeakMap(),
      };
      this.#pools.set(name, pool);
    }
    checkConfigured(pool.record, configured);
    return pool;
  }

  /** Takes slots until the end of the windows they will get; no further, should the source of secrets fail now. */
  #takeFree(pool: Pool, count: number, now: number, until: number): { id: number; secret: string }[] {
    const taken: { id: number; secret: string }[] = [];
    while (taken.length < count) {
      const next = pool.slots.first();
      if (!next || !isFree(next.freeFrom, now)) break;
      pool.slots.set(next.slot, until);
      taken.push({ id: next.slot, secret: randomHex(this.#environment, 16) });
    }
    return taken;
  }

  #answer(
    pool: Pool,
    leases: readonly LeaseRecord[],
    { requestId }: AcquireOptions,
    now: number,
  ): AcquireResponse {
    const { id, serial } = pool.record;
    const infos = leases.map((lease) => toLeaseInfo(pool.record, lease));
    return { leases: infos, now, pool: id, serial, ...(requestId !== undefined && { requestId }) };
  }

  /** Remembers an answer, and forgets those at the front whose leases have ended. */
  #remember(pool: Pool, requestId: string, leases: readonly LeaseRecord[], now: number): void {
    for (const [known, answer] of pool.answers) {
      if (answer.some(({ fallbackUntil }) => fallbackUntil > now)) break;
      pool.answers.delete(known);
    }
    pool.answers.set(requestId, leases);
    for (const lease of leases) pool.requestOf.set(lease, requestId);
  }

  #forget(pool: Pool, lease: LeaseRecord): void {
    const others = (pool.leases.get(lease.id) ?? []).filter((other) => other !== lease);
    if (others.length > 0) pool.leases.set(lease.id, others);
    else pool.leases.delete(lease.id);
    const requestId = pool.requestOf.get(lease) ?? '';
    // A request that came again after its leases had expired has a newer answer, which stays.
    if (pool.answers.get(requestId)?.includes(lease)) pool.answers.delete(requestId);
  }
}

function copyPool(pool: Pool): Pool {
  return { ...pool, leases: new Map(pool.leases), answers: new Map(pool.answers) };
}

function liveLeases(pool: Pool, now: number): LeaseRecord[] {
  return [...pool.leases.values()].flat().filter(({ fallbackUntil }) => fallbackUntil > now);
}
