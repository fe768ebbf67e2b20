// The file itself: who may read it, whether it survives a loss of power, and what happens when it is removed or
// replaced under a running process (rule R7).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { PoolLoss } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder } from '../../../tests/services/process.ts';
import { Connection } from './connection.js';
import { SqliteDriver } from './driver.js';
import { SqliteLeaseProvider } from './provider.js';

const root = await dataFolder('sqlite-file');
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
function newPath(): string {
  const folder = join(root, `${++folders}`);
  mkdirSync(folder);
  return join(folder, 'leases.db');
}

const remove = (path: string, ...ends: string[]) => {
  for (const end of ends) rmSync(path + end, { force: true });
};

/** What a driver reads of a pool. */
async function look(driver: SqliteDriver) {
  const facts = await driver.read('pool', { slots: [], requests: [], quotas: [] });
  await driver.abandon(facts);
  return { data: facts.pool?.data, id: facts.incarnation?.id };
}

async function put(driver: SqliteDriver, data: string, meanwhile = () => {}): Promise<void> {
  const facts = await driver.read('pool', { slots: [], requests: [], quotas: [] });
  meanwhile();
  const rest = { grants: 1, serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };
  const poolVersion = facts.pool?.version ?? null;
  expect(await driver.write('pool', { ...rest, poolVersion, pool: data }, facts)).not.toBe('changed');
}

/** A file in which a pool has this record, and nothing in the write-ahead log. */
async function makeFile(path: string, data: string): Promise<void> {
  const driver = new SqliteDriver({ path });
  await put(driver, data);
  await driver.close();
}

/** Another process that has the file open and does nothing. */
async function idleProcess(path: string) {
  const program = `
    const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
    database.prepare('SELECT * FROM pools').all();
    console.log('up');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'close');
    },
  };
}

describe('a connection', () => {
  it('keeps what it commits through a loss of power', () => {
    const { database } = new Connection(newPath());
    const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
    // 2 is FULL: a commit returns when the disk has it.
    expect([pragma('synchronous'), pragma('journal_mode'), pragma('fullfsync')]).toEqual([2, 'wal', 1]);
    database.close();
  });

  it.each([0o000, 0o022, 0o777])(
    'makes files that only their owner may read, under umask %o',
    async (mask) => {
      const path = newPath();
      const driver = new SqliteDriver({ path });
      const before = process.umask(mask);
      try {
        await put(driver, 'a secret');
      } finally {
        process.umask(before);
      }
      const modes = ['', '-wal', '-shm'].map((end) => (statSync(path + end).mode & 0o777).toString(8));
      expect(modes).toEqual(['600', '600', '600']);
      await driver.close();
    },
  );

  it('follows a link, and leaves the mode of a file that exists', async () => {
    const path = newPath();
    writeFileSync(path, '', { mode: 0o640 });
    symlinkSync(path, `${path}.link`);
    await makeFile(`${path}.link`, 'record');
    expect([statSync(path).size > 0, (statSync(path).mode & 0o777).toString(8)]).toEqual([true, '640']);
  });
});

describe('an incarnation', () => {
  it('is that of the file: the same for all and after a restart, another for a copy', async () => {
    const path = newPath();
    await makeFile(path, 'record');
    const drivers = [new SqliteDriver({ path }), new SqliteDriver({ path })];
    const ids = await Promise.all(drivers.map(async (driver) => (await look(driver)).id));
    for (const driver of drivers) await driver.close();
    const later = new SqliteDriver({ path });
    ids.push((await look(later)).id);
    await later.close();
    expect(new Set(ids).size).toBe(1);
    copyFileSync(path, `${path}.copy`);
    const copy = new SqliteDriver({ path: `${path}.copy` });
    expect((await look(copy)).id).not.toBe(ids[0]);
    await copy.close();
  });
});

describe('a file that is removed under a running process', () => {
  const rows: [what: string, ends: string[]][] = [
    ['alone', ['']],
    ['with its companions', ['', '-wal', '-shm']],
    ['with its log only', ['', '-wal']],
  ];
  for (const [what, ends] of rows) {
    it(`${what}: the process begins a new one, while another still has the old one`, async () => {
      const path = newPath();
      const driver = new SqliteDriver({ path });
      await put(driver, 'old');
      const { id } = await look(driver);
      await using _ = await idleProcess(path);
      remove(path, ...ends);
      const fresh = await look(driver);
      expect(fresh.data).toBeUndefined();
      expect(fresh.id).not.toBe(id);
      await put(driver, 'new');
      expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
      const other = new SqliteDriver({ path });
      expect(await look(other)).toEqual({ data: 'new', id: fresh.id });
      await other.close();
      await driver.close();
    });
  }

  it('a process that starts then begins a new one, too', async () => {
    const path = newPath();
    const old = new SqliteDriver({ path });
    await put(old, 'old');
    await using _ = await idleProcess(path);
    remove(path, '');
    const driver = new SqliteDriver({ path });
    expect((await look(driver)).data).toBeUndefined();
    await put(driver, 'new');
    expect((await look(old)).data).toBe('new');
    await put(old, 'newer');
    expect((await look(driver)).data).toBe('newer');
    await old.close();
    await driver.close();
  });

  it('only its companions: the process goes on with what others find there, not with what its log had', async () => {
    const path = newPath();
    const driver = new SqliteDriver({ path });
    await put(driver, 'old');
    // While another process has the file, SQLite does not put the log into it.
    await using _ = await idleProcess(path);
    remove(path, '-wal', '-shm');
    expect((await look(driver)).data).toBeUndefined();
    await put(driver, 'new');
    const other = new SqliteDriver({ path });
    expect((await look(other)).data).toBe('new');
    await other.close();
    await driver.close();
  });

  it('between a read and its write: the write fails, and the next read shows that nothing is there', async () => {
    const path = newPath();
    const driver = new SqliteDriver({ path });
    await put(driver, 'old');
    const lost = put(driver, 'lost', () => remove(path, ''));
    await expect(lost).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_UNAVAILABLE' });
    expect((await look(driver)).data).toBeUndefined();
    await driver.close();
  });

  it('is a loss that the engine notices: it grants nothing until every lost lease has ended', async () => {
    const path = newPath();
    const environment = virtualEnvironment();
    const losses: PoolLoss[] = [];
    const services = { default: { leaseDuration: 60_000 } };
    const onLoss = (loss: PoolLoss) => losses.push(loss);
    const provider = new SqliteLeaseProvider({ path, services, environment, onLoss });
    const [lost] = (await provider.acquire({})).leases;
    remove(path, '', '-wal', '-shm');
    await expect(provider.acquire({})).rejects.toMatchObject({ reason: 'in quarantine' });
    expect(losses.length).toBeGreaterThan(0);
    await environment.advance(120_000 + 10_000);
    const [again] = (await provider.acquire({})).leases;
    expect(again?.created).toBeGreaterThanOrEqual(lost?.fallbackUntil ?? Number.NaN);
    await provider.close();
  });
});

describe('a file that is replaced under a running process', () => {
  it.each(['', '.link'])('by an older copy: nothing of what its log had is left (path%s)', async (end) => {
    const path = newPath();
    await makeFile(path, 'old');
    copyFileSync(path, `${path}.backup`);
    symlinkSync(path, `${path}.link`);
    const driver = new SqliteDriver({ path: path + end });
    await put(driver, 'new');
    const { id } = await look(driver);
    await using _ = await idleProcess(path);
    renameSync(`${path}.backup`, path);
    const found = await look(driver);
    expect(found.data).toBe('old');
    expect(found.id).not.toBe(id);
    await put(driver, 'newer');
    const other = new SqliteDriver({ path });
    expect((await look(other)).data).toBe('newer');
    await other.close();
    await driver.close();
  });

  it.each(['when it ends', 'during a write'])(
    'by an older copy, noticed %s: its log is not left behind',
    async (when) => {
      const path = newPath();
      await makeFile(path, 'old');
      copyFileSync(path, `${path}.backup`);
      const driver = new SqliteDriver({ path });
      await put(driver, 'new');
      const replace = () => renameSync(`${path}.backup`, path);
      if (when === 'when it ends') replace();
      else await expect(put(driver, 'lost', replace)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      await driver.close();
      expect(existsSync(`${path}-wal`)).toBe(false);
      const next = new SqliteDriver({ path });
      expect((await look(next)).data).toBe('old');
      await next.close();
    },
  );

  it('and is gone when the process ends: nothing is made', async () => {
    const path = newPath();
    const driver = new SqliteDriver({ path });
    await put(driver, 'old');
    remove(path, '');
    await driver.close();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('by a copy that has a log of its own: the log stays with it', async () => {
    const path = newPath();
    const driver = new SqliteDriver({ path });
    await put(driver, 'old');
    const elsewhere = newPath();
    await makeFile(elsewhere, 'written to the file');
    const source = new SqliteDriver({ path: elsewhere });
    await put(source, 'written to the log');
    for (const end of ['', '-wal']) copyFileSync(elsewhere + end, `${path}.copy${end}`);
    await source.close();
    remove(path, '-wal', '-shm');
    for (const end of ['-wal', '']) renameSync(`${path}.copy${end}`, path + end);
    expect((await look(driver)).data).toBe('written to the log');
    await driver.close();
  });

  it('by an older copy is a loss that the engine notices', async () => {
    const path = newPath();
    const environment = virtualEnvironment();
    const losses: PoolLoss[] = [];
    const onLoss = (loss: PoolLoss) => losses.push(loss);
    const first = new SqliteLeaseProvider({ path, environment });
    await first.acquire({});
    await first.close();
    copyFileSync(path, `${path}.backup`);
    const provider = new SqliteLeaseProvider({ path, environment, onLoss });
    await provider.acquire({});
    renameSync(`${path}.backup`, path);
    await expect(provider.acquire({})).rejects.toMatchObject({ reason: 'in quarantine' });
    expect(losses.length).toBe(1);
    await provider.close();
  });
});
