// An acquire, from the request to the answer. The script does what must be atomic; what it says to be unknown or out of
// date is learned here, and then it is asked again. With `waitReplicas`, what the replicas do not have is taken back.
import {
  type AcquireOptions,
  type AcquireResponse,
  type ConfiguredPool,
  type Environment,
  grant,
  hasForgotten,
  type LeaseAccount,
  type LeaseError,
  type LeaseRecord,
  PoolExhaustedError,
  quarantine,
  type ResolvedService,
  requestKey,
  slotCount,
  slotsFor,
  TooManyLeasesError,
  takenUntil,
  toLeaseInfo,
} from 'kazahana/lease';
import { ACQUIRE, type AcquireReply } from './acquire-script.js';
import { layoutMark } from './layouts.js';
import type { LeaseBook } from './lease-book.js';
import type { KnownPool, PoolBook } from './pool-book.js';
import { decodeGrant, drawSecrets, encodeGrantTail, encodeName, NAME_LINES, secretAt } from './records.js';
import type { ScriptRunner } from './script-runner.js';
import { COUNT } from './scripts.js';

export interface AcquirerParts {
  readonly scripts: ScriptRunner;
  readonly pools: PoolBook;
  readonly leases: LeaseBook;
  readonly environment: Environment;
  readonly configured: (pool: string) => ConfiguredPool;
}

/** One request, and whose it is. */
export interface Asked {
  readonly request: AcquireOptions;
  readonly service: ResolvedService;
  readonly account: LeaseAccount | undefined;
  readonly signal: AbortSignal | undefined;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

export class Acquirer {
  readonly #parts: AcquirerParts;

  constructor(parts: AcquirerParts) {
    this.#parts = parts;
  }

  async acquire(asked: Asked): Promise<AcquireResponse> {
    const { request, service, signal } = asked;
    const { pools, scripts } = this.#parts;
    for (;;) {
      const known = pools.known(service.pool) ?? (await pools.open(service.pool, request.seen, { signal }));
      const change = this.#neededChange(known, asked);
      if (change) {
        await change;
        continue;
      }
      const { keys, args, wanted, secrets } = this.#question(known, asked);
      const outcome = await scripts.runAndAsk(ACQUIRE, keys, args, { signal });
      const reply = String(outcome.reply).split('\n') as readonly string[] as AcquireReply;
      switch (reply[0]) {
        case 'changed':
          pools.forget(service.pool);
          continue;
        case 'forgotten':
          await this.#hear(asked);
          continue;
        case 'uncounted':
          await this.#count(known, asked);
          continue;
        case 'granted': {
          const leases = grantedLeases(known, asked, reply, secrets);
          const lag = scripts.lag(outcome);
          if (!lag) return toAnswer(known, reply, leases, request);
          await this.#takeBack(known, leases, reply[2]);
          throw lag;
        }
        case 'repeated': {
          const lag = scripts.lag(outcome);
          if (lag) throw lag;
          const [, , , ...grantLines] = reply;
          return toAnswer(known, reply, decodeGrant(grantLines).leases, request);
        }
        default:
          throw refusal(reply, asked, known, wanted);
      }
    }
  }

  /** Changes what the script relies on, where it must be changed first; undefined when there is nothing to do. */
  #neededChange({ pool }: KnownPool, asked: Asked): Promise<unknown> | undefined {
    const { service, request, signal } = asked;
    const { seen } = request;
    // Only whether it is another pool; how far this one has come is the script's to tell.
    if (seen && hasForgotten({ ...pool, serial: seen.serial }, seen)) return this.#hear(asked);
    const window = takenUntil(service, 0);
    if (window <= pool.maxWindow) return undefined;
    return this.#parts.pools.change(
      service.pool,
      (current) => (window <= current.maxWindow ? current : { ...current, maxWindow: window }),
      { seen, signal },
    );
  }

  /** A client knows more of the pool than the store does: rule R7. */
  async #hear({ request: { seen }, service, signal }: Asked): Promise<void> {
    const { pools, configured } = this.#parts;
    const { maxWindow } = configured(service.pool);
    await pools.change(
      service.pool,
      (pool, now) => (hasForgotten(pool, seen) ? quarantine(pool, now, maxWindow, seen) : pool),
      { seen, signal },
    );
  }

  /** Begins to count leases by service and account, where a limit asks for it. */
  async #count({ keys }: KnownPool, { service, account, signal }: Asked): Promise<void> {
    const { scripts, pools } = this.#parts;
    // First of all, everybody who grants must know it; then those that were granted before are counted.
    await pools.change(service.pool, (pool) => pool, { isCounted: true, signal });
    for (const { of, name, limit } of quotasOf(service, account)) {
      if (limit === NO_LIMIT) continue;
      const args = [String(NAME_LINES[of]), encodeName(name)];
      await scripts.run(COUNT, [keys.pool, keys.held(of, name)], args, { signal });
    }
  }

  /** Keys and arguments of the script, in its order. */
  #question({ keys, version, pool, isCounted }: KnownPool, { request, service, account }: Asked) {
    const { layout } = pool;
    const { seen } = request;
    const wanted = slotsFor(request, layout);
    const isTooMany = wanted > service.maxLeasesPerRequest;
    const quotas = quotasOf(service, account);
    const limits = quotas.map(({ limit }) => limit);
    const isLimited = limits.some((limit) => limit !== NO_LIMIT);
    const count = isTooMany ? 0 : Math.max(0, Math.min(wanted, slotCount(layout), ...limits));
    const secrets = drawSecrets(this.#parts.environment, count);
    const held = isCounted || isLimited ? quotas.map(({ of, name }) => keys.held(of, name)) : [];
    const args = [
      version,
      String(seen?.pool === pool.id ? seen.serial : 0),
      encodeName(requestKey(service, request.requestId)),
      String(pool.quarantinedUntil),
      String(isTooMany ? -1 : count),
      String(slotCount(layout)),
      String(takenUntil(service, 0)),
      encodeGrantTail(service, layout, account?.name ?? null, request.meta ?? {}),
      secrets,
      layoutMark(layout),
      ...limits.map((limit) => (limit === NO_LIMIT ? '' : String(limit))),
    ];
    return { keys: [keys.pool, keys.slots, ...held], args, wanted, secrets };
  }

  /**
   * Nobody has been told of these leases, so their slots are free from the beginning; unless the answer was repeated to
   * somebody in the meantime. When it cannot be done they stay taken until they end, which is safe as well.
   */
  async #takeBack(known: KnownPool, leases: readonly LeaseRecord[], serial: string): Promise<void> {
    for (const lease of leases) {
      const options = { freeFrom: lease.created, unlessShared: true };
      const outcome = await this.#parts.leases
        .forget(known, { lease, serial }, options)
        .catch(() => 'failed' as const);
      if (outcome !== 'done') return;
    }
  }
}

/** Whose leases are counted for a request, and how many they may be. */
function quotasOf({ serviceId, maxLeases }: ResolvedService, account: LeaseAccount | undefined) {
  const service = { of: 'service' as const, name: serviceId, limit: maxLeases };
  if (!account) return [service];
  return [service, { of: 'account' as const, name: account.name, limit: account.maxLeases }];
}

function grantedLeases(
  { pool }: KnownPool,
  { request, service, account }: Asked,
  [, now, , slots]: Extract<AcquireReply, readonly ['granted', ...unknown[]]>,
  secrets: string,
): readonly LeaseRecord[] {
  const taken = slots
    .split(' ')
    .map((slot, place) => ({ id: Number(slot), secret: secretAt(secrets, place) }));
  return grant(pool, taken, service, request, account?.name ?? null, Number(now)).leases;
}

/** Why nothing is granted. */
function refusal(
  [kind, nowText, nextAt]: readonly string[],
  { service }: Asked,
  { pool }: KnownPool,
  wanted: number,
): LeaseError {
  const now = Number(nowText);
  switch (kind) {
    case 'quarantined':
      return new PoolExhaustedError(service.pool, pool.quarantinedUntil - now, 'in quarantine');
    case 'too many':
      return new TooManyLeasesError(service.serviceId, service.maxLeasesPerRequest, wanted);
    case 'quota': {
      // An account that may hold nothing has no lease that could end.
      const end = nextAt === 'inf' ? NO_LIMIT : Number(nextAt);
      return new PoolExhaustedError(service.pool, end - now, 'the quota is used up');
    }
    default:
      return new PoolExhaustedError(service.pool, Math.max(0, Number(nextAt) - now));
  }
}

function toAnswer(
  { pool }: KnownPool,
  [, now, serial]: readonly string[],
  leases: readonly LeaseRecord[],
  { requestId }: AcquireOptions,
): AcquireResponse {
  return {
    leases: leases.map((lease) => toLeaseInfo(pool, lease)),
    now: Number(now),
    pool: pool.id,
    serial: Number(serial),
    ...(requestId !== undefined && { requestId }),
  };
}
