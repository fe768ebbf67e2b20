// What a fail-over can lose, and what keeps that from doing harm: replicas lag, and the one that takes over knows only
// what it got.
import { KazahanaClient } from 'kazahana';
import { defaultEnvironment } from 'kazahana/lease';
import { afterAll, describe, expect, it } from 'vitest';
import type { Service } from '../../../tests/services/process.ts';
import { askRedis, startRedis, startRedisReplica, startSentinels } from '../../../tests/services/redis.ts';
import { findOverlaps, grantedLease } from '../../../tests/stores/ledger.ts';
import { RedisLeaseProvider, type RedisLeaseProviderOptions, ReplicasBehindError } from './index.js';
import { sentinel, single, type TestClient } from './testing/clients.ts';

const services = { default: { bitId: 3, bitSeq: 19, leaseDuration: 60_000 } };
const open: { readonly close: () => unknown }[] = [];
afterAll(async () => {
  await Promise.all(open.map(({ close }) => close()));
});

const owned = (service: Service): Service => {
  open.push({ close: () => service.dispose() });
  return service;
};

async function connect(port: number): Promise<TestClient> {
  const client = await single['@redis/client']([port]);
  open.push(client);
  return client;
}

const provideOn = ({ redis }: TestClient, options: RedisLeaseProviderOptions = {}) =>
  new RedisLeaseProvider(redis, { services, onWarning: () => {}, ...options });

/** Waits for the replica as long as it takes. */
const PATIENT = { waitReplicas: { replicas: 1, timeoutMs: 10_000 } };

async function startPair(): Promise<{ master: Service; replica: Service }> {
  const master = owned(await startRedis());
  return { master, replica: owned(await startRedisReplica(master)) };
}

const idsOf = (leases: readonly { readonly id: number }[]) => leases.map(({ id }) => id);

describe.concurrent('a fail-over to a replica that lags', () => {
  /** Two leases are granted; the replica, which takes over, has got only the first. */
  async function failOver() {
    const { master, replica } = await startPair();
    const client = await connect(master.port);
    const kept = await provideOn(client, PATIENT).acquire({});
    // The link to the master is cut: the replica looks for it where nobody is.
    await askRedis(replica.port, 'REPLICAOF 127.0.0.1 1');
    const lost = await provideOn(client).acquire({});
    await master.kill();
    await askRedis(replica.port, 'REPLICAOF NO ONE');
    return { kept, lost, after: provideOn(await connect(replica.port)) };
  }

  it('loses what the replica did not get: to a stranger it is granted again', async () => {
    const { kept, lost, after } = await failOver();
    expect(idsOf(await after.listLeases())).toEqual(idsOf(kept.leases));
    const again = await after.acquire({});
    expect(idsOf(again.leases)).toEqual(idsOf(lost.leases));
    expect(findOverlaps([...lost.leases, ...again.leases].map(grantedLease))).toHaveLength(1);
  });

  it('is noticed when a client calls that knows better: nothing that was lost is granted before it has ended', async () => {
    const { lost, after } = await failOver();
    const { pool = '', serial = 0, leases } = lost;
    const error = await after.acquire({ seen: { pool, serial } }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'POOL_EXHAUSTED', reason: 'in quarantine' });
    const { now, quarantinedUntil, serial: last } = await after.inspectPool();
    const end = Math.max(...leases.map(({ fallbackUntil = 0 }) => fallbackUntil));
    expect(quarantinedUntil).toBeGreaterThanOrEqual(end);
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThanOrEqual(quarantinedUntil - now);
    // Strangers are told the same, and serials go on above those that were seen.
    await expect(after.acquire({})).rejects.toMatchObject({ reason: 'in quarantine' });
    expect(last).toBeGreaterThanOrEqual(serial);
  });
});

describe.concurrent('waitReplicas', () => {
  it('refuses what the replica does not get, and takes it back', async () => {
    const { master, replica } = await startPair();
    const client = await connect(master.port);
    expect(idsOf((await provideOn(client, PATIENT).acquire({})).leases)).toEqual([0]);
    replica.signal('SIGSTOP');
    const careful = provideOn(client, { waitReplicas: { replicas: 1, timeoutMs: 200 } });
    const request = { throughputPerMs: 2 * 2 ** 19, requestId: 'second' };
    const error = await careful.acquire(request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ReplicasBehindError);
    expect(error).toMatchObject({ code: 'REPLICAS_BEHIND', acknowledged: 0, wanted: 1, timeoutMs: 200 });
    // The first was acknowledged; what was taken back is as free as it was, and the request is a new one.
    const careless = provideOn(client);
    expect(idsOf(await careless.listLeases())).toEqual([0]);
    expect(idsOf((await careless.acquire({ throughputPerMs: 3 * 2 ** 19 })).leases)).toEqual([3, 1, 2]);
    replica.signal('SIGCONT');
    await expect(careful.acquire(request)).rejects.toMatchObject({ code: 'POOL_EXHAUSTED' });
  });

  it('refuses a change of layout or a quarantine that might be forgotten', async () => {
    const { master, replica } = await startPair();
    const client = await connect(master.port);
    await provideOn(client, PATIENT).quarantine();
    replica.signal('SIGSTOP');
    const careful = provideOn(client, { waitReplicas: { replicas: 1, timeoutMs: 100 } });
    await expect(careful.quarantine()).rejects.toBeInstanceOf(ReplicasBehindError);
    await expect(careful.changeLayout({ bitId: 4, bitSeq: 18 })).rejects.toBeInstanceOf(ReplicasBehindError);
    replica.signal('SIGCONT');
  });

  it('leaves alone what was given to somebody else in the meantime', async () => {
    const { master, replica } = await startPair();
    replica.signal('SIGSTOP');
    const careful = provideOn(await connect(master.port), { waitReplicas: { replicas: 1, timeoutMs: 400 } });
    const other = provideOn(await connect(master.port));
    await other.inspectPool();
    const refused = careful.acquire({ requestId: 'shared' }).catch((reason: unknown) => reason);
    while ((await other.listLeases()).length === 0) await defaultEnvironment.sleep(5);
    const { leases } = await other.acquire({ requestId: 'shared' });
    expect(await refused).toBeInstanceOf(ReplicasBehindError);
    expect(idsOf(await other.listLeases())).toEqual(idsOf(leases));
    const rest = await other.acquire({ throughputPerMs: 2 ** 31 });
    expect(idsOf(rest.leases)).toEqual([1, 2, 3]);
    replica.signal('SIGCONT');
  });
});

describe.concurrent('clients through a fail-over by Sentinel', () => {
  it('go on, with IDs that are different and in order', async () => {
    const master = owned(await startRedis());
    const replicas = await Promise.all([startRedisReplica(master), startRedisReplica(master)]);
    const sentinels = await startSentinels(master, replicas.length);
    for (const service of [...replicas, ...sentinels]) owned(service);
    const ports = sentinels.map(({ port }) => port);
    const options: RedisLeaseProviderOptions = {
      services: { default: { leaseDuration: 600, fallbackGrace: 6000 } },
      waitReplicas: { replicas: 1, timeoutMs: 1000 },
      onWarning: () => {},
    };
    const config = {
      disableRandomFallback: true,
      acquireTimeout: 1000,
      acquireRetryInterval: 20,
      acquireRetryMaxInterval: 50,
    };
    const settings = [
      { library: '@redis/client', disableFallback: false },
      { library: '@redis/client', disableFallback: true },
      { library: 'ioredis', disableFallback: false },
      { library: 'ioredis', disableFallback: true },
    ] as const;
    const started = await Promise.all(
      settings.map(async ({ library, disableFallback }) => {
        const connection = await sentinel[library](ports);
        open.push(connection);
        const provider = new RedisLeaseProvider(connection.redis, options);
        const client = new KazahanaClient({ ...config, provider, disableFallback });
        await client.ready();
        return { library, disableFallback, client };
      }),
    );
    const killedAt = defaultEnvironment.now() + 200;

    const runs = started.map(async ({ client, ...setting }) => {
      const ids: bigint[] = [];
      let [longest, last, renewedAfter, renewals] = [0, defaultEnvironment.now(), 0, 0];
      client.on('lease', () => {
        // What was asked for before the kill may still come.
        if (defaultEnvironment.now() < killedAt + 100) return;
        if (++renewals === 1) renewedAfter = defaultEnvironment.now() - killedAt;
      });
      while (renewals < 2) {
        const made = await client.nextIds(20).catch(() => []);
        const now = defaultEnvironment.now();
        if (made.length > 0) [longest, last] = [Math.max(longest, now - last), now];
        ids.push(...made);
        await defaultEnvironment.sleep(5);
      }
      const { fencedIds } = client.stats();
      await client.shutdown();
      return { ...setting, ids, longest, renewedAfter, fencedIds };
    });
    await defaultEnvironment.sleep(200);
    await master.kill();
    const results = await Promise.all(runs);

    for (const { ids } of results) {
      expect(ids.length).toBeGreaterThan(100);
      ids.forEach((id, at) => {
        if (at > 0 && id <= (ids[at - 1] ?? 0n)) expect.fail(`ID ${at} is not above the one before it`);
      });
    }
    const all = results.flatMap(({ ids }) => ids);
    expect(new Set(all).size).toBe(all.length);
    for (const { library, disableFallback, ids, longest, renewedAfter, fencedIds } of results) {
      console.log(
        `fail-over, ${library}, fallback ${disableFallback ? 'off' : 'on'}: ${ids.length} IDs (${fencedIds} fenced), ` +
          `longest pause ${longest} ms, first new lease after ${renewedAfter} ms`,
      );
    }
  });
});
