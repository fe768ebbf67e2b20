import { defaultEnvironment, type PoolsOptions } from 'kazahana/lease';
import { type ConformanceSubject, leaseProviderConformance } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import {
  askRedis,
  startRedis,
  startRedisCluster,
  startRedisReplica,
  startSentinels,
} from '../../../tests/services/redis.ts';
import { redis } from '../../../tests/stores/redis.ts';
import { RedisLeaseProvider } from './index.js';
import { cluster, sentinel, single, type TestClient } from './testing/clients.ts';

const [store, members, guarded] = await Promise.all([
  redis.start(),
  startRedisCluster(),
  startRedis().then(async (master) => {
    const replica = await startRedisReplica(master);
    return { servers: [master, replica], sentinels: await startSentinels(master, 1) };
  }),
]);
const clients: TestClient[] = [];
afterAll(async () => {
  for (const { close } of clients) close();
  const services = [...members, ...guarded.servers, ...guarded.sentinels];
  await Promise.all([store.stop(), ...services.map((service) => service.dispose())]);
});

describe('Redis conforms:', () => {
  for (const { name, run } of leaseProviderConformance(store.virtualSubject)) it(name, run);
});

const portsOf = (services: readonly { readonly port: number }[]) => services.map(({ port }) => port);

const isReplica = async ({ port }: { readonly port: number }) =>
  (await askRedis(port, 'INFO replication')).includes('role:slave');

/** Puts a replica of a Cluster in the place of its master, which becomes its replica. */
async function swap(member: { readonly port: number }): Promise<void> {
  for (let tries = 0; await isReplica(member); tries++) {
    // Masters that became masters only now may not be heard yet; asking again too soon would begin anew.
    if (tries % 100 === 0) await askRedis(member.port, 'CLUSTER FAILOVER').catch(() => {});
    await defaultEnvironment.sleep(10);
  }
}

/** Every case gets pools of its own, by their prefix. */
let cases = 0;
const subjectsOf =
  ({ redis: client }: TestClient) =>
  async (options: PoolsOptions): Promise<ConformanceSubject> => {
    const prefix = `conformance-${++cases}`;
    const open = (others: PoolsOptions) =>
      new RedisLeaseProvider(client, { ...others, prefix, onWarning: () => {} });
    return { provider: open(options), reopen: async (others) => open(others) };
  };

const LIBRARIES = ['@redis/client', 'ioredis'] as const;

const PLACES = [
  { place: 'a single server', connect: single, ports: [Number(new URL(store.address).port)], replicas: 0 },
  { place: 'Sentinel', connect: sentinel, ports: portsOf(guarded.sentinels), replicas: 1 },
  { place: 'Cluster', connect: cluster, ports: portsOf(members), replicas: 1 },
] as const;

for (const { place, connect, ports, replicas } of PLACES) {
  for (const library of LIBRARIES) {
    const client = await connect[library](ports);
    clients.push(client);
    // What these cases do most is to wait.
    describe.concurrent(`${place} with ${library} conforms in real time:`, () => {
      const isStore = connect === single && library === '@redis/client';
      const subjects = isStore ? store.subject : subjectsOf(client);
      for (const { name, run } of leaseProviderConformance(subjects)) it(name, run);
    });

    it(`${place} with ${library}: waits for as many replicas as there are, and refuses when more are wanted`, async () => {
      const careful = (wanted: number, timeoutMs: number) =>
        new RedisLeaseProvider(client.redis, {
          prefix: `careful-${library}`,
          waitReplicas: { replicas: wanted, timeoutMs },
          onWarning: () => {},
        });
      if (replicas > 0) expect((await careful(replicas, 10_000).acquire({})).leases).toHaveLength(1);
      const refusal = { code: 'REPLICAS_BEHIND', acknowledged: replicas, wanted: replicas + 1 };
      await expect(careful(replicas + 1, 50).acquire({})).rejects.toMatchObject(refusal);
    });
  }
}

describe('a Cluster whose replicas become masters', () => {
  it('is followed, with both libraries, waiting for replicas or not', async () => {
    const started = await Promise.all(
      LIBRARIES.map(async (library) => {
        const client = await cluster[library](portsOf(members));
        clients.push(client);
        const options = { prefix: `moved-${library}`, onWarning: () => {} };
        const waitReplicas = { replicas: 1, timeoutMs: 10_000 };
        const careless = new RedisLeaseProvider(client.redis, options);
        const careful = new RedisLeaseProvider(client.redis, { ...options, waitReplicas });
        return { careless, careful, before: [await careless.acquire({}), await careful.acquire({})] };
      }),
    );
    // One after the other: each needs the votes of the masters.
    for (const replica of members.slice(members.length / 2)) await swap(replica);
    for (const { careless, careful, before } of started) {
      const responses = [...before, await careful.acquire({}), await careless.acquire({})];
      expect(responses.flatMap(({ leases }) => leases.map(({ id }) => id))).toEqual([0, 1, 2, 3]);
      expect(new Set(responses.map(({ pool }) => pool)).size).toBe(1);
    }
  });
});
