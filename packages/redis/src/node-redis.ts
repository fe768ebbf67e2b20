// `@redis/client`, in its three kinds, which differ in what stands before a command: nothing, whether it may go to a
// replica (Sentinel), or that and the key by which the node is found (Cluster).
import type { RedisCommand, RedisConnection } from './connection.js';

interface NodeRedis {
  sendCommand(...args: readonly unknown[]): Promise<unknown>;
  multi(): { addCommand(...args: readonly unknown[]): void; execAsPipeline(): Promise<readonly unknown[]> };
  withTypeMapping(mapping: object): NodeRedis;
  /** A pool of connections does not have it. */
  readonly isReady?: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  /** Clusters have it, in newer versions. */
  getNodeClientForKey?(key: string): Promise<NodeRedis>;
}

const IS_READ_ONLY = false;

type Kind = 'single' | 'sentinel' | 'cluster';

export function nodeRedisConnection(redis: unknown, kind: Kind): RedisConnection {
  // Responses are strings here, whatever the owner of the client has set.
  const client = (redis as NodeRedis).withTypeMapping({});
  const addressed = (key: string, command: RedisCommand): readonly unknown[] => {
    if (kind === 'single') return [command];
    return kind === 'sentinel' ? [IS_READ_ONLY, command] : [key, IS_READ_ONLY, command];
  };
  return {
    send: (key, command) => client.sendCommand(...addressed(key, command)),

    async sendPair(key, first, second) {
      const batch = client.multi();
      for (const command of [first, second]) batch.addCommand(...addressed(key, command));
      // Not a transaction: both are written at once, and both fail when the connection breaks in between.
      const [firstResponse, secondResponse] = await batch.execAsPipeline();
      return [firstResponse, secondResponse];
    },

    async replace(key) {
      // A Sentinel client that is closed and opened again stops for good when no Sentinel responds.
      if (kind === 'sentinel') return;
      const node = kind === 'cluster' ? await client.getNodeClientForKey?.(key) : client;
      // While it reconnects by itself it is not ready; a second attempt would run beside the first.
      if (!node?.isReady) return;
      node.destroy();
      await node.connect();
    },
  };
}
