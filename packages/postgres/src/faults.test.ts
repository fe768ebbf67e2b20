// Crashes, lost data, standbys and servers that hang, on servers that are killed, copied, stopped and started again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  defaultEnvironment,
  type Environment,
  type Facts,
  LeaseEngine,
  type LeaseInfo,
  PoolExhaustedError,
  type PoolLoss,
  StoreError,
} from 'kazahana/lease';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectPostgres,
  copyPostgres,
  killPostgres,
  postgresUrl,
  signalPostgres,
  startPostgres,
  startPostgresOn,
} from '../../../tests/services/postgres.ts';
import type { Service } from '../../../tests/services/process.ts';
import { release } from '../../../tests/stores/calls.ts';
import { findOverlaps, type Granted, givenBack, grantedLease } from '../../../tests/stores/ledger.ts';
import { clockTable } from '../../../tests/stores/postgres.ts';
import { PostgresDriver } from './driver.js';
import { PostgresLeaseProvider } from './provider.js';

let original: Service;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  original = await startPostgres();
  ends.push(() => original.dispose());
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

function connect(service: Service, max = 10): pg.Pool {
  const pool = connectPostgres(postgresUrl(service), { max });
  ends.push(() => pool.end());
  return pool;
}

describe('a server that is killed while many acquire', () => {
  const LOOPS = 12;
  const ROUNDS = 20;

  it('has kept all that it acknowledged when it is back, has stranded nothing, and grants nothing twice', async () => {
    const services = { default: { bitId: 10, bitSeq: 12, leaseDuration: 600_000 } };
    const provider = new PostgresLeaseProvider(connect(original, LOOPS), { services, schema: 'killed' });
    await provider.migrate();
    const granted: Granted[] = [];
    const held = new Map<string, LeaseInfo>();
    const codes = new Set<string>();
    let restart: Promise<void> | undefined;
    const crash = () => {
      restart ??= killPostgres(original).then(async () => {
        await original.start();
      });
      return restart;
    };

    /** Calls until the server responds; it is killed once, in the middle of everything. */
    const insist = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          codes.add(error.code);
          await crash();
        }
      }
    };
    const loop = async (number: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        if (round === ROUNDS / 2 && number === 0) void crash();
        const request = { requestId: `${number}.${round}`, throughputPerMs: 2 * 2 ** 12 };
        const { leases } = await insist(() => provider.acquire(request));
        granted.push(...leases.map(grantedLease));
        for (const lease of leases) held.set(lease.secret, lease);
        const [first] = leases;
        if (!first || round % 2 === 0) continue;
        await insist(() => release(provider, first)).catch((error) => {
          // The first try was committed, and its response lost with the connection.
          if (error.code !== 'LEASE_NOT_FOUND') throw error;
        });
        held.delete(first.secret);
        const at = granted.findIndex(({ secret }) => secret === first.secret);
        granted[at] = givenBack(granted[at] as Granted, first.created);
      }
    };
    await Promise.all(Array.from({ length: LOOPS }, (_, number) => loop(number)));

    expect([...codes]).toEqual(['STORE_UNAVAILABLE']);
    expect(granted).toHaveLength(LOOPS * ROUNDS * 2);
    expect(findOverlaps(granted)).toEqual([]);
    const inStore = (await provider.listLeases()).map(({ id, created }) => `${id} from ${created}`);
    const expected = [...held.values()].map(({ id, created }) => `${id} from ${created}`);
    expect(inStore.sort()).toEqual(expected.sort());
  });
});

describe('the data of a server, copied', () => {
  const services = { default: { bitId: 4, bitSeq: 18, leaseDuration: 10_000 } };
  const start = Date.parse('2027-01-01T00:00:00Z');
  const { clock, create, set: setClock } = clockTable('kazahana');
  const open = (pool: pg.Pool) => new LeaseEngine(new PostgresDriver(pool, { clock }), { services });
  const seenIn = ({ pool = '', serial = 0 }) => ({ pool, serial });
  const first = { requestId: 'request 1' };
  let provider: LeaseEngine;
  let backup = '';
  let standbyFolder = '';
  let kept: readonly LeaseInfo[] = [];

  beforeAll(async () => {
    const pool = connect(original);
    await new PostgresDriver(pool).migrate();
    await create(pool);
    await setClock(pool, start);
    provider = open(pool);
    kept = (await provider.acquire(first)).leases;
    await original.stop();
    backup = await copyPostgres(original);
    standbyFolder = await copyPostgres(original);
    await original.start();
  });

  it('and restored: the first client that knows better is heard, nothing that was lost is granted again', async () => {
    const lost = await provider.acquire({ throughputPerMs: 3 * 2 ** 18 });
    expect(lost.leases.map(({ id }) => id)).toEqual([1, 2, 3]);

    const restored = await startPostgresOn(backup);
    ends.push(() => restored.dispose());
    const pool = connect(restored);
    const after = open(pool);
    const refusal = await after.acquire({ seen: seenIn(lost) }).catch((error) => error);
    expect(refusal).toBeInstanceOf(PoolExhaustedError);
    expect(refusal).toMatchObject({ reason: 'in quarantine', retryAfterMs: 30_000 });
    // Clients that know nothing are not served either, until all that clients may still hold has ended.
    await setClock(pool, start + 29_999);
    await expect(after.acquire({})).rejects.toMatchObject({ reason: 'in quarantine', retryAfterMs: 1 });
    await setClock(pool, start + 30_000);
    const all = await after.acquire({ throughputPerMs: 2 ** 31, seen: seenIn(lost) });
    expect(all.leases).toHaveLength(8);
    expect(findOverlaps([...kept, ...lost.leases, ...all.leases].map(grantedLease))).toEqual([]);
    expect(all.serial).toBeGreaterThan(lost.serial ?? 0);
  });

  it('and started as a standby: acquires and releases are refused', async () => {
    writeFileSync(join(standbyFolder, 'standby.signal'), '');
    const standby = await startPostgresOn(standbyFolder);
    ends.push(() => standby.dispose());
    const pool = connect(standby);
    const reader = open(pool);
    const refused = { code: 'STORE_REFUSED', message: expect.stringContaining('read-only') };
    await expect(reader.acquire({})).rejects.toMatchObject(refused);
    // It could repeat a response, but does not know whether that is still the last word.
    await expect(reader.acquire(first)).rejects.toMatchObject(refused);
    await expect(release(reader, kept[0] as LeaseInfo)).rejects.toMatchObject(refused);

    // Promoted, it begins a new timeline. What it had not received is lost, and it does not know how much that is.
    await pool.query('SELECT pg_promote()');
    await setClock(pool, start);
    await expect(reader.acquire({})).rejects.toMatchObject({ reason: 'in quarantine', retryAfterMs: 30_000 });
    // Leases that it knows of go on.
    await release(reader, kept[0] as LeaseInfo);
    await setClock(pool, start + 30_000);
    expect((await reader.acquire({})).leases).toHaveLength(1);
  });
});

describe('two grants', () => {
  it('are committed in the order of their serials, so that none is lost without those after it', async () => {
    const pool = connect(original);
    const [first, second] = ['first', 'second'].map(() => new PostgresDriver(pool, { schema: 'ordered' }));
    const wanted = { slots: [], requests: [], quotas: [] };
    const nothing = { serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };
    const facts = (await first?.read('default', wanted)) as Facts;
    const isWaiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
    const others = second?.read('default', wanted);
    while ((await pool.query(isWaiting)).rowCount === 0);
    await first?.write('default', { poolVersion: null, pool: 'a pool', grants: 3, ...nothing }, facts);
    expect(await others).toMatchObject({ pool: { data: 'a pool' }, serial: 3 });
    await second?.abandon((await others) as Facts);
  });
});

describe('an incarnation', () => {
  const wanted = { slots: [], requests: [], quotas: [] };
  async function incarnationOf(service: Service) {
    const driver = new PostgresDriver(connect(service), { schema: 'lives' });
    const facts = await driver.read('default', wanted);
    await driver.abandon(facts);
    return facts.incarnation;
  }

  it('outlives a crash, after which nothing is missing', async () => {
    const before = await incarnationOf(original);
    expect(before).toMatchObject({ id: expect.stringMatching(/^\d+\.00000001$/), mayLose: true });
    await killPostgres(original);
    await original.start();
    expect(await incarnationOf(original)).toEqual(before);
  });

  it('loses nothing where a standby is waited for', async () => {
    const pool = connect(original);
    const before = await incarnationOf(original);
    await pool.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await pool.query('SELECT pg_reload_conf()');
    const isSet = "SELECT current_setting('synchronous_standby_names') AS value";
    while ((await pool.query(isSet)).rows[0].value === '');
    expect(await incarnationOf(original)).toEqual({ ...before, mayLose: false });
    await pool.query('ALTER SYSTEM RESET synchronous_standby_names');
    await pool.query('SELECT pg_reload_conf()');
    while ((await pool.query(isSet)).rows[0].value !== '');
  });

  it('ends with every restart where fsync is off: the pool is in quarantine', async () => {
    const careless = await startPostgres(['fsync=off']);
    ends.push(() => careless.dispose());
    const losses: PoolLoss[] = [];
    const provider = new PostgresLeaseProvider(connect(careless), { onLoss: (loss) => losses.push(loss) });
    await provider.acquire({});
    await careless.stop();
    await careless.start();
    // The first call finds its connection closed.
    await provider.acquire({}).catch(() => {});
    await expect(provider.acquire({})).rejects.toMatchObject({ reason: 'in quarantine' });
    expect(losses).toMatchObject([{ reason: 'incarnation' }]);
  });
});

describe('a server that hangs', () => {
  it('ends every call within seconds, keeps no connection, and is used again when it goes on', async () => {
    // When nothing else happens, time limits of seconds pass twenty times as fast.
    let speed = 1;
    const environment: Environment = {
      ...defaultEnvironment,
      sleep: (ms, options) => defaultEnvironment.sleep(ms / speed, options),
    };
    const pool = connectPostgres(postgresUrl(original), { connectionTimeoutMillis: 1000 });
    const provider = new PostgresLeaseProvider(pool, { schema: 'hung', environment });
    const { leases } = await provider.acquire({});
    const driver = new PostgresDriver(pool, { schema: 'hung', environment });
    const facts = await driver.read('default', { slots: [], requests: [], quotas: [] });
    signalPostgres(original, 'SIGSTOP');
    speed = 20;
    const silent = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('6 s') };
    const nothing = { grants: 0, serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };
    const changes = { poolVersion: facts.pool?.version ?? null, ...nothing };
    await expect(driver.write('default', changes, facts)).rejects.toMatchObject(silent);
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(release(provider, leases[0] as LeaseInfo)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    await provider.close();
    await pool.end();
    signalPostgres(original, 'SIGCONT');
    const after = new PostgresLeaseProvider(connect(original), { schema: 'hung' });
    expect((await after.acquire({})).leases).toHaveLength(1);
  });
});

describe('a process that hangs with the pool locked', () => {
  it('loses its transaction after a few seconds, and the others go on', async () => {
    const driver = new PostgresDriver(connect(original), { schema: 'locked' });
    const provider = new PostgresLeaseProvider(connect(original), { schema: 'locked' });
    await provider.acquire({});
    const facts = await driver.read('default', { slots: [], requests: [], quotas: [] });
    expect((await provider.acquire({})).leases).toHaveLength(1);
    const nothing = { grants: 1, serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };
    const changes = { poolVersion: facts.pool?.version ?? null, ...nothing };
    await expect(driver.write('default', changes, facts)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    expect((await provider.acquire({})).serial).toBe(facts.serial + 2);
  });
});
