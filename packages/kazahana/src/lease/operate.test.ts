// What operators see and do, over a store that a test watches and disturbs. Changes of layout are in `engine-layout.test.ts`.
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT, kazahanaIdLayout } from '../id/layout.js';
import { MemoryDriver } from '../providers/memory-driver.js';
import { virtualEnvironment } from '../virtual-environment.js';
import type { Changes, Facts, LeaseDriver, Wanted } from './driver.js';
import { LeaseEngine } from './engine.js';
import type { LeaseEngineOptions } from './provider-options.js';
import { signHold, signRelease } from './signature.js';
import type { LeaseInfo } from './types.js';

const MINUTE = 60_000;

type Written = Awaited<ReturnType<LeaseDriver['write']>>;

class Driver extends MemoryDriver implements LeaseDriver {
  readonly reads: Wanted[] = [];
  readonly writes: Changes[] = [];
  lists = 0;
  onWrite: (write: () => Promise<Written>) => Promise<Written> = (write) => write();

  override read(pool: string, wanted: Wanted) {
    this.reads.push(wanted);
    return super.read(pool, wanted);
  }

  override write(pool: string, changes: Changes, facts: Facts) {
    this.writes.push(changes);
    return this.onWrite(() => super.write(pool, changes, facts));
  }

  override list(pool: string, generation: string, after: number, limit: number) {
    this.lists++;
    return super.list(pool, generation, after, limit);
  }
}

function setUp(service: object = {}, options: LeaseEngineOptions = {}) {
  const environment = virtualEnvironment();
  const driver = new Driver({ environment });
  const newEngine = (changes: object = {}) =>
    new LeaseEngine(driver, {
      environment,
      services: { default: { leaseDuration: MINUTE, fallbackGrace: 0, ...service, ...changes } },
      ...options,
    });
  return { environment, driver, engine: newEngine(), newEngine };
}

const lost = () => Promise.reject(new Error('connection lost'));

describe('the check that a store can be written', () => {
  it('fails when it cannot, though it can be read', async () => {
    const { driver, engine } = setUp();
    await engine.acquire({});
    await engine.checkWritable();
    driver.onWrite = lost;
    await expect(engine.checkWritable()).rejects.toThrow('connection lost');
  });

  it('passes when another process was faster: that one could write', async () => {
    const { driver, engine } = setUp();
    driver.onWrite = async () => 'changed';
    await engine.checkWritable();
  });

  it('changes nothing of the pool, and leaves one record however often it is made', async () => {
    const { environment, driver, engine } = setUp();
    await engine.acquire({});
    const before = await engine.inspectPool();
    driver.writes.length = 0;
    const now = environment.now();
    for (let i = 0; i < 3; i++) await engine.checkWritable();
    const { request = '' } = driver.writes[0]?.responses[0]?.after ?? {};
    expect(request).not.toBe('');
    const after = { request, created: now, slots: [] };
    expect(driver.writes.map(({ responses }) => responses)).toEqual([
      [{ before: null, after }],
      [{ before: now, after }],
      [{ before: now, after }],
    ]);
    expect(driver.writes[0]).toMatchObject({
      grants: 0,
      serialAtLeast: 0,
      slots: [],
      forget: [],
      quotas: [],
    });
    expect(await engine.inspectPool()).toEqual(before);
  });
});

describe('a look at a pool', () => {
  it('has the slots of its share, and counts nothing else', async () => {
    const { driver, engine } = setUp({}, { pools: { default: { share: { index: 1, of: 2 } } } });
    expect(await engine.inspectPool()).toMatchObject({ slots: 4096, held: 0 });
    expect(driver.reads.at(-1)?.quotas).toEqual([]);
  });
});

describe('a list of leases', () => {
  it('reads no further than it must: a page of a large pool costs what it has', async () => {
    const { driver, engine } = setUp();
    await engine.acquire({ throughputPerMs: 600 * 256 });
    const listsFor = async (page: object) => {
      driver.lists = 0;
      await engine.listLeases('default', page);
      return driver.lists;
    };
    expect(await listsFor({ limit: 5 })).toBe(1);
    expect(await listsFor({ after: 500 })).toBe(1);
    expect(await listsFor({})).toBe(3);
  });

  it('is by machine ID, then by width', async () => {
    const { engine } = setUp();
    await engine.acquire({ throughputPerMs: 40 * 256 });
    await engine.changeLayout({ bitId: 12, bitSeq: 10 });
    await engine.acquire({ throughputPerMs: 20 * 1024 });
    const listed = (await engine.listLeases()).map(({ id, bitSeq }) => id * 100 + bitSeq);
    expect(listed).toEqual(listed.toSorted((a, b) => a - b));
  });
});

describe('a revocation', () => {
  it('of a lease that has ended finds none', async () => {
    const { environment, engine } = setUp();
    await engine.acquire({});
    await environment.advance(MINUTE);
    await expect(engine.revoke({ id: 0 })).rejects.toMatchObject({ code: 'LEASE_NOT_FOUND' });
  });

  it('finds none, when its holder was faster with a release', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    const { id, secret, created } = (await engine.acquire({})).leases[0] as LeaseInfo;
    driver.onWrite = async (write) => {
      driver.onWrite = (again) => again();
      await newEngine().release({ id, timestamp: created, signature: signRelease(secret, id, created) });
      return write();
    };
    const revoked = engine.revoke({ id: 0 });
    revoked.catch(() => undefined);
    await environment.runUntilIdle();
    await expect(revoked).rejects.toMatchObject({ code: 'LEASE_NOT_FOUND' });
  });

  it('is made again when its write was lost', async () => {
    const { environment, driver, engine } = setUp();
    await engine.acquire({});
    driver.onWrite = () => {
      driver.onWrite = (again) => again();
      return lost();
    };
    const revoked = engine.revoke({ id: 0 });
    await environment.runUntilIdle();
    await revoked;
    expect(await engine.listLeases()).toEqual([]);
  });
});

describe('whois', () => {
  const idAt = (unixMs: number, machineId: number) => {
    const timestamp = unixMs - DEFAULT_ID_LAYOUT.customEpoch;
    return BigInt(kazahanaIdLayout().encode({ reserve: 0, timestamp, machineId, sequence: 3 }));
  };

  it('knows the makers of fenced IDs: their machine IDs are in the upper half', async () => {
    const { environment, engine } = setUp({ fallbackGrace: MINUTE });
    const now = environment.now();
    for (const host of ['a', 'b']) await engine.acquire({ meta: { host } });
    expect(await engine.whois(idAt(now + MINUTE, 8192 + 1))).toMatchObject({
      isFallback: true,
      machineId: 8193,
      maker: { holder: { host: 'b' } },
    });
  });

  it('knows no maker at the end of a window, nor after it', async () => {
    const { environment, engine } = setUp();
    const now = environment.now();
    await engine.acquire({});
    const makerAt = async (unixMs: number) => (await engine.whois(idAt(unixMs, 0))).maker;
    expect(await makerAt(now + MINUTE - 1)).toMatchObject({ end: now + MINUTE });
    expect(await makerAt(now + MINUTE)).toBeNull();
    expect(await makerAt(now + 2 * MINUTE)).toBeNull();
  });

  it('knows the end of a renewal that was shorter, though its slot stays held for longer', async () => {
    const { environment, engine, newEngine } = setUp();
    const now = environment.now();
    const { leases, pool = '' } = await engine.acquire({});
    const { id, bitId, bitSeq, created, expired, fallbackUntil = expired, secret } = leases[0] as LeaseInfo;
    const window = { pool, id, bitId, bitSeq, created, expired, fallbackUntil };
    const claim = { ...window, timestamp: now, signature: signHold(secret, id, now) };
    await newEngine({ leaseDuration: MINUTE / 2 }).acquire({ renew: [claim] });
    expect((await engine.whois(idAt(now, 0))).maker).toMatchObject({ end: now + MINUTE / 2 });
  });
});

describe('an engine', () => {
  it('needs no driver that can be closed, and says why it refuses calls after that', async () => {
    const { engine } = setUp();
    await engine.acquire({});
    await engine.close();
    await expect(engine.inspectPool()).rejects.toThrow('this provider has been closed');
  });

  it('says whose option it does not know', () =>
    expect(() => setUp({}, { poools: {} } as object)).toThrow('a lease provider'));
});
