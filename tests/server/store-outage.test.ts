// A store that goes away under a running server: refusals and "not ready" while it is away, one line of the log for each
// turn of events, and all as before when it is back.
import { createClient } from '@redis/client';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdUrl, startEtcd } from '../services/etcd.ts';
import { killPostgres, postgresUrl, signalPostgres, startPostgres } from '../services/postgres.ts';
import type { Service } from '../services/process.ts';
import { startRedis, startRedisCluster } from '../services/redis.ts';
import { untilCallsFail } from './metric-lines.ts';
import { killServers, ServerProcess } from './process.ts';
import { isThere } from './programs.ts';

afterAll(killServers);

interface Outage {
  readonly start: () => Promise<Service>;
  readonly url: (service: Service) => string;
  readonly kill: (service: Service) => Promise<void>;
}

const kill = (service: Service) => service.kill();
const OUTAGES: Readonly<Record<string, Outage>> = {
  redis: {
    start: () => startRedis(['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']),
    url: ({ port }) => `redis://127.0.0.1:${port}`,
    kill,
  },
  postgres: {
    // With fsync: a PostgreSQL without it may have lost leases when it comes back.
    start: () => startPostgres(),
    url: (service) => postgresUrl(service),
    kill: killPostgres,
  },
  etcd: { start: () => startEtcd(), url: ({ port }) => etcdUrl({ port }).replace('http', 'etcd'), kill },
};

const AWAY = 'the store cannot be used; trying again until it can';
const BACK = 'the store can be used again';

describe.concurrent('a store that hangs', () => {
  it.skipIf(!isThere('postgres'))(
    'does not keep a server from ending on SIGTERM, within its drain time',
    async () => {
      const service = await startPostgres();
      const settings = { KAZAHANA_STORE: postgresUrl(service), KAZAHANA_CREATE_POOLS: 'auto' };
      const server = ServerProcess.serve(['--port', '0'], settings);
      const url = await server.url();
      const headers = { 'content-type': 'application/json' };
      const mint = () => fetch(`${url}/ids`, { method: 'POST', headers, body: '{"count":1}' });
      expect((await mint()).status).toBe(200);
      signalPostgres(service, 'SIGSTOP');
      try {
        const began = performance.now();
        server.signal('SIGTERM');
        expect(await server.exited).toEqual({ code: 0, signal: null });
        expect(performance.now() - began).toBeLessThan(12_000);
        expect(server.lines.at(-1)?.msg).toBe('stopped');
      } finally {
        signalPostgres(service, 'SIGCONT');
      }
      await service.dispose();
    },
  );
});

describe.concurrent('a store that can be read and not written', () => {
  it.skipIf(!isThere('redis'))(
    'is not ready, and says so once; it is ready again when it can be written',
    async () => {
      const service = await startRedis(['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']);
      const settings = { KAZAHANA_STORE: `redis://127.0.0.1:${service.port}`, KAZAHANA_CREATE_POOLS: 'auto' };
      const server = ServerProcess.serve(['--port', '0'], settings);
      const url = await server.url();
      const ready = async () => (await fetch(`${url}/readyz`)).status;
      const headers = { 'content-type': 'application/json' };
      const acquire = async () =>
        (await fetch(`${url}/lease`, { method: 'POST', headers, body: '{}' })).json() as Promise<{
          code?: string;
        }>;
      expect((await acquire()).code).toBe(undefined);
      expect(await ready()).toBe(200);
      const redis = createClient({ url: settings.KAZAHANA_STORE });
      await redis.connect();
      // No replica is there, so every write is refused: NOREPLICAS.
      await redis.configSet('min-replicas-to-write', '1');
      const { reason } = await server.line(AWAY);
      expect(reason).toContain('NOREPLICAS');
      expect([await ready(), (await acquire()).code]).toEqual([503, 'STORE_UNAVAILABLE']);
      await redis.configSet('min-replicas-to-write', '0');
      await server.line(BACK);
      expect(await ready()).toBe(200);
      expect(server.lines.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toEqual([AWAY]);
      await redis.close();
      await server.kill();
      await service.dispose();
    },
  );
});

describe.concurrent('a store that goes away', () => {
  it.each(Object.keys(OUTAGES).filter(isThere))('(%s) and comes back is followed', async (name) => {
    const { start, url: storeUrl, kill } = OUTAGES[name] as Outage;
    const service = await start();
    const server = ServerProcess.serve(['--port', '0'], { KAZAHANA_STORE: storeUrl(service) });
    const url = await server.url();
    const status = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
    const headers = { 'content-type': 'application/json' };
    const acquire = () => status('/lease', { method: 'POST', headers, body: '{}' });

    // A store that a fleet shares may have lost the pool: an operator says that it was never there.
    const { reason } = await server.line(AWAY);
    expect(reason).toContain('kazahana pool create --pool default');
    expect([await status('/readyz'), await acquire()]).toEqual([503, 503]);
    expect(await status('/pool/create', { method: 'POST', headers, body: '{}' })).toBe(200);
    await server.line(BACK);
    expect(await acquire()).toBe(200);

    await kill(service);
    await server.line(AWAY, 2);
    expect([await status('/livez'), await status('/readyz'), await acquire()]).toEqual([200, 503, 503]);
    await untilCallsFail(url, 3);

    await service.start();
    await server.line(BACK, 2);
    expect([await status('/readyz'), await acquire()]).toEqual([200, 200]);
    const { leases } = (await (await fetch(`${url}/pool`)).json()) as { leases: { id: number }[] };
    expect(leases.map(({ id }) => id)).toEqual([0, 1]);

    server.signal('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    const said = server.lines.map(({ msg }) => msg).filter((msg) => msg === AWAY || msg === BACK);
    expect(said).toEqual([AWAY, BACK, AWAY, BACK]);
    expect(server.lines.length).toBeLessThan(14);
    await service.dispose();
  });
});

describe.concurrent('a store that is away when the server starts', () => {
  it.skipIf(!isThere('redis'))('(a Redis Cluster) is used when it comes', async () => {
    const nodes = await startRedisCluster(['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']);
    for (const node of nodes) await node.kill();
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const settings = { KAZAHANA_STORE: `redis+cluster://${hosts}`, KAZAHANA_CREATE_POOLS: 'auto' };
    const server = ServerProcess.serve(['--port', '0'], settings);
    const url = await server.url();
    await server.line(AWAY);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    for (const node of nodes) await node.start();
    await server.line(BACK);
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/lease`, { method: 'POST', headers, body: '{}' })).status).toBe(200);
    server.signal('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await Promise.all(nodes.map((node) => node.dispose()));
  });
});
