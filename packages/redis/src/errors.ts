// What Redis and its clients complain about, in the words that every store uses; and what only Redis has to complain of.
import { LeaseError, StoreError, type StoreErrorCode } from 'kazahana/lease';

/** A Redis that may throw keys away when its memory is full, and with them what it has acknowledged. */
export class EvictingRedisError extends LeaseError {
  override readonly name = 'EvictingRedisError';

  constructor(
    readonly policy: string,
    readonly maxmemory: number,
  ) {
    const settings = `maxmemory ${maxmemory}, maxmemory-policy ${policy}`;
    super(
      'STORE_MAY_EVICT',
      `Redis may evict keys (${settings}), and with them leases; set maxmemory-policy noeviction`,
    );
  }
}

/**
 * Too few replicas have what the response would rest on, so that a fail-over could forget it. A lease that was granted
 * stays granted: the same request gets it once the replicas have it, or it ends by itself.
 */
export class ReplicasBehindError extends LeaseError {
  override readonly name = 'ReplicasBehindError';

  constructor(
    readonly acknowledged: number,
    readonly wanted: number,
    readonly timeoutMs: number,
  ) {
    const found = `${acknowledged} of ${wanted} replicas have acknowledged within ${timeoutMs} ms`;
    super('REPLICAS_BEHIND', `${found}; ask again with the same requestId`);
  }
}

/** By how the message of an error begins (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors). */
const CODES: readonly (readonly [start: RegExp, code: StoreErrorCode])[] = [
  [/^(NOAUTH|WRONGPASS|NOPERM|DENIED)\b|can't run this command|not allowed from script/, 'STORE_REFUSED'],
  [/^(OOM|MISCONF)\b/, 'STORE_FULL'],
  [/^(BUSY|TRYAGAIN)\b/, 'STORE_BUSY'],
  [/^(WRONGTYPE|ERR unknown command|ERR Error running script)/, 'STORE_INCOMPATIBLE'],
  // What clients say when they are closed or were never connected.
  [/client is closed|connection is closed/i, 'STORE_CLOSED'],
];

/**
 * The error of a client as a `StoreError`. Its cause is a copy with the message alone: ioredis hangs the whole command
 * on its errors, and there are secrets in it.
 */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { name = 'Error', message = String(error) } = error instanceof Error ? error : {};
  const cause = Object.assign(new Error(message), { name });
  const [, code = 'STORE_UNAVAILABLE'] = CODES.find(([start]) => start.test(message)) ?? [];
  return new StoreError(code, `Redis does not do what was requested: ${message}`, { cause });
}
