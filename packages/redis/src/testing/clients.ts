// Clients of both libraries for every kind of Redis, connected; they say nothing about lost connections, since tests
// cut them on purpose.
import { createClient, createCluster, createSentinel } from '@redis/client';
import { Cluster, Redis } from 'ioredis';
import { SENTINEL_MASTER } from '../../../../tests/services/redis.ts';
import type { RedisClientLike } from '../index.js';

export interface TestClient {
  readonly redis: RedisClientLike;
  close(): void;
}

type Connect = (ports: readonly number[]) => Promise<TestClient>;

const host = '127.0.0.1';
const silent = () => {};
const nodes = (ports: readonly number[]) => ports.map((port) => ({ host, port }));

async function ioReady(redis: Redis | Cluster): Promise<TestClient> {
  redis.on('error', silent);
  await new Promise((resolve) => redis.once('ready', resolve));
  return { redis, close: () => redis.disconnect() };
}

/** By library; the first port is enough where there is one server. */
export const single: Readonly<Record<'@redis/client' | 'ioredis', Connect>> = {
  async '@redis/client'([port = 0]) {
    const redis = createClient({ socket: { host, port, reconnectStrategy: 20 } });
    await redis.on('error', silent).connect();
    return { redis, close: () => redis.destroy() };
  },
  ioredis: ([port = 0]) => ioReady(new Redis({ host, port, retryStrategy: () => 20 })),
};

export const sentinel: typeof single = {
  async '@redis/client'(ports) {
    const redis = createSentinel({
      name: SENTINEL_MASTER,
      sentinelRootNodes: nodes(ports),
      // How long a change goes unnoticed when its announcement was missed; 10 seconds by itself.
      scanInterval: 500,
      nodeClientOptions: { socket: { reconnectStrategy: 20 } },
    });
    await redis.on('error', silent).connect();
    return { redis, close: () => void redis.destroy() };
  },
  ioredis: (ports) =>
    ioReady(
      new Redis({
        sentinels: nodes(ports),
        name: SENTINEL_MASTER,
        retryStrategy: () => 20,
        sentinelRetryStrategy: () => 20,
      }),
    ),
};

export const cluster: typeof single = {
  async '@redis/client'(ports) {
    const redis = createCluster({ rootNodes: nodes(ports).map((socket) => ({ socket })) });
    await redis.on('error', silent).connect();
    return { redis, close: () => redis.destroy() };
  },
  ioredis: (ports) => ioReady(new Cluster(nodes(ports))),
};
