// Leases in PostgreSQL. The rules run there, in functions of a schema of its own, so that an acquire is one round trip
// and one transaction; here are the checks of what was asked, the signatures, and what may be remembered between calls:
// the pool's layout, by its version, and the place in the index where the last search ended.
import {
  type AcquireOptions,
  type AcquireResponse,
  believedAcquire,
  type CallOptions,
  checkConfigured,
  checkRelease,
  DEFAULT_POOL,
  defaultEnvironment,
  type Environment,
  freeFromAfterRelease,
  type InspectedLease,
  type InspectedPool,
  InvalidArgumentError,
  type LayoutChange,
  type LeaseInspector,
  LeaseNotFoundError,
  type LeaseProvider,
  type LeaseStoreOptions,
  leaseToRelease,
  PoolExhaustedError,
  type ReleaseOptions,
  type ResolvedPools,
  randomHex,
  relayout,
  requestKey,
  resolvePools,
  type SeenPool,
  STORE_CLOCK_MARGIN_MS,
  StoreError,
  slotCount,
  slotsFor,
  TooManyLeasesError,
  toInspectedPool,
} from 'kazahana/lease';
import {
  type AcquireAnswer,
  type Candidate,
  grantedLeases,
  type LeasesAnswer,
  type ListedLease,
  type Place,
  type PoolAnswer,
  type StoredPool,
  toCandidate,
  toListed,
  toResponse,
} from './answers.js';
import { PostgresConnection } from './connection.js';
import { checkSchemaName, DEFAULT_SCHEMA } from './schema/name.js';
import { toStored } from './text.js';
import type { PostgresPool } from './types.js';

export interface PostgresLeaseProviderOptions extends LeaseStoreOptions {
  /** The schema that holds everything; `kazahana` when left out. Two schemas have nothing in common. */
  readonly schema?: string;
  /** False when somebody else sees to the schema, by `migrate()`; it is then only looked at before the first call. */
  readonly migrate?: boolean;
}

/** What a server remembers of a pool. */
interface KnownPool {
  readonly record: StoredPool;
  place?: Place;
}

/** No layout has more; PostgreSQL would not take a number beyond its own range. */
const MAX_SLOT = 2 ** 30;
/** Every turn means that the pool has changed under our hands; so many times in a row is not by chance. */
const MAX_TURNS = 20;

export class PostgresLeaseProvider implements LeaseProvider, LeaseInspector {
  readonly #connection: PostgresConnection;
  readonly #configured: ResolvedPools;
  readonly #environment: Environment;
  readonly #known = new Map<string, KnownPool>();

  /** `pool` is a `pg.Pool`, which stays its maker's to configure, to listen to and to end. */
  constructor(pool: PostgresPool, options: PostgresLeaseProviderOptions = {}) {
    const { schema = DEFAULT_SCHEMA, migrate = true, environment = defaultEnvironment, ...pools } = options;
    if (typeof pool?.connect !== 'function') throw new InvalidArgumentError('pool', 'a pg.Pool', pool);
    if (typeof migrate !== 'boolean') throw new InvalidArgumentError('migrate', 'true or false', migrate);
    this.#connection = new PostgresConnection(pool, checkSchemaName(schema), migrate);
    this.#configured = resolvePools(pools);
    this.#environment = environment;
  }

  /** Makes the schema, or brings it up to date; safe from many servers at once, and where nothing is to be done. */
  migrate(): Promise<void> {
    return this.#connection.migrate();
  }

  async acquire(options: AcquireOptions, { signal, account }: CallOptions = {}): Promise<AcquireResponse> {
    const request = believedAcquire(options);
    signal?.throwIfAborted();
    const service = this.#configured.service(request.serviceId);
    const { pool: name } = service;
    const configured = this.#configured.pool(name);
    const { seen, requestId } = request;
    const key = requestKey(service, requestId);
    let isAlone = false;
    let isPatient = false;
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const known = this.#known.get(name) ?? (await this.#open(name, seen, signal));
      const { record } = known;
      checkConfigured(record, configured);
      const asked = slotsFor(request, record.layout);
      const most = Math.min(slotCount(record.layout), service.maxLeases, account?.maxLeases ?? asked);
      const secrets = asked > service.maxLeasesPerRequest ? [] : this.#drawSecrets(Math.min(asked, most));
      const answer = await this.#connection.call<AcquireAnswer>(
        'acquire',
        {
          pool: toStored(name),
          id: record.id,
          version: record.version,
          is_alone: isAlone,
          is_patient: isPatient,
          seen_pool: seen && toStored(seen.pool),
          seen_serial: seen?.serial,
          request: key === null ? null : toStored(key),
          service: toStored(service.serviceId),
          holder: JSON.stringify(request.meta ?? {}),
          account: account && toStored(account.name),
          lease_ms: service.leaseDuration,
          grace_ms: service.fallbackGrace,
          asked,
          most_asked: orNull(service.maxLeasesPerRequest),
          most_of_service: orNull(service.maxLeases),
          most_of_account: account && orNull(account.maxLeases),
          secrets,
          place: known.place,
          window_ms: configured.maxWindow,
          margin: STORE_CLOCK_MARGIN_MS,
        },
        signal,
      );
      if ('place' in answer) known.place = answer.place;
      switch (answer.is) {
        case 'granted':
          return toResponse(record, answer, grantedLeases(answer, secrets, service), requestId);
        case 'repeated':
          return toResponse(record, answer, answer.leases, requestId);
        case 'quarantined':
          throw new PoolExhaustedError(name, answer.waitMs, 'in quarantine');
        case 'over quota':
          throw new PoolExhaustedError(name, answer.waitMs, 'the quota is used up');
        case 'exhausted':
          throw new PoolExhaustedError(name, answer.waitMs);
        case 'too many':
          throw new TooManyLeasesError(service.serviceId, service.maxLeasesPerRequest, asked);
        case 'outdated':
          this.#known.delete(name);
          break;
        case 'crowded':
          isAlone = true;
          break;
        case 'contended':
          isPatient = true;
          break;
      }
    }
    throw overtaken(name);
  }

  async release(options: ReleaseOptions, { signal }: CallOptions = {}): Promise<void> {
    const { id, timestamp, serviceId } = checkRelease(options);
    signal?.throwIfAborted();
    const { pool: name } = this.#configured.service(serviceId);
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const args = { pool: toStored(name), slot: id };
      const { now, pool, leases } = await this.#connection.call<LeasesAnswer>('leases_of', args, signal);
      if (pool) checkConfigured(pool, this.#configured.pool(name));
      const lease = leaseToRelease(leases.map(toCandidate), options, now) as Candidate;
      const { isDone } = await this.#connection.call<{ isDone: boolean }>(
        'release',
        {
          ...args,
          id: pool?.id,
          version: pool?.version,
          bit_seq: lease.bitSeq,
          is_former: lease.isFormer,
          serial: lease.serial,
          fallback_until: lease.fallbackUntil,
          free_from: freeFromAfterRelease(lease, timestamp, lease.fallbackUntil),
        },
        signal,
      );
      if (isDone) return;
    }
    throw overtaken(name);
  }

  async inspectPool(name = DEFAULT_POOL): Promise<InspectedPool> {
    await this.#open(name);
    const { now, pool, held } = await this.#connection.call<PoolAnswer>('inspect_pool', {
      pool: toStored(name),
    });
    return toInspectedPool(name, pool, held, now);
  }

  async listLeases(name = DEFAULT_POOL): Promise<readonly InspectedLease[]> {
    await this.#open(name);
    const leases = await this.#connection.call<readonly ListedLease[]>('list_leases', {
      pool: toStored(name),
    });
    return leases.map(toListed);
  }

  async quarantine(name = DEFAULT_POOL): Promise<InspectedPool> {
    await this.#open(name);
    const { maxWindow } = this.#configured.pool(name);
    const args = { pool: toStored(name), window_ms: maxWindow, margin: STORE_CLOCK_MARGIN_MS };
    await this.#connection.call('quarantine_pool', args);
    return this.inspectPool(name);
  }

  async revoke({ id, pool: name = DEFAULT_POOL }: { id: number; pool?: string }): Promise<void> {
    await this.#open(name);
    if (!Number.isInteger(id) || Math.abs(id) > MAX_SLOT) throw new LeaseNotFoundError(id);
    const args = { pool: toStored(name), slot: id };
    const { count } = await this.#connection.call<{ count: number }>('revoke_leases', args);
    if (count === 0) throw new LeaseNotFoundError(id);
  }

  async changeLayout({ bitId, bitSeq, pool: name = DEFAULT_POOL }: LayoutChange): Promise<InspectedPool> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const { record } = await this.#open(name);
      const { layout } = relayout(record, { bitId, bitSeq });
      const { isDone } = await this.#connection.call<{ isDone: boolean }>('change_layout', {
        pool: toStored(name),
        id: record.id,
        version: record.version,
        bit_id: layout.bitId,
        bit_seq: layout.bitSeq,
      });
      if (isDone) return this.inspectPool(name);
    }
    throw overtaken(name);
  }

  /** The pool as the store has it now, made when it does not exist. */
  async #open(name: string, seen?: SeenPool, signal?: AbortSignal): Promise<KnownPool> {
    const configured = this.#configured.pool(name);
    const { customEpoch, bitReserve, bitTs, bitId, bitSeq } = configured.layout;
    const record = await this.#connection.call<StoredPool>(
      'open_pool',
      {
        pool: toStored(name),
        id: randomHex(this.#environment, 16),
        custom_epoch: customEpoch,
        bit_reserve: bitReserve,
        bit_ts: bitTs,
        bit_id: bitId,
        bit_seq: bitSeq,
        max_window: configured.maxWindow,
        margin: STORE_CLOCK_MARGIN_MS,
        seen_pool: seen && toStored(seen.pool),
        seen_serial: seen?.serial,
      },
      signal,
    );
    checkConfigured(record, configured);
    const known = this.#known.get(name);
    if (known?.record.id === record.id && known.record.version === record.version) return known;
    const found: KnownPool = { record };
    this.#known.set(name, found);
    return found;
  }

  #drawSecrets(count: number): string[] {
    return Array.from({ length: count }, () => randomHex(this.#environment, 16));
  }
}

/** JSON has no infinity. */
function orNull(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}

function overtaken(name: string): StoreError {
  return new StoreError('STORE_BUSY', `PostgreSQL: pool ${name} changed under our hands ${MAX_TURNS} times`);
}
