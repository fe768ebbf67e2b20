// What Redis and its clients complain about, in the words that every store uses; and what only Redis has to complain of.
import { LeaseError, StoreError, type StoreErrorCode } from 'kazahana/lease';

/** A Redis that may throw keys away when its memory is full, and with them what it has acknowledged. */
export class EvictingRedisError extends LeaseError {
  override readonly name = 'EvictingRedisError';

  constructor(
    readonly policy: string,
    readonly maxmemory: number,
  ) {
    super(
      'STORE_MAY_EVICT',
      `Redis may evict keys (maxmemory ${maxmemory}, maxmemory-policy ${policy}), and a forgotten lease can be granted twice; allowed is maxmemory-policy noeviction`,
    );
  }
}

/** A grant that too few replicas have: it has been taken back, for a fail-over might forget it. */
export class ReplicasBehindError extends LeaseError {
  override readonly name = 'ReplicasBehindError';

  constructor(
    readonly acknowledged: number,
    readonly wanted: number,
    readonly timeoutMs: number,
  ) {
    super(
      'REPLICAS_BEHIND',
      `${acknowledged} of ${wanted} replicas have acknowledged within ${timeoutMs} ms; nothing was granted`,
    );
  }
}

/** By how the message of a reply begins (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors). */
const CODES: readonly (readonly [start: RegExp, code: StoreErrorCode, what: string])[] = [
  [
    /^(NOAUTH|WRONGPASS|NOPERM|DENIED)\b|can't run this command|not allowed from script/,
    'STORE_REFUSED',
    'Redis does not let this user do it',
  ],
  [/^OOM\b/, 'STORE_FULL', 'the memory of Redis is full'],
  [/^MISCONF\b/, 'STORE_FULL', 'Redis cannot write to its disk'],
  [/^(BUSY|TRYAGAIN)\b/, 'STORE_BUSY', 'Redis is busy'],
  [
    /^(WRONGTYPE|ERR unknown command|ERR Error running script)/,
    'STORE_INCOMPATIBLE',
    'the keys or commands of Redis are not what was expected',
  ],
];

/** What clients say when they are closed or were never connected. */
const CLOSED = /client is closed|connection is closed/i;

/**
 * The error of a client as a `StoreError`. Its cause is a copy with the message alone: ioredis hangs the whole command
 * on its errors, and there are secrets in it.
 */
export function toStoreError(error: unknown): StoreError {
  const { name = 'Error', message = String(error) } = error instanceof Error ? error : {};
  const cause = new Error(message);
  cause.name = name;
  const [, code, what] = CODES.find(([start]) => start.test(message)) ?? [];
  if (code) return new StoreError(code, `${what}: ${message}`, { cause });
  if (CLOSED.test(message)) {
    return new StoreError('STORE_CLOSED', `the Redis client is not connected: ${message}`, { cause });
  }
  return new StoreError('STORE_UNAVAILABLE', `Redis does not answer as it should: ${message}`, { cause });
}
