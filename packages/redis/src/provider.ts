// Leases in Redis: for fleets that have one. Each step that must be atomic is one script over keys that live together,
// with the server's own clock (rule R3); this file puts the steps in the order that every store keeps.
import {
  type AcquireOptions,
  type AcquireResponse,
  believedAcquire,
  type CallOptions,
  checkRelease,
  DEFAULT_POOL,
  defaultEnvironment,
  freeFromAfterRelease,
  type InspectedLease,
  type InspectedPool,
  type LayoutChange,
  type LeaseInspector,
  LeaseNotFoundError,
  type LeaseProvider,
  leaseToRelease,
  quarantine,
  type ReleaseOptions,
  type ResolvedPools,
  relayout,
  resolvePools,
  toInspectedLease,
  toInspectedPool,
} from 'kazahana/lease';
import { Acquirer } from './acquirer.js';
import { type RedisClientLike, toConnection } from './connection.js';
import { relayoutScript } from './layouts.js';
import { LeaseBook } from './lease-book.js';
import { type RedisLeaseProviderOptions, resolveOptions } from './options.js';
import { type OpenedPool, PoolBook } from './pool-book.js';
import { ScriptRunner } from './script-runner.js';
import { StartUpCheck } from './start-up-check.js';

export class RedisLeaseProvider implements LeaseProvider, LeaseInspector {
  readonly #configured: ResolvedPools;
  readonly #check: StartUpCheck;
  readonly #pools: PoolBook;
  readonly #leases: LeaseBook;
  readonly #acquirer: Acquirer;

  /** `redis` is a connected client, which stays its owner's to close. */
  constructor(redis: RedisClientLike, options: RedisLeaseProviderOptions = {}) {
    const { environment = defaultEnvironment, services, pools } = options;
    const { prefix, waitReplicas, eviction, onWarning } = resolveOptions(options);
    this.#configured = resolvePools({ ...(services && { services }), ...(pools && { pools }) });
    const connection = toConnection(redis);
    const scripts = new ScriptRunner(connection, waitReplicas);
    this.#check = new StartUpCheck(scripts, connection, { eviction, onWarning });
    const configured = (name: string) => this.#configured.pool(name);
    this.#pools = new PoolBook(scripts, { prefix, environment, configured });
    this.#leases = new LeaseBook(scripts, this.#pools);
    this.#acquirer = new Acquirer({
      scripts,
      environment,
      configured,
      pools: this.#pools,
      leases: this.#leases,
    });
  }

  /** Resolves when Redis answers and may keep leases; every pool is asked for before its first grant in any case. */
  async ready(): Promise<void> {
    for (const name of this.#configured.poolNames) await this.#check.pass(this.#pools.keys(name).pool);
  }

  async acquire(options: AcquireOptions, { signal, account }: CallOptions = {}): Promise<AcquireResponse> {
    signal?.throwIfAborted();
    const request = believedAcquire(options);
    const service = this.#configured.service(request.serviceId);
    const { pool: key } = this.#pools.keys(service.pool);
    if (!this.#check.hasPassed(key)) await this.#check.pass(key, signal);
    return this.#acquirer.acquire({ request, service, account, signal });
  }

  async release(options: ReleaseOptions, { signal }: CallOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const { id, timestamp, serviceId } = checkRelease(options);
    const { pool: name } = this.#configured.service(serviceId);
    for (;;) {
      const { known, now, found } = await this.#leases.find(name, id, { signal });
      const candidates = found.map(({ lease }) => lease);
      const lease = leaseToRelease(candidates, options, now);
      // A slot of a former layout has no place of its own any more; what overlaps it stays taken until it ends.
      const isCurrent = lease.bitSeq === known.pool.layout.bitSeq;
      const freeFrom = isCurrent ? freeFromAfterRelease(lease, timestamp, lease.fallbackUntil) : undefined;
      const { serial = '' } = found[candidates.indexOf(lease)] ?? {};
      const outcome = await this.#leases.forget(known, { lease, serial }, { freeFrom, signal });
      if (outcome === 'done') return;
      // Somebody was faster; what there is to release now, if anything, is another question.
    }
  }

  async inspectPool(name = DEFAULT_POOL): Promise<InspectedPool> {
    return this.#inspected(name, await this.#pools.open(name));
  }

  async listLeases(name = DEFAULT_POOL): Promise<readonly InspectedLease[]> {
    const leases = await this.#leases.list(await this.#pools.open(name));
    return leases.map(toInspectedLease);
  }

  async quarantine(name = DEFAULT_POOL): Promise<InspectedPool> {
    const { maxWindow } = this.#configured.pool(name);
    const opened = await this.#pools.change(name, (pool, now) => quarantine(pool, now, maxWindow));
    return this.#inspected(name, opened);
  }

  async revoke({ id, pool: name = DEFAULT_POOL }: { id: number; pool?: string }): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      const { known, now, found } = await this.#leases.find(name, id);
      const live = found.filter(({ lease }) => lease.fallbackUntil > now);
      if (live.length === 0 && isFirst) throw new LeaseNotFoundError(id);
      const outcomes = await Promise.all(live.map((one) => this.#leases.forget(known, one)));
      if (outcomes.every((outcome) => outcome === 'done')) return;
    }
  }

  async changeLayout({ bitId, bitSeq, pool: name = DEFAULT_POOL }: LayoutChange): Promise<InspectedPool> {
    const rule = (pool: OpenedPool['pool']) => relayout(pool, { bitId, bitSeq });
    return this.#inspected(name, await this.#pools.change(name, rule, { write: relayoutScript }));
  }

  async #inspected(name: string, opened: OpenedPool): Promise<InspectedPool> {
    const held = await this.#leases.list(opened);
    return toInspectedPool(name, opened.pool, held.length, opened.now);
  }
}
