// The driver by itself: what every driver must do, and what only this one does with its file.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Changes, defaultEnvironment, type Facts, type Wanted } from 'kazahana/lease';
import { type DriverSubject, leaseDriverConformance, virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder } from '../../../tests/services/process.ts';
import { Connection } from './connection.js';
import { SqliteDriver } from './driver.js';

const folder = await dataFolder('sqlite-driver');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

function subject(time?: ReturnType<typeof virtualEnvironment>): DriverSubject {
  const options = { path: newPath(), ...(time && { environment: time }) };
  const [driver, other] = [new SqliteDriver(options), new SqliteDriver(options)];
  return {
    ...{ driver, other, locks: true },
    ...(time && { now: time.now, advance: time.advance }),
    // As an operator does it who puts a copy in place while processes run.
    async backup() {
      const copy = `${options.path}.copy`;
      for (const end of ['', '-wal']) copyFileSync(options.path + end, copy + end);
      return async () => {
        for (const end of ['', '-wal']) renameSync(copy + end, options.path + end);
      };
    },
    async dispose() {
      await driver.close();
      await other.close();
    },
  };
}

describe('the driver of SQLite conforms:', () => {
  for (const { name, run } of leaseDriverConformance(async () => subject(virtualEnvironment())))
    it(name, run);
});

describe('the driver of SQLite conforms in real time:', () => {
  for (const { name, run } of leaseDriverConformance(async () => subject())) it(name, run);
});

const WANTED: Wanted = {
  slots: [{ generation: 'g', slot: 0 }],
  requests: ['request'],
  quotas: ['q'],
  free: { generation: 'g', from: 0, to: 4, skip: 0, count: 4 },
};
const UNCHANGED = { grants: 0, serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };
const FOREVER = Number.MAX_SAFE_INTEGER;

/** A slot as it is before and after a write. */
function change(slot: number, version: string | null, freeFrom = FOREVER): Changes['slots'][number] {
  const after = { generation: 'g', slot, freeFrom, quotas: ['q'], data: 'data' };
  return { before: { ...after, freeFrom: 0, quotas: [], version }, after };
}

const response = (before: number | null) => ({
  before,
  after: { request: 'request', created: 7, slots: [] },
});

/** A driver whose pool has slot 0, which counts for a quota, and a response of time 5. */
async function filledDriver(): Promise<SqliteDriver> {
  const driver = new SqliteDriver({ path: newPath() });
  const facts = await driver.read('pool', WANTED);
  const responses = [{ before: null, after: { request: 'request', created: 5, slots: [] } }];
  const first = { ...UNCHANGED, poolVersion: null, pool: 'record', slots: [change(0, null)], responses };
  expect(await driver.write('pool', first, facts)).toEqual({ serial: 0 });
  return driver;
}

async function look(driver: SqliteDriver, pool = 'pool'): Promise<Omit<Facts, 'now'>> {
  const facts = await driver.read(pool, WANTED);
  await driver.abandon(facts);
  const { now: _, ...rest } = facts;
  return rest;
}

describe('a write that rests on what is not so', () => {
  const rows: [what: string, changes: Partial<Changes>][] = [
    ['another version of the pool', { poolVersion: '2' }],
    ['no pool', { poolVersion: null, pool: 'another' }],
    ['a slot of another version', { slots: [change(1, null), change(0, '2')] }],
    ['a slot that was never written', { slots: [change(1, null), change(0, null)] }],
    ['a slot that was written', { slots: [change(1, '1')] }],
    ['a response of another time', { slots: [change(1, null)], responses: [response(6)] }],
    ['no response', { slots: [change(1, null)], responses: [response(null)] }],
    ['fewer slots that count for a quota', { slots: [change(1, null)], quotas: [{ quota: 'q', count: 0 }] }],
  ];
  for (const [what, changes] of rows) {
    it(`is refused as a whole: ${what}`, async () => {
      const driver = await filledDriver();
      const before = await look(driver);
      const facts = await driver.read('pool', WANTED);
      const poolVersion = facts.pool?.version ?? null;
      const given = { ...UNCHANGED, poolVersion, pool: 'another', grants: 1, ...changes };
      expect(await driver.write('pool', given, facts)).toBe('changed');
      expect(await look(driver)).toEqual(before);
      await driver.close();
    });
  }

  it('is refused as a whole: a pool that is not there', async () => {
    const driver = await filledDriver();
    const facts = await driver.read('another', WANTED);
    const given = { ...UNCHANGED, poolVersion: '7', pool: 'record', grants: 1 };
    expect(await driver.write('another', given, facts)).toBe('changed');
    expect((await look(driver, 'another')).pool).toBe(null);
    await driver.close();
  });

  it('is refused when its read has ended: the lock is gone', async () => {
    const driver = await filledDriver();
    const facts = await driver.read('pool', WANTED);
    await driver.abandon(facts);
    await driver.abandon(facts);
    const changes = { ...UNCHANGED, poolVersion: facts.pool?.version ?? null, grants: 1 };
    expect(await driver.write('pool', changes, facts)).toBe('changed');
    expect((await look(driver)).serial).toBe(0);
    await driver.close();
  });
});

describe('after a failure', () => {
  it('of a write nothing of it is kept, and the driver goes on', async () => {
    const driver = await filledDriver();
    const before = await look(driver);
    const facts = await driver.read('pool', WANTED);
    // The tables are strict: no time has half a millisecond.
    const slots = [change(1, null), change(2, null, 0.5)];
    const changes = { ...UNCHANGED, poolVersion: '1', grants: 1, slots };
    await expect(driver.write('pool', changes, facts)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await look(driver)).toEqual(before);
    await driver.close();
  });

  it('of the clock or of a read the file is left to others, and the driver goes on', async () => {
    let calls = 0;
    let failingCall = 0;
    const now = () => {
      if (++calls === failingCall) throw new Error('no clock');
      return 5;
    };
    const path = newPath();
    const driver = new SqliteDriver({ path, environment: { ...defaultEnvironment, now } });
    const other = new SqliteDriver({ path, busyTimeout: 0 });
    // Before it waits for the file, and when it has the file.
    for (const call of [1, 2]) {
      failingCall = calls + call;
      await expect(driver.read('pool', WANTED)).rejects.toThrow('no clock');
      await look(other);
    }
    const wrong = { ...WANTED, held: {} as string };
    await expect(driver.read('pool', wrong)).rejects.toThrow();
    await look(other);
    await look(driver);
    await driver.close();
    await other.close();
  });
});

describe('a file that another process has', () => {
  it('is waited for: random times, that grow while many wait, as long as the time-out allows', async () => {
    const path = newPath();
    const other = new Connection(path).database;
    const sleeps: number[] = [];
    let time = 0;
    const environment = {
      now: () => time,
      random: (bytes: Uint8Array) => bytes.fill(128),
      async sleep(ms: number) {
        sleeps.push(ms);
        time += ms;
        if (sleeps.length === 40) other.exec('ROLLBACK');
      },
    };
    const driver = new SqliteDriver({ path, busyTimeout: 20_000, environment });
    await look(driver);
    other.exec('BEGIN IMMEDIATE');
    await look(driver);
    expect([sleeps[0], sleeps[31], sleeps[35], sleeps[39]]).toEqual([4, 4, 4.5, 5]);
    other.exec('BEGIN IMMEDIATE');
    await expect(look(driver)).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_BUSY' });
    expect(time).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...sleeps)).toBe(32);
    other.close();
    await look(driver);
    await driver.close();
  });
});

describe('reads of several pools at once', () => {
  it('queue: each has the file for itself', async () => {
    const driver = await filledDriver();
    const turn = async (pool: string) => {
      const facts = await driver.read(pool, WANTED);
      // Longer than a turn of the event loop.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      return driver.write(pool, { ...UNCHANGED, poolVersion: null, pool, grants: 1 }, facts);
    };
    const pools = ['a', 'b', 'c', 'd'];
    expect(await Promise.all(pools.map(turn))).toEqual(pools.map(() => ({ serial: 1 })));
    for (const pool of pools) expect((await look(driver, pool)).pool?.data).toBe(pool);
    await driver.close();
  });
});

describe('a driver that was closed', () => {
  it('refuses everything, and can be closed again', async () => {
    const driver = await filledDriver();
    await driver.close();
    await driver.close();
    const refused = { name: 'StoreError', code: 'STORE_CLOSED' };
    await expect(driver.read('pool', WANTED)).rejects.toMatchObject(refused);
    await expect(driver.list('pool', 'g', -1, 1)).rejects.toMatchObject(refused);
    await expect(driver.drop('pool', 'g')).rejects.toMatchObject(refused);
  });
});
