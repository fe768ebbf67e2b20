// The few things that a Redis client must do, and how each kind of client does them: `@redis/client` (single, pool,
// Sentinel, Cluster) and `ioredis` (single, Sentinel, Cluster). Clients are told apart by what they can do, so that
// neither library needs to be installed for the other's sake.
import { InvalidArgumentError } from 'kazahana/lease';
import { ioredisConnection } from './ioredis.js';
import { nodeRedisConnection } from './node-redis.js';

export type RedisCommand = readonly string[];

export interface RedisConnection {
  /** Sends a command to the master that keeps a key. */
  send(key: string, command: RedisCommand): Promise<unknown>;
  /** Sends two commands to it, one right after the other on one connection; the second may wait so long. */
  sendPair(
    key: string,
    first: RedisCommand,
    second: RedisCommand,
    waitMs?: number,
  ): Promise<readonly [first: unknown, second: unknown]>;
  /** Makes the client end its connection to that master and open another, where it can be told to. */
  replace(key: string): Promise<void>;
}

// Whatever the parameters are: what is called with what is the business of the two adapters.
type Method = (...args: never[]) => unknown;

/** A connected client: of `@redis/client`, or of `ioredis`. */
export type RedisClientLike =
  | { readonly sendCommand: Method; readonly multi: Method; readonly withTypeMapping: Method }
  | { readonly call: Method; readonly pipeline: Method };

function adapted(redis: RedisClientLike): RedisConnection {
  const methods = (redis ?? {}) as Readonly<Record<string, unknown>>;
  const can = (...names: readonly string[]) => names.every((name) => typeof methods[name] === 'function');
  // What ioredis calls `sendCommand` and `multi` is something else, so it is looked for first.
  if (can('call', 'pipeline')) return ioredisConnection(redis);
  if (!can('sendCommand', 'multi', 'withTypeMapping')) {
    throw new InvalidArgumentError('redis', 'a client of @redis/client or ioredis', redis);
  }
  if (can('nodeClient')) return nodeRedisConnection(redis, 'cluster');
  return nodeRedisConnection(redis, can('getSentinelNode') ? 'sentinel' : 'single');
}

const isRedirection = (error: unknown) => error instanceof Error && /^(MOVED|ASK) /.test(error.message);

/**
 * The connection to what a client is connected to. In a Cluster whose keys have moved, both libraries follow with a
 * single command and learn from it, but not with several at once.
 */
export function toConnection(redis: RedisClientLike): RedisConnection {
  const connection = adapted(redis);
  return {
    ...connection,
    sendPair: (key, first, second) =>
      connection.sendPair(key, first, second).catch(async (error: unknown) => {
        if (!isRedirection(error)) throw error;
        await connection.send(key, ['EVAL', 'return 1', '1', key]);
        return connection.sendPair(key, first, second);
      }),
  };
}
