// The few things that are asked of a Redis client, and how each kind of client does them: `@redis/client` (single, pool,
// Sentinel, Cluster) and `ioredis` (single, Sentinel, Cluster). Clients are told apart by what they can do, so that
// neither library needs to be installed for the other's sake.
import { InvalidArgumentError } from 'kazahana/lease';
import { ioredisConnection } from './ioredis.js';
import { nodeRedisConnection } from './node-redis.js';

export type RedisCommand = readonly string[];

export interface RedisConnection {
  /** Sends a command to the master that keeps a key. */
  send(key: string, command: RedisCommand, signal?: AbortSignal): Promise<unknown>;
  /** Sends two commands to it, one right after the other on one connection; none of them if that cannot be. */
  sendPair(
    key: string,
    first: RedisCommand,
    second: RedisCommand,
  ): Promise<readonly [first: unknown, second: unknown]>;
}

// Whatever the parameters are: what is called with what is the business of the two adapters.
type Method = (...args: never[]) => unknown;

/** A connected client: of `@redis/client`, or of `ioredis`. */
export type RedisClientLike =
  | { readonly sendCommand: Method; readonly multi: Method; readonly withTypeMapping: Method }
  | { readonly call: Method; readonly pipeline: Method };

function can(redis: unknown, ...methods: readonly string[]): boolean {
  if (typeof redis !== 'object' || redis === null) return false;
  return methods.every((method) => typeof (redis as Record<string, unknown>)[method] === 'function');
}

function adapted(redis: RedisClientLike): RedisConnection {
  // What ioredis calls `sendCommand` and `multi` is something else, so it is asked for first.
  if (can(redis, 'call', 'pipeline')) return ioredisConnection(redis);
  if (can(redis, 'sendCommand', 'multi', 'withTypeMapping')) {
    if (can(redis, 'nodeClient')) return nodeRedisConnection(redis, 'cluster');
    if (can(redis, 'getSentinelNode')) return nodeRedisConnection(redis, 'sentinel');
    return nodeRedisConnection(redis, 'single');
  }
  throw new InvalidArgumentError('redis', 'a client of @redis/client or ioredis', redis);
}

/** As often as the clients themselves follow a redirection. */
const MAX_REDIRECTIONS = 16;

function isRedirection(error: unknown): boolean {
  return error instanceof Error && /^(MOVED|ASK) /.test(error.message);
}

/**
 * The connection to what a client is connected to. In a Cluster whose keys have moved, both libraries follow with a
 * single command and learn from it, but not with several at once.
 */
export function toConnection(redis: RedisClientLike): RedisConnection {
  const { send, sendPair } = adapted(redis);
  return {
    send,
    async sendPair(key, first, second) {
      for (let left = MAX_REDIRECTIONS; ; left--) {
        try {
          return await sendPair(key, first, second);
        } catch (error) {
          if (left === 0 || !isRedirection(error)) throw error;
          await send(key, ['EVAL', 'return 1', '1', key]);
        }
      }
    },
  };
}
