// How a client keeps its leases when its provider is a pool: renewal in place, what a lost response costs, and the counts
// that travel with requests. Hand-over from one slot to another is in `client.test.ts`.
import { describe, expect, it } from 'vitest';
import { decodeId } from '../id/index.js';
import { LeaseError } from '../lease/errors.js';
import { type ClientReport, REPORT_FIELDS } from '../lease/report.js';
import { signHold } from '../lease/signature.js';
import type { AcquireOptions, AcquireResponse, ReleaseOptions } from '../lease/types.js';
import { MemoryLeaseProvider, type MemoryLeaseProviderOptions } from '../providers/memory.js';
import { type VirtualEnvironment, virtualEnvironment } from '../virtual-environment.js';
import { KazahanaClient, type KazahanaClientConfig } from './index.js';

const MINUTE = 60_000;
const LEASE = 10 * MINUTE;

/** A pool whose way to the client a test can disturb. */
class Pool extends MemoryLeaseProvider {
  readonly requests: AcquireOptions[] = [];
  readonly responses: AcquireResponse[] = [];
  readonly releases: ReleaseOptions[] = [];
  /** What comes of a request; the pool decides when `ask` is called. */
  onAcquire: (ask: () => Promise<AcquireResponse>) => Promise<AcquireResponse> = (ask) => ask();

  override acquire(options: AcquireOptions): Promise<AcquireResponse> {
    this.requests.push(options);
    return this.onAcquire(async () => {
      const response = await super.acquire(options);
      this.responses.push(response);
      return response;
    });
  }

  override release(options: ReleaseOptions): Promise<void> {
    this.releases.push(options);
    return super.release(options);
  }
}

const down = () => Promise.reject(new LeaseError('UNREACHABLE', 'the server is down'));
const never = () => new Promise<AcquireResponse>(() => {});

/** The pool grants what is requested, and the client hears nothing of it. */
async function unheard(ask: () => Promise<AcquireResponse>): Promise<AcquireResponse> {
  await ask();
  return never();
}

function setUp(config: KazahanaClientConfig = {}, options: MemoryLeaseProviderOptions = {}) {
  const environment = virtualEnvironment();
  const pool = new Pool({ environment, ...options });
  const client = new KazahanaClient({ provider: pool, environment, onWarning: () => {}, ...config });
  return { environment, pool, client };
}

/** Lets time pass until the pool has had so many requests. */
async function untilRequests(environment: VirtualEnvironment, pool: Pool, times: number): Promise<void> {
  for (let i = 0; i < 5000 && pool.requests.length < times; i++) await environment.advance(1000);
  expect(pool.requests.length).toBe(times);
}

/** No request gets its response until all leases are due, which jitter spreads. */
async function untilBothAreDue(environment: VirtualEnvironment, pool: Pool): Promise<void> {
  pool.onAcquire = down;
  await environment.advance(LEASE * 0.91);
  expect(pool.requests.at(-1)?.renew).toHaveLength(2);
}

const machineOf = (id: bigint) => decodeId(id).machineId;
const twoLeases = { maxThroughputPerMs: 512 };

describe('a lease that is due', () => {
  it('is renewed in place, hour after hour: one machine ID, one lease, nothing to give back', async () => {
    const { environment, pool, client } = setUp();
    await client.ready();
    for (let minute = 0; minute < 240; minute++) {
      await environment.advance(MINUTE);
      expect(machineOf(client.nextIdSync())).toBe(0);
      expect(client.stats().leases).toBe(1);
    }
    expect(pool.requests.length).toBeGreaterThan(24);
    expect(pool.releases).toEqual([]);
    expect(await pool.listLeases()).toMatchObject([{ id: 0 }]);
    expect(client.stats()).toMatchObject({ fencedIds: 0, randomIds: 0, acquireFailures: 0 });
  });

  it('is claimed with all that a store needs to know of it, signed for the time of the request', async () => {
    const { environment, pool, client } = setUp({}, { lossKey: 'a key' });
    await client.ready();
    const [first] = pool.responses;
    const [lease] = first?.leases ?? [];
    if (!first || !lease) throw new Error('no lease came');
    await untilRequests(environment, pool, 2);
    const [claim] = pool.requests[1]?.renew ?? [];
    const { id, bitId, bitSeq, created, expired, fallbackUntil, secret, proof } = lease;
    const { timestamp = 0 } = claim ?? {};
    expect(claim).toEqual({
      ...{ pool: first.pool, id, bitId, bitSeq, created, expired, fallbackUntil, proof },
      ...{ timestamp, signature: signHold(secret, id, timestamp) },
    });
    expect(proof).toMatch(/^[0-9a-f]{64}$/);
    expect(environment.now() - timestamp).toBeLessThan(1000);
    expect(JSON.stringify(pool.requests[1])).not.toContain(secret);
    // With it travels what was seen, also when the request has a name.
    expect(pool.requests[1]).toMatchObject({
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      seen: { pool: first.pool, serial: 1, proof: first.proof },
    });
  });

  it('is renewed in a full pool, so that as many clients as slots all go on', async () => {
    const environment = virtualEnvironment();
    const pool = new Pool({ environment, services: { default: { bitId: 3, bitSeq: 19 } } });
    const clients = [0, 1, 2, 3].map(() => new KazahanaClient({ environment, provider: pool }));
    for (const client of clients) await client.ready();
    for (let i = 0; i < 60; i++) {
      await environment.advance(MINUTE);
      for (const client of clients) client.nextIdSync();
    }
    for (const client of clients) expect(client.stats()).toMatchObject({ leasedIds: 60, acquireFailures: 0 });
  });

  it('serves until the new one begins, and is then dropped', async () => {
    const storeTime = virtualEnvironment();
    const environment = virtualEnvironment({ at: storeTime.now() - 500 });
    const pool = new Pool({ environment: storeTime, services: { default: { leaseDuration: 20_000 } } });
    const client = new KazahanaClient({ environment, provider: pool });
    const pass = async (ms: number) => {
      await storeTime.advance(ms);
      await environment.advance(ms);
    };
    client.ready().catch(() => undefined);
    for (let i = 0; i < 300 && pool.requests.length < 2; i++) await pass(100);
    const { created = 0 } = pool.responses[1]?.leases[0] ?? {};
    // The new lease is there and has not begun.
    expect(created - environment.now()).toBeGreaterThan(300);
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 256, clockOffsetMs: 0 });
    expect(decodeId(client.nextIdSync())).toMatchObject({
      unixMs: environment.now(),
      machineId: 0,
      fallback: false,
    });
    await pass(created - environment.now() - 1);
    expect(client.stats().leases).toBe(2);
    await pass(1);
    expect(client.stats()).toMatchObject({ leases: 1, throughputPerMs: 256 });
    expect(decodeId(client.nextIdSync())).toMatchObject({ unixMs: created, machineId: 0, fallback: false });
    expect(pool.releases).toEqual([]);
  });

  it('goes on to its fenced end when the response is lost, and the repeated response takes over', async () => {
    const { environment, pool, client } = setUp({ disableRandomFallback: true });
    await client.ready();
    pool.onAcquire = unheard;
    const ids: bigint[] = [];
    const pass = async (minutes: number) => {
      for (let i = 0; i < minutes; i++) {
        await environment.advance(MINUTE);
        ids.push(client.nextIdSync());
      }
    };
    await pass(9);
    expect(client.stats().fencedIds).toBe(0);
    await pass(4);
    expect(decodeId(ids.at(-1) ?? 0n)).toMatchObject({ machineId: 8192, fallback: true });
    pool.onAcquire = (ask) => ask();
    await pass(2);
    expect(decodeId(ids.at(-1) ?? 0n)).toMatchObject({ machineId: 0, fallback: false });
    // The pool has renewed once, and repeats that.
    expect(pool.responses.at(-1)).toMatchObject({ isRepeated: true, serial: 2 });
    expect(client.stats().leases).toBe(1);
    expect(pool.releases).toEqual([]);
    expect([...ids].sort((a, b) => (a < b ? -1 : 1))).toEqual(ids);
  });

  it('is renewed while it is fenced: the client keeps its machine ID', async () => {
    const { environment, pool, client } = setUp();
    await client.ready();
    pool.onAcquire = down;
    await environment.advance(LEASE + 2 * MINUTE);
    expect(machineOf(client.nextIdSync())).toBe(8192);
    pool.onAcquire = (ask) => ask();
    await environment.advance(MINUTE);
    expect(machineOf(client.nextIdSync())).toBe(0);
    expect(pool.releases).toEqual([]);
    expect(await pool.listLeases()).toMatchObject([{ id: 0 }]);
  });

  it('R7: is renewed while the pool is in quarantine: the fleet notices nothing', async () => {
    const { environment, pool, client } = setUp();
    await client.ready();
    await environment.advance(LEASE * 0.8);
    await pool.quarantine();
    for (let i = 0; i < 15; i++) {
      await environment.advance(MINUTE);
      expect(decodeId(client.nextIdSync())).toMatchObject({ machineId: 0, fallback: false });
    }
    expect(client.stats().acquireFailures).toBe(0);
    const newcomer = new KazahanaClient({ environment, provider: pool, disableFallback: true });
    await expect(newcomer.ready()).rejects.toMatchObject({ cause: { reason: 'in quarantine' } });
    await newcomer.shutdown();
  });

  it('is renewed without its fellow that cannot be: that one serves to its end, and is requested again', async () => {
    const { environment, pool, client } = setUp(
      { maxThroughputPerMs: 2 ** 21, acquireRetryMaxInterval: 5000 },
      { services: { default: { bitId: 2, bitSeq: 20, leaseDuration: LEASE, fallbackGrace: 0 } } },
    );
    await client.ready();
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 2 ** 21 });
    await pool.revoke({ id: 1 });
    await untilBothAreDue(environment, pool);
    pool.onAcquire = (ask) => ask();
    await environment.advance(30_000);
    // One slot was renewed, the other is still in its old window.
    expect(pool.responses.at(-1)?.leases).toMatchObject([{ id: 0 }]);
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 2 ** 21 });
    expect(pool.releases).toEqual([]);
    const before = pool.requests.length;
    await environment.advance(MINUTE);
    expect(pool.requests.length).toBeGreaterThan(before);
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 2 ** 21 });
    expect((await pool.listLeases()).map(({ id }) => id)).toEqual([0, 1]);
  });

  it('does not wait for the next attempt of a request for more, which may be a minute away', async () => {
    const layout = { bitReserve: 16, bitTs: 41, bitId: 2, bitSeq: 5 };
    const { environment, pool, client } = setUp(
      { maxThroughputPerMs: 3 * 32, bitReserve: 16, disableRandomFallback: true },
      { services: { default: { ...layout, leaseDuration: MINUTE, fallbackGrace: MINUTE } } },
    );
    await client.ready();
    for (let i = 0; i < 20; i++) {
      // More than both slots of the pool have in a millisecond: the client asks for a third, which there is not.
      const made = client.nextIds(2 * 32 + 1);
      await environment.advance(MINUTE / 2);
      await made;
    }
    expect(pool.requests.some(({ renew }, i) => i > 0 && renew === undefined)).toBe(true);
    expect(client.stats()).toMatchObject({ fencedIds: 0 });
  });

  it('is given back when it has expired, and taken anew, where a full pool renews nothing', async () => {
    const { environment, pool, client } = setUp({}, { services: { default: { bitId: 1, bitSeq: 21 } } });
    // A server of an older version.
    const acquire = pool.acquire.bind(pool);
    pool.acquire = ({ renew: _, ...options }) => acquire(options);
    await client.ready();
    await environment.advance(LEASE + 3 * MINUTE);
    expect(pool.releases.map(({ id }) => id)).toEqual([0]);
    expect(client.stats()).toMatchObject({ leases: 1, throughputPerMs: 2 ** 21 });
    expect(decodeId(client.nextIdSync(), { bitId: 1, bitSeq: 21 })).toMatchObject({ machineId: 0 });
  });

  it('is not claimed before: a lease that is not due stays as it is', async () => {
    const { environment, pool, client } = setUp(twoLeases);
    await client.ready();
    // The two leases of one response are due at different times, by chance.
    await untilRequests(environment, pool, 2);
    expect(pool.requests[1]).toMatchObject({ throughputPerMs: 256 });
    expect(pool.requests[1]?.renew).toHaveLength(1);
    await untilRequests(environment, pool, 3);
    const claimed = [1, 2].map((i) => pool.requests[i]?.renew?.[0]?.id);
    expect([...claimed].sort()).toEqual([0, 1]);
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 512 });
    expect(pool.releases).toEqual([]);
  });
});

describe('a client with many leases', () => {
  it('claims 32 at a time, which a server can read; the rest changes hands the long way', async () => {
    const { environment, pool, client } = setUp({ maxThroughputPerMs: 40 * 256 });
    await client.ready();
    pool.onAcquire = down;
    await environment.advance(LEASE * 0.95);
    pool.onAcquire = (ask) => ask();
    await environment.advance(MINUTE);
    const last = pool.requests.at(-1);
    expect(last?.renew).toHaveLength(32);
    expect(JSON.stringify(last).length).toBeLessThan(16_384);
    expect(client.stats()).toMatchObject({ leases: 40, throughputPerMs: 40 * 256 });
    expect(pool.releases.map(({ id }) => id)).toEqual([32, 33, 34, 35, 36, 37, 38, 39]);
    expect((await pool.listLeases()).length).toBe(40);
  });
});

describe('a response', () => {
  it('with fewer leases than were requested replaces what it renews, and nothing else', async () => {
    const { environment, pool, client } = setUp({ ...twoLeases, acquireRetryMaxInterval: 5000 });
    await client.ready();
    await untilBothAreDue(environment, pool);
    // A pool that gives less than it could.
    pool.onAcquire = async (ask) => {
      const response = await ask();
      return { ...response, leases: response.leases.slice(0, 1) };
    };
    const before = pool.responses.length;
    while (pool.responses.length === before) await environment.advance(100);
    expect(pool.requests.at(-1)).toMatchObject({ throughputPerMs: 512, renew: { length: 2 } });
    // The renewed slot has one lease, the other one its old one.
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 512 });
    expect(pool.releases).toEqual([]);
  });

  it('that comes twice, late both times, is installed once and not given back', async () => {
    const { environment, pool, client } = setUp({ disableFallback: true });
    const late: (() => void)[] = [];
    pool.onAcquire = (ask) => new Promise((resolve) => late.push(() => void ask().then(resolve)));
    client.ready().catch(() => undefined);
    await environment.advance(8000);
    expect(late).toHaveLength(2);
    for (const arrive of late) {
      arrive();
      await environment.settle();
    }
    expect(pool.responses.map(({ isRepeated = false }) => isRepeated)).toEqual([false, true]);
    expect(client.stats().leases).toBe(1);
    await environment.advance(10_000);
    expect(pool.releases).toEqual([]);
    expect(machineOf(client.nextIdSync())).toBe(0);
  });

  it('that is of no use is followed by another request: the pool would repeat it', async () => {
    const { environment, pool, client } = setUp();
    let isFirst = true;
    pool.onAcquire = async (ask) => {
      const response = await ask();
      if (!isFirst) return response;
      isFirst = false;
      return { ...response, leases: response.leases.map((lease) => ({ ...lease, secret: '' })) };
    };
    client.ready().catch(() => undefined);
    await environment.advance(1001);
    const names = pool.requests.map(({ requestId }) => requestId);
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(2);
    expect(decodeId(client.nextIdSync())).toMatchObject({ machineId: 1, fallback: false });
  });

  it('whose lease begins far in the future keeps `ready` waiting no longer than the next one takes', async () => {
    const { environment, pool, client } = setUp({ disableFallback: true });
    pool.onAcquire = async (ask) => {
      const { leases, now: _, ...response } = await ask();
      const later = leases.map((lease) => ({
        ...lease,
        created: lease.created + MINUTE,
        expired: lease.expired + LEASE,
      }));
      return pool.requests.length === 1 ? { ...response, leases: later } : { ...response, leases };
    };
    let isReady = false;
    void client.ready().then(() => {
      isReady = true;
    });
    await environment.advance(5000);
    expect(isReady).toBe(true);
    expect(pool.requests.length).toBe(2);
  });

  it('with more leases than the client could use is refused, and none of them is released', async () => {
    const { environment, pool, client } = setUp({ disableFallback: true });
    pool.onAcquire = async (ask) => {
      const response = await ask();
      const leases = response.leases.flatMap((lease) =>
        Array.from({ length: 257 }, (_, id) => ({ ...lease, id, secret: `secret ${id}` })),
      );
      return pool.requests.length === 1 ? { ...response, leases } : response;
    };
    await expect(client.ready()).rejects.toMatchObject({ cause: { code: 'UNUSABLE_RESPONSE' } });
    expect(client.stats().leases).toBe(0);
    await environment.advance(5000);
    expect(client.stats().leases).toBe(1);
    expect(pool.releases).toEqual([]);
  });

  it('to an earlier request is given back: a later one has taken its place', async () => {
    const { environment, pool, client } = setUp();
    const late: (() => void)[] = [];
    // The response to the first attempt is late, that to the second one bad, that to the third one good.
    pool.onAcquire = (ask) => {
      if (pool.requests.length === 1)
        return new Promise((resolve) => late.push(() => void ask().then(resolve)));
      return pool.requests.length === 2 ? Promise.resolve({ leases: [] }) : ask();
    };
    client.ready().catch(() => undefined);
    await environment.advance(15_000);
    expect(pool.requests).toHaveLength(3);
    expect(machineOf(client.nextIdSync())).toBe(0);
    late[0]?.();
    await environment.settle();
    expect(pool.releases.map(({ id }) => id)).toEqual([1]);
    expect(client.stats().leases).toBe(1);
  });

  it('to an earlier request is given back once, however often it comes', async () => {
    const { environment, pool, client } = setUp();
    const late: (() => void)[] = [];
    // The pool repeats its response to both attempts of the first request; both are late. The third attempt gets a bad one.
    pool.onAcquire = (ask) => {
      if (pool.requests.length <= 2) {
        const response = ask();
        return new Promise((resolve) => late.push(() => resolve(response)));
      }
      return pool.requests.length === 3 ? Promise.resolve({ leases: [] }) : ask();
    };
    client.ready().catch(() => undefined);
    await environment.advance(30_000);
    expect(machineOf(client.nextIdSync())).toBe(1);
    for (const arrive of late) {
      arrive();
      await environment.settle();
    }
    expect(pool.responses.map(({ leases }) => leases[0]?.id)).toEqual([0, 0, 1]);
    expect(pool.releases.map(({ id }) => id)).toEqual([0]);
  });

  it('to an earlier request is not given back when it renews a slot that is in use', async () => {
    const { environment, pool, client } = setUp({ acquireTimeout: MINUTE });
    await client.ready();
    const late: (() => void)[] = [];
    const hold = (ask: () => Promise<AcquireResponse>) => {
      const response = ask();
      return new Promise<AcquireResponse>((resolve) => late.push(() => resolve(response)));
    };
    // The response to the renewal is late, and that to its retry bad. The request after that one gets none.
    pool.onAcquire = (ask) => (pool.requests.length === 3 ? Promise.resolve({ leases: [] }) : hold(ask));
    for (let i = 0; i < 1000 && pool.requests.length < 4; i++) await environment.advance(1000);
    expect(client.stats().leases).toBe(1);
    late[0]?.();
    await environment.settle();
    expect(pool.responses.map(({ leases }) => leases[0]?.id)).toEqual([0, 0, 1]);
    expect(pool.releases).toEqual([]);
    expect(machineOf(client.nextIdSync()) % 8192).toBe(0);
  });

  it('R7: with a lower serial does not make the client forget the higher one; another pool does', async () => {
    const { environment, pool, client } = setUp();
    const rows = [
      { pool: 'a', serial: 7 },
      { pool: 'a', serial: 5, proof: 'lower' },
      { pool: 'a', serial: 9, proof: 'higher' },
      { pool: 'b', serial: 2 },
      { pool: undefined, serial: undefined },
    ];
    pool.onAcquire = async (ask) => {
      const { pool: _pool, serial: _serial, ...response } = await ask();
      const { pool: name, ...rest } = rows[pool.requests.length - 1] ?? {};
      return { ...response, ...(name !== undefined && { pool: name, ...rest }) } as AcquireResponse;
    };
    await client.ready();
    await untilRequests(environment, pool, 6);
    expect(pool.requests.map(({ seen }) => seen)).toEqual([
      undefined,
      { pool: 'a', serial: 7 },
      { pool: 'a', serial: 7 },
      { pool: 'a', serial: 9, proof: 'higher' },
      { pool: 'b', serial: 2 },
      { pool: 'b', serial: 2 },
    ]);
  });
});

describe('a response that takes its time', () => {
  /** A provider behind a network: the clock of its store is off by `skew`, and a request takes so long each way. */
  function farAway(skew: number, there: number, back: number) {
    const { environment, pool, client } = setUp({ acquireTimeout: MINUTE, disableFallback: true });
    pool.onAcquire = async (ask) => {
      await environment.sleep(there, { background: true });
      const response = await ask();
      const now = (response.now ?? 0) + skew;
      const shift = <Time extends number | undefined>(time: Time) =>
        (time === undefined ? time : time + skew) as Time;
      const leases = response.leases.map((lease) => ({
        ...lease,
        ...{ created: shift(lease.created), expired: shift(lease.expired) },
        ...(lease.fallbackUntil !== undefined && { fallbackUntil: shift(lease.fallbackUntil) }),
      }));
      await environment.sleep(back, { background: true });
      return { ...response, now, leases };
    };
    return { environment, pool, client };
  }

  const rows: [title: string, skew: number, there: number, back: number, offset: number][] = [
    ['corrects no clock that is right, however long the way back', 0, 0, 20_000, 0],
    ['corrects no clock that is right, however long the way there', 0, 20_000, 0, 0],
    ['corrects a clock that is an hour behind, by what is sure', 3_600_000, 2000, 3000, 3_597_000],
    ['corrects a clock that is an hour ahead', -3_600_000, 2000, 3000, -3_603_000],
    // The way there may have taken all of the time: the clock may be right.
    ['leaves a clock alone that may be right', -2000, 3000, 0, 0],
  ];
  for (const [title, skew, there, back, offset] of rows) {
    it(title, async () => {
      const { environment, client } = farAway(skew, there, back);
      const corrections: number[] = [];
      client.on('clockCorrected', ({ offsetMs }) => corrections.push(offsetMs));
      client.ready().catch(() => undefined);
      await environment.advance(there + back + 1);
      expect(client.stats()).toMatchObject({
        clockOffsetMs: offset,
        leases: 1,
        clockSteps: offset === 0 ? 0 : 1,
      });
      expect(corrections).toEqual(offset === 0 ? [] : [offset]);
    });
  }
});

describe('reports', () => {
  const sum = (reports: readonly (ClientReport | undefined)[]) =>
    Object.fromEntries(
      REPORT_FIELDS.map((field) => [field, reports.reduce((all, report) => all + (report?.[field] ?? 0), 0)]),
    );

  it('are the same in every retry of a request: the first attempt may have been counted', async () => {
    const { environment, pool, client } = setUp();
    await client.ready();
    client.fill(new BigUint64Array(20));
    pool.onAcquire = unheard;
    for (let i = 0; i < 12; i++) {
      await environment.advance(MINUTE);
      client.fill(new BigUint64Array(5));
    }
    const retries = pool.requests.slice(1);
    expect(new Set(retries.map(({ requestId }) => requestId)).size).toBe(1);
    expect(retries.length).toBeGreaterThan(3);
    for (const { report } of retries) expect(report).toEqual(retries[0]?.report);
    expect(retries[0]?.report?.leasedIds).toBeGreaterThan(20);
  });

  it('count everything once, whatever is lost on the way, when repeated responses are not counted', async () => {
    const { environment, pool, client } = setUp();
    const reports: (ClientReport | undefined)[] = [];
    let isCalm = false;
    pool.onAcquire = async (ask) => {
      const { report } = pool.requests.at(-1) ?? {};
      const kind = isCalm ? 3 : (pool.requests.length - 1) % 4;
      if (kind === 1) return down();
      const response = await ask();
      if (!response.isRepeated) reports.push(report);
      return kind === 2 ? never() : response;
    };
    client.ready().catch(() => undefined);
    for (let i = 0; i < 300; i++) {
      await environment.advance(MINUTE / 2);
      client.fill(new BigUint64Array(300));
      client.fill(new BigUint64Array(3));
    }
    isCalm = true;
    await environment.advance(LEASE);
    client.fill(new BigUint64Array(3));
    const closed = client.shutdown();
    await environment.advance(2000);
    await closed;
    reports.push(...pool.releases.map(({ report }) => report));
    const totals = sum([client.stats()]) as ClientReport;
    expect(sum(reports)).toEqual(totals);
    expect(totals.leasedIds + totals.fencedIds + totals.randomIds).toBeGreaterThan(50_000);
    expect(totals.acquireFailures).toBeGreaterThan(5);
  });

  it('travel with the release at shutdown: what is new, once, and nothing when nothing is', async () => {
    const { environment, pool, client } = setUp(twoLeases);
    await client.ready();
    client.fill(new BigUint64Array(7));
    await untilRequests(environment, pool, 3);
    await environment.settle();
    expect(sum(pool.requests.map(({ report }) => report)).leasedIds).toBe(7);
    client.fill(new BigUint64Array(4));
    await client.shutdown();
    expect(pool.releases.map(({ report }) => report?.leasedIds)).toEqual([4, undefined]);

    const idle = setUp();
    await idle.client.ready();
    await idle.client.shutdown();
    expect(idle.pool.releases.map((release) => 'report' in release)).toEqual([false]);
  });
});
