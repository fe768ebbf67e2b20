// Crashes, lost data and standbys, on servers that are killed, copied and started again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LeaseInfo, PoolExhaustedError, StoreError } from 'kazahana/lease';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectPostgres,
  copyPostgres,
  killPostgres,
  postgresUrl,
  startPostgres,
  startPostgresOn,
} from '../../../tests/services/postgres.ts';
import type { Service } from '../../../tests/services/process.ts';
import { release } from '../../../tests/stores/calls.ts';
import { findOverlaps, type Granted, givenBack, grantedLease } from '../../../tests/stores/ledger.ts';
import { PostgresLeaseProvider } from './provider.js';

let original: Service;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  // What has been written survives the server, if not the machine.
  original = await startPostgres(['fsync=off']);
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

    /** Calls until the server answers; it is killed once, in the middle of everything. */
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
          // The first try was committed, and its answer lost with the connection.
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
  const setClock = (pool: pg.Pool, now: number) =>
    pool.query(`CREATE OR REPLACE FUNCTION kazahana.now_ms() RETURNS bigint LANGUAGE sql AS 'SELECT ${now}'`);
  const seenIn = ({ pool = '', serial = 0 }) => ({ pool, serial });
  const first = { requestId: 'request 1' };
  let provider: PostgresLeaseProvider;
  let backup = '';
  let standbyFolder = '';
  let kept: readonly LeaseInfo[] = [];

  beforeAll(async () => {
    provider = new PostgresLeaseProvider(connect(original), { services });
    await provider.migrate();
    await setClock(connect(original), start);
    kept = (await provider.acquire(first)).leases;
    await original.stop();
    backup = await copyPostgres(original);
    standbyFolder = await copyPostgres(original);
    await original.start();
  });

  it('and restored: the first client that knows better is heard, nothing that was lost is granted again', async () => {
    const lost = await provider.acquire({ throughputPerMs: 3 * 2 ** 18 });
    expect(lost.leases.map(({ id }) => id)).toEqual([1, 2, 3]);

    const restored = await startPostgresOn(backup, ['fsync=off']);
    ends.push(() => restored.dispose());
    const pool = connect(restored);
    const after = new PostgresLeaseProvider(pool, { services });
    const refusal = await after.acquire({ seen: seenIn(lost) }).catch((error) => error);
    expect(refusal).toBeInstanceOf(PoolExhaustedError);
    expect(refusal).toMatchObject({ reason: 'in quarantine', retryAfterMs: 30_000 });
    // Those who know nothing are not served either, until all that could be out has ended.
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
    const reader = new PostgresLeaseProvider(connect(standby), { services });
    const refused = { code: 'STORE_REFUSED', message: expect.stringContaining('read-only') };
    await expect(reader.acquire({})).rejects.toMatchObject(refused);
    // It could repeat an answer, but does not know whether that is still the last word.
    await expect(reader.acquire(first)).rejects.toMatchObject(refused);
    await expect(release(reader, kept[0] as LeaseInfo)).rejects.toMatchObject(refused);
  });
});

describe('a replica that lagged behind', () => {
  function gate() {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  }

  /** A pool whose acquires are acknowledged and lost: they have run, and wait for their commit until told. */
  function losing(pool: pg.Pool) {
    const hasRun = gate();
    const mayEnd = gate();
    const connectLosing = async () => {
      const client = await pool.connect();
      return {
        async query(text: string) {
          if (!text.includes('.acquire(')) return client.query(text);
          const results = await client.query(text.replace(/COMMIT$/, ''));
          hasRun.open();
          await mayEnd.opened;
          await client.query('ROLLBACK');
          return [results, { command: 'COMMIT', rows: [] }].flat();
        },
        release: client.release.bind(client),
        on: client.on.bind(client),
        removeListener: client.removeListener.bind(client),
      };
    };
    return { pool: { connect: connectLosing }, hasRun: hasRun.opened, end: mayEnd.open };
  }

  it('and lost a grant, but not the next one, which was committed first, is noticed', async () => {
    const pool = connect(original);
    const provider = new PostgresLeaseProvider(pool, { schema: 'lagging' });
    await provider.acquire({});
    const replication = losing(pool);
    const losingAcquire = new PostgresLeaseProvider(replication.pool, { schema: 'lagging' }).acquire({});
    await replication.hasRun;
    const kept = await provider.acquire({});
    replication.end();
    const lost = await losingAcquire;
    expect(lost.serial).toBe((kept.serial ?? 0) - 1);
    const seenIn = ({ pool: id = '', serial = 0 }) => ({ pool: id, serial });
    await provider.acquire({ seen: seenIn(kept) });
    const refused = { reason: 'in quarantine' };
    await expect(provider.acquire({ seen: seenIn(lost) })).rejects.toMatchObject(refused);
  });
});
