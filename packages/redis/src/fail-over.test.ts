// What a fail-over or a restart can lose, and what keeps that from doing harm: replicas lag, and the one that takes over
// knows only what it got; a server that is started again knows only what was on its disk.
import { KazahanaClient } from 'kazahana';
import { defaultEnvironment, type PoolLoss } from 'kazahana/lease';
import { afterAll, describe, expect, it } from 'vitest';
import type { Service } from '../../../tests/services/process.ts';
import { askRedis, startRedis, startRedisReplica, startSentinels } from '../../../tests/services/redis.ts';
import { findOverlaps, grantedLease } from '../../../tests/stores/ledger.ts';
import { RedisLeaseProvider, type RedisLeaseProviderOptions, ReplicasBehindError } from './index.js';
import { sentinel, single, type TestClient } from './testing/clients.ts';
import { driverOn } from './testing/server.ts';

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

async function startPair(settings?: readonly string[]): Promise<{ master: Service; replica: Service }> {
  const master = owned(await startRedis(settings));
  return { master, replica: owned(await startRedisReplica(master)) };
}

/** Redis tells its age in whole seconds: from the second one on, it can be told from one that was just started. */
async function isGrownUp({ port }: Service): Promise<void> {
  while (/uptime_in_seconds:[01]\r/.test(await askRedis(port, 'INFO server')))
    await defaultEnvironment.sleep(50);
}

const idsOf = (leases: readonly { readonly id: number }[]) => leases.map(({ id }) => id);
const IN_QUARANTINE = { code: 'POOL_EXHAUSTED', reason: 'in quarantine' };

describe.concurrent('a fail-over to a replica that lags', () => {
  /** Two leases are granted; the replica, which takes over, has got only the first. */
  async function failOver(options: RedisLeaseProviderOptions = {}) {
    const { master, replica } = await startPair();
    const client = await connect(master.port);
    const kept = await provideOn(client, PATIENT).acquire({});
    // The link to the master is cut: the replica looks for it where no server is.
    await askRedis(replica.port, 'REPLICAOF 127.0.0.1 1');
    const lost = await provideOn(client).acquire({});
    await master.kill();
    await askRedis(replica.port, 'REPLICAOF NO ONE');
    return { kept, lost, after: provideOn(await connect(replica.port), options) };
  }

  it('loses what the replica did not get, and grants nothing to newcomers before that has ended', async () => {
    const losses: PoolLoss[] = [];
    const { kept, lost, after } = await failOver({ onLoss: (loss) => void losses.push(loss) });
    await expect(after.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(idsOf(await after.listLeases())).toEqual(idsOf(kept.leases));
    const { quarantinedUntil } = await after.inspectPool();
    expect(losses).toEqual([{ pool: 'default', reason: 'incarnation', quarantinedUntil }]);
    for (const { fallbackUntil = 0 } of lost.leases) expect(quarantinedUntil).toBeGreaterThan(fallbackUntil);
    // It is said once, and a quarantine that has begun is not prolonged.
    await expect(after.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toHaveLength(1);
    expect((await after.inspectPool()).quarantinedUntil).toBe(quarantinedUntil);
  });

  it('grants again to a stranger what was lost, where fail-overs are trusted', async () => {
    const { lost, after } = await failOver({ afterFailOver: 'trust' });
    const again = await after.acquire({});
    expect(idsOf(again.leases)).toEqual(idsOf(lost.leases));
    expect(findOverlaps([...lost.leases, ...again.leases].map(grantedLease))).toHaveLength(1);
  });

  it('is noticed even then when a client calls that knows better', async () => {
    const { lost, after } = await failOver({ afterFailOver: 'trust' });
    const { pool = '', serial = 0, leases } = lost;
    const error = await after.acquire({ seen: { pool, serial } }).catch((reason: unknown) => reason);
    expect(error).toMatchObject(IN_QUARANTINE);
    const { now, quarantinedUntil, serial: last } = await after.inspectPool();
    const end = Math.max(...leases.map(({ fallbackUntil = 0 }) => fallbackUntil));
    expect(quarantinedUntil).toBeGreaterThanOrEqual(end);
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThanOrEqual(quarantinedUntil - now);
    // Strangers are told the same, and serials go on above those that were seen.
    await expect(after.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(last).toBeGreaterThanOrEqual(serial);
  });

  it('keeps nothing that was decided on the master before it', async () => {
    const { master, replica } = await startPair();
    const [before, after] = [await connect(master.port), await connect(replica.port)];
    await provideOn(before, PATIENT).acquire({});
    const facts = await driverOn(before.redis).read('default', { slots: [], requests: [], quotas: [] });
    await askRedis(replica.port, 'REPLICAOF NO ONE');
    const changes = { grants: 1, serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };
    const write = (redis: TestClient) => {
      const poolVersion = facts.pool?.version ?? null;
      return driverOn(redis.redis).write('default', { ...changes, poolVersion }, facts);
    };
    // What the decision rests on is there, as it was.
    expect(await write(after)).toBe('changed');
    expect(await write(before)).toEqual({ serial: 2 });
  });

  it('is not made by asking a replica: it is refused like a write', async () => {
    const { master, replica } = await startPair();
    await provideOn(await connect(master.port), PATIENT).acquire({});
    await expect(provideOn(await connect(replica.port)).inspectPool()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('READONLY'),
    });
  });
});

describe.concurrent('waitReplicas', () => {
  it('loses nothing in a fail-over, and stops no client', async () => {
    const { master, replica } = await startPair();
    await isGrownUp(replica);
    const { leases } = await provideOn(await connect(master.port), PATIENT).acquire({ requestId: 'first' });
    await master.kill();
    await askRedis(replica.port, 'REPLICAOF NO ONE');
    owned(await startRedisReplica(replica));
    const client = await connect(replica.port);
    expect(idsOf((await provideOn(client, PATIENT).acquire({})).leases)).toEqual([1]);
    expect((await provideOn(client, PATIENT).acquire({ requestId: 'first' })).leases).toEqual(leases);
  });

  it('does not respond with what the replica does not get; the same request gets it when it has', async () => {
    const { master, replica } = await startPair();
    const client = await connect(master.port);
    expect(idsOf((await provideOn(client, PATIENT).acquire({})).leases)).toEqual([0]);
    replica.signal('SIGSTOP');
    const careful = provideOn(client, { waitReplicas: { replicas: 1, timeoutMs: 200 } });
    const request = { throughputPerMs: 2 * 2 ** 19, requestId: 'second' };
    for (let attempt = 0; attempt < 2; attempt++) {
      const error = await careful.acquire(request).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ReplicasBehindError);
      expect(error).toMatchObject({ code: 'REPLICAS_BEHIND', acknowledged: 0, wanted: 1, timeoutMs: 200 });
    }
    // Nothing is taken back.
    const careless = provideOn(client);
    expect(idsOf(await careless.listLeases())).toEqual([0, 1, 2]);
    replica.signal('SIGCONT');
    const { leases } = await provideOn(client, PATIENT).acquire(request);
    expect(idsOf(leases)).toEqual([1, 2]);
    expect((await careless.inspectPool()).serial).toBe(2);
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

  it('leaves alone what was given to another provider in the meantime', async () => {
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

describe.concurrent('a server that is started again', () => {
  const AOF = ['--save', '', '--appendonly', 'yes', '--appendfsync'] as const;

  /** The first lease of a new client after the server was killed, or ended in order, and started again. */
  async function leaseAfterRestart(settings: readonly string[], end: 'kill' | 'stop' = 'kill') {
    const server = owned(await startRedis(settings));
    await provideOn(await connect(server.port)).acquire({});
    await server[end]();
    await server.start();
    return provideOn(await connect(server.port)).acquire({});
  }

  it('goes on where each write is on disk before it is acknowledged', async () => {
    expect(idsOf((await leaseAfterRestart([...AOF, 'always'])).leases)).toEqual([1]);
  });

  it('grants nothing to newcomers where the last second may be lost', async () => {
    await expect(leaseAfterRestart([...AOF, 'everysec'], 'stop')).rejects.toMatchObject(IN_QUARANTINE);
  });

  it('grants nothing to newcomers where it keeps snapshots', async () => {
    await expect(leaseAfterRestart(['--save', '3600 1'], 'stop')).rejects.toMatchObject(IN_QUARANTINE);
  });

  it('grants nothing to newcomers where it does not tell what it keeps', async () => {
    const settings = [...AOF, 'always', '--rename-command', 'CONFIG', ''];
    await expect(leaseAfterRestart(settings)).rejects.toMatchObject(IN_QUARANTINE);
  });

  it('is not taken for a replica that has taken over, though a snapshot says where it came from', async () => {
    const { master, replica } = await startPair(['--save', '3600 1']);
    await isGrownUp(master);
    const before = provideOn(await connect(master.port), PATIENT);
    await before.acquire({});
    await master.stop();
    await master.start();
    expect(await askRedis(master.port, 'INFO replication')).not.toContain(`master_replid2:${'0'.repeat(40)}`);
    await expect(before.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(await askRedis(replica.port, 'INFO replication')).toContain('master_link_status:up');
  });
});

describe.concurrent('clients through a fail-over by Sentinel', () => {
  it('go on, with IDs that are different and in order', async () => {
    const master = owned(await startRedis());
    const replicas = await Promise.all([startRedisReplica(master), startRedisReplica(master)]);
    const sentinels = await startSentinels(master, replicas.length);
    for (const service of [...replicas, ...sentinels]) owned(service);
    await Promise.all(replicas.map(isGrownUp));
    const ports = sentinels.map(({ port }) => port);
    const losses: PoolLoss[] = [];
    const options: RedisLeaseProviderOptions = {
      services: { default: { leaseDuration: 600, fallbackGrace: 6000 } },
      waitReplicas: { replicas: 1, timeoutMs: 1000 },
      onWarning: () => {},
      onLoss: (loss) => void losses.push(loss),
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
        // A pool beside it whose grants do not wait for replicas.
        const careless = new RedisLeaseProvider(connection.redis, {
          prefix: 'careless',
          onWarning: () => {},
        });
        await careless.acquire({});
        return { library, disableFallback, client, careless };
      }),
    );
    const killedAt = defaultEnvironment.now() + 200;

    const runs = started.map(async ({ client, careless, ...setting }) => {
      const ids: bigint[] = [];
      let [longest, last, renewedAfter, renewals] = [0, defaultEnvironment.now(), 0, 0];
      client.on('lease', () => {
        // What was requested before the kill may still come.
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
      await expect(careless.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
      return { ...setting, ids, longest, renewedAfter, fencedIds };
    });
    await defaultEnvironment.sleep(200);
    await master.kill();
    const results = await Promise.all(runs);
    expect(losses).toEqual([]);

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
