// What happens when the file, the disk or a process fails: a clear error, and never a lease that is not kept.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { AcquireResponse, LeaseInfo } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder } from '../../../tests/services/process.ts';
import { findOverlaps, grantedLease } from '../../../tests/stores/ledger.ts';
import { SqliteLeaseProvider } from './provider.js';

const folder = await dataFolder('sqlite-faults');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);
const services = { default: { bitId: 9, bitSeq: 13, leaseDuration: 600_000 } };
const program = fileURLToPath(new URL('../../../tests/stores/acquire-until-killed.ts', import.meta.url));

describe('a process that is killed in the middle of acquires', () => {
  it('has lost nothing that was acknowledged, and others go on', async () => {
    const path = newPath();
    const acknowledged: LeaseInfo[] = [];
    for (let run = 0; run < 3; run++) {
      const child = spawn(process.execPath, [program, 'sqlite', path, JSON.stringify(services)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
        // Somewhere in the middle: whatever it is doing at that moment.
        if (output.length > 3000 * (run + 1)) child.kill('SIGKILL');
      });
      await new Promise((resolve) => child.on('close', resolve));
      // The last line may be cut off: then the client was not told.
      const lines = output.split('\n').slice(0, -1);
      expect(lines.length).toBeGreaterThan(0);
      acknowledged.push(...lines.map((line) => JSON.parse(line) as LeaseInfo));
    }
    const provider = new SqliteLeaseProvider({ path, services });
    const listed = new Map((await provider.listLeases()).map((lease) => [lease.id, lease]));
    for (const { id, created } of acknowledged) expect(listed.get(id)).toMatchObject({ created });
    acknowledged.push(...(await provider.acquire({})).leases);
    expect(findOverlaps(acknowledged.map(grantedLease))).toEqual([]);
    await provider.close();
  });
});

describe('a backup that was put back', () => {
  it('is noticed as soon as one client calls that knows better', async () => {
    const path = newPath();
    const environment = virtualEnvironment();
    const options = { path, services: { default: { leaseDuration: 60_000 } }, environment };
    const before = new SqliteLeaseProvider(options);
    await before.acquire({});
    await before.close();
    copyFileSync(path, `${path}.backup`);

    const lossy = new SqliteLeaseProvider(options);
    const lost = (await lossy.acquire({})) as Required<AcquireResponse>;
    await lossy.close();
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    copyFileSync(`${path}.backup`, path);

    const restored = new SqliteLeaseProvider(options);
    const seen = { pool: lost.pool, serial: lost.serial };
    await expect(restored.acquire({ seen })).rejects.toMatchObject({
      code: 'POOL_EXHAUSTED',
      reason: 'in quarantine',
    });
    // No other client gets what was lost, until it has ended for certain.
    await expect(restored.acquire({})).rejects.toMatchObject({ reason: 'in quarantine' });
    await environment.advance(120_000 + 10_000);
    const [again] = (await restored.acquire({})).leases;
    expect(again?.created).toBeGreaterThanOrEqual(lost.leases[0]?.fallbackUntil ?? Number.NaN);
    await restored.close();
  });
});

describe('a file that cannot be used', () => {
  const rows: [
    title: string,
    prepare: (path: string) => string | undefined,
    code: string,
    message: string,
  ][] = [
    [
      'is not a database',
      (path) => void writeFileSync(path, 'a diary\n'.repeat(200)),
      'STORE_INCOMPATIBLE',
      'the file is not an SQLite database',
    ],
    [
      'is of a later version',
      (path) => {
        const database = new DatabaseSync(path);
        database.exec('PRAGMA user_version = 1000');
        database.close();
        return undefined;
      },
      'STORE_INCOMPATIBLE',
      'use a newer one',
    ],
    [
      'is of the first version, whose tables are others',
      (path) => {
        const database = new DatabaseSync(path);
        database.exec('CREATE TABLE pools (name TEXT PRIMARY KEY); PRAGMA user_version = 1');
        database.close();
        return undefined;
      },
      'STORE_INCOMPATIBLE',
      'has schema 1, which no release had: when every lease in it has ended, remove it or name another file',
    ],
    [
      'is damaged',
      (path) => {
        const database = new DatabaseSync(path);
        database.exec('CREATE TABLE t (a); PRAGMA user_version = 2');
        database.close();
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0xff, 100, 200));
        return undefined;
      },
      'STORE_INCOMPATIBLE',
      'the file is damaged',
    ],
    ['is a folder', (path) => void mkdirSync(path), 'STORE_UNAVAILABLE', 'cannot be opened'],
    [
      'stands in a folder that does not exist',
      (path) => join(path, 'x.db'),
      'STORE_UNAVAILABLE',
      'cannot be opened',
    ],
  ];
  for (const [title, prepare, code, message] of rows) {
    it(`because it ${title}: ${code}`, async () => {
      const path = newPath();
      const provider = new SqliteLeaseProvider({ path: prepare(path) ?? path });
      const error = await provider.acquire({}).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'StoreError', code, message: expect.stringContaining(message) });
      await provider.close();
    });
  }

  it('because another process has locked it: STORE_BUSY, and when it lets go, all is well', async () => {
    const path = newPath();
    const provider = new SqliteLeaseProvider({ path, busyTimeout: 30 });
    await provider.acquire({});
    const other = new DatabaseSync(path);
    other.exec('BEGIN EXCLUSIVE');
    await expect(provider.acquire({})).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_BUSY' });
    other.exec('ROLLBACK');
    expect((await provider.acquire({})).leases[0]?.id).toBe(1);
    other.close();
    await provider.close();
  });

  // Permissions do not stop root.
  const asUser = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      return await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  };

  it('because it may only be read: STORE_REFUSED', async () => {
    const path = newPath();
    const first = new SqliteLeaseProvider({ path });
    await first.acquire({});
    await first.close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = DELETE');
    database.close();
    chmodSync(folder, 0o755);
    chmodSync(path, 0o444);
    const provider = new SqliteLeaseProvider({ path });
    const refused = expect(asUser(() => provider.acquire({}))).rejects;
    await refused.toMatchObject({ name: 'StoreError', code: 'STORE_REFUSED' });
    await provider.close();
  });

  it('because it may not be made: STORE_REFUSED', async () => {
    chmodSync(folder, 0o755);
    const provider = new SqliteLeaseProvider({ path: newPath() });
    const refused = expect(asUser(() => provider.acquire({}))).rejects;
    await refused.toMatchObject({ code: 'STORE_REFUSED', message: expect.stringContaining('access') });
    await provider.close();
  });

  it('goes on when it can be used again', async () => {
    const path = newPath();
    writeFileSync(path, 'a diary\n'.repeat(200));
    const provider = new SqliteLeaseProvider({ path });
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    rmSync(path);
    expect((await provider.acquire({})).leases.length).toBe(1);
    await provider.close();
  });
});

describe('a disk that is full', () => {
  // A file system of its own, of a few hundred kilobytes, in a name space of its own: as a user, or else as root.
  const mount = 'mount -t tmpfs -o size=600k tmpfs /mnt';
  const isAllowed = (flags: string) => spawnSync('unshare', [flags, 'sh', '-c', mount]).status === 0;
  const flags = ['-rm', '-m'].find(isAllowed);
  if (flags === undefined) {
    console.log('SKIPPED: a full disk under SQLite (this machine allows no mount, see unshare(1))');
  }

  it.runIf(flags !== undefined)('grants nothing, says so, and goes on when there is room again', () => {
    const program = fileURLToPath(new URL('../../../tests/stores/fill-disk.ts', import.meta.url));
    const line = [`${flags}`, 'sh', '-c', `${mount} && exec "$0" "$1" /mnt`, process.execPath, program];
    const output = execFileSync('unshare', line, { encoding: 'utf8' });
    const { acknowledged, error, next, held } = JSON.parse(output) as Record<string, unknown>;
    expect(error).toEqual({ name: 'StoreError', code: 'STORE_FULL' });
    expect(acknowledged).toBeGreaterThan(0);
    // The failed one left no trace: the next gets the slot right after the last that was acknowledged.
    expect({ next, held }).toEqual({ next: acknowledged, held: Number(acknowledged) + 1 });
  });
});

describe('calls that share a commit', () => {
  it('fail one by one: a bad one undoes nothing of the others', async () => {
    const provider = new SqliteLeaseProvider({ path: newPath(), services });
    const outcomes = await Promise.allSettled([
      provider.acquire({}),
      provider.revoke({ id: 200 }),
      provider.acquire({}),
      provider.changeLayout({ bitId: 1, bitSeq: 1 }),
      provider.acquire({}, { signal: AbortSignal.abort(new Error('no longer wanted')) }),
      provider.acquire({}),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect((await provider.listLeases()).map(({ id }) => id)).toEqual([0, 1, 2]);
    await provider.close();
  });
});

describe('a provider that was closed', () => {
  it('finishes earlier calls, and refuses what comes after', async () => {
    const path = newPath();
    const provider = new SqliteLeaseProvider({ path, services });
    const earlier = provider.acquire({});
    await provider.close();
    expect((await earlier).leases.length).toBe(1);
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});

describe('options that are none', () => {
  const rows = [
    { path: '' },
    { path: 5 },
    { path: ':memory:' },
    { path: 'file:x.db?mode=ro' },
    { path: 'x.db', busyTimeout: -1 },
  ];
  for (const options of rows) {
    it(`${JSON.stringify(options)} are refused`, () => {
      expect(() => new SqliteLeaseProvider(options as { path: string })).toThrow('must be');
    });
  }
});
