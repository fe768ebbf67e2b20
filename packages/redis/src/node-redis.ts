// `@redis/client`, in its three kinds, which differ in what stands before a command: nothing, whether it may go to a
// replica (Sentinel), or that and the key by which the node is found (Cluster).
import type { RedisCommand, RedisConnection } from './connection.js';

interface Batch {
  addCommand(...args: readonly unknown[]): Batch;
  execAsPipeline(): Promise<readonly unknown[]>;
}

interface NodeRedis {
  sendCommand(...args: readonly unknown[]): Promise<unknown>;
  multi(): Batch;
  withTypeMapping(mapping: object): NodeRedis;
}

export type NodeRedisKind = 'single' | 'sentinel' | 'cluster';

const IS_READ_ONLY = false;

export function nodeRedisConnection(redis: unknown, kind: NodeRedisKind): RedisConnection {
  // Whatever its owner wants replies to look like, here they are strings.
  const client = (redis as NodeRedis).withTypeMapping({});
  const addressed = (key: string, command: RedisCommand): readonly unknown[] => {
    if (kind === 'single') return [command];
    return kind === 'sentinel' ? [IS_READ_ONLY, command] : [key, IS_READ_ONLY, command];
  };
  return {
    send: (key, command, signal) =>
      client.sendCommand(...addressed(key, command), signal ? { abortSignal: signal } : {}),

    async sendPair(key, first, second) {
      const batch = client.multi();
      for (const command of [first, second]) batch.addCommand(...addressed(key, command));
      // Not a transaction: both are written at once, and both fail when the connection breaks in between.
      const [firstReply, secondReply] = await batch.execAsPipeline();
      return [firstReply, secondReply];
    },
  };
}
