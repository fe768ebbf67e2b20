// How the engine runs calls over a store that conflicts, loses outcomes and is slow: batches, retries, callers that give
// up. What the rules decide is in `rules.test.ts`; losses, renewals and layouts have engine tests of their own.
import { describe, expect, it } from 'vitest';
import { MemoryDriver } from '../providers/memory-driver.js';
import { type VirtualEnvironment, virtualEnvironment } from '../virtual-environment.js';
import type { Changes, Facts, LeaseDriver, Wanted } from './driver.js';
import { LeaseEngine } from './engine.js';
import type { LeaseEngineOptions } from './provider-options.js';
import { signRelease } from './signature.js';
import type { AcquireOptions, LeaseInfo } from './types.js';

type Written = Awaited<ReturnType<LeaseDriver['write']>>;

/** A store in memory whose writes a test can delay, refuse or lose the outcome of. */
class FaultyDriver implements LeaseDriver {
  maxSlotsPerWrite = 1000;
  readonly reads: Wanted[] = [];
  readonly writes: Changes[] = [];
  /** Reads that neither a write nor `abandon` has ended. */
  open = 0;
  confirms = 0;
  closes = 0;
  onWrite: (write: () => Promise<Written>, changes: Changes) => Promise<Written> = (write) => write();
  onRead: (read: () => Promise<Facts>) => Promise<Facts> = (read) => read();
  readonly store: MemoryDriver;

  constructor(environment: VirtualEnvironment) {
    this.store = new MemoryDriver({ environment });
  }

  async read(pool: string, wanted: Wanted): Promise<Facts> {
    this.reads.push(wanted);
    const facts = await this.onRead(() => this.store.read(pool, wanted));
    this.open++;
    return facts;
  }

  write(pool: string, changes: Changes, facts: Facts): Promise<Written> {
    this.writes.push(changes);
    this.open--;
    return this.onWrite(() => this.store.write(pool, changes, facts), changes);
  }

  async abandon(): Promise<void> {
    this.open--;
  }

  async confirm(): Promise<void> {
    this.confirms++;
  }

  list(pool: string, generation: string, after: number, limit: number) {
    return this.store.list(pool, generation, after, limit);
  }

  drop(pool: string, generation: string) {
    return this.store.drop(pool, generation);
  }

  async close(): Promise<void> {
    this.closes++;
  }

  /** Begins to count anew. */
  forgetCalls(): void {
    this.reads.length = 0;
    this.writes.length = 0;
    this.confirms = 0;
  }
}

const MINUTE = 60_000;
const FOUR_SLOTS = { bitId: 3, bitSeq: 19 };
const perSlot = (slots: number) => slots * 2 ** 19;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const lost = () => Promise.reject(new Error('connection lost'));

function setUp(service: object = {}, options: LeaseEngineOptions = {}, seed = 1) {
  const environment = virtualEnvironment({ seed });
  const driver = new FaultyDriver(environment);
  const services = { default: { leaseDuration: MINUTE, fallbackGrace: 0, ...service } };
  const newEngine = () => new LeaseEngine(driver, { environment, services, ...options });
  const engine = newEngine();
  const lease = async (request: AcquireOptions = {}): Promise<LeaseInfo> => {
    const { leases } = await settled(environment, engine.acquire(request));
    return leases[0] as LeaseInfo;
  };
  return { environment, driver, engine, newEngine, lease };
}

/** Lets virtual time pass, from pause to pause, until nothing sleeps; then gives what came of the call. */
async function settled<Value>(environment: VirtualEnvironment, call: Promise<Value>): Promise<Value> {
  call.catch(() => undefined);
  await environment.runUntilIdle();
  return call;
}

function releaseOf({ id, secret, created }: LeaseInfo, timestamp = created) {
  return { id, timestamp, signature: signRelease(secret, id, timestamp) };
}

/** The first so many writes end otherwise. */
function atFirst(
  driver: FaultyDriver,
  times: number,
  fault: (write: () => Promise<Written>) => Promise<Written>,
) {
  let left = times;
  driver.onWrite = (write) => (left-- > 0 ? fault(write) : write());
}

/** Kept, but the outcome is lost. */
async function keptAndLost(write: () => Promise<Written>): Promise<Written> {
  await write();
  return lost();
}

describe('a write that meets another one', () => {
  it('is decided anew, after a pause, with slots from further down the order', async () => {
    const { environment, driver, engine, lease } = setUp();
    await lease();
    driver.forgetCalls();
    const before = environment.now();
    atFirst(driver, 5, async () => 'changed');
    const { leases, serial } = await settled(environment, engine.acquire({}));
    expect(leases).toHaveLength(1);
    expect(serial).toBe(2);
    expect(driver.writes).toHaveLength(6);
    expect(environment.now()).toBeGreaterThan(before);
    const skips = driver.reads.map(({ free }) => free?.skip ?? 0);
    expect(skips[0]).toBe(0);
    expect(Math.max(...skips)).toBeGreaterThan(8);
    // The window begins when it is granted, not when it was requested.
    expect(leases[0]?.created).toBe(environment.now());
  });

  it('spreads over a crowd that grows fourfold from 8, and over longer pauses', async () => {
    const crowds = [8, 32, 128, 512, 2048, 4096, 4096];
    const skips = crowds.map((): number[] => []);
    const pauses = crowds.map((): number[] => []);
    for (const seed of upTo(40)) {
      const { environment, driver, engine, lease } = setUp({}, {}, seed);
      await lease();
      driver.forgetCalls();
      const times: number[] = [];
      driver.onRead = (read) => {
        times.push(environment.now());
        return read();
      };
      atFirst(driver, crowds.length, async () => 'changed');
      await settled(environment, engine.acquire({}));
      for (const i of crowds.keys()) {
        skips[i]?.push(driver.reads[i + 1]?.free?.skip ?? -1);
        pauses[i]?.push((times[i + 1] ?? 0) - (times[i] ?? 0));
      }
    }
    for (const [i, crowd] of crowds.entries()) {
      const most = Math.max(...(skips[i] ?? []));
      expect(most).toBeLessThan(crowd);
      expect(most).toBeGreaterThan(crowd / 2);
      // A turn takes no time here: the pauses double from 2 ms on, as far as a minute of doubling goes.
      const longest = Math.max(...(pauses[i] ?? []));
      expect(longest).toBeLessThanOrEqual(2 ** Math.min(i + 1, 6));
      expect(longest).toBeGreaterThan(2 ** Math.min(i + 1, 6) / 2);
    }
  });

  it('again and again ends with STORE_BUSY, and nothing is granted', async () => {
    const { environment, driver, engine, lease } = setUp();
    await lease();
    driver.forgetCalls();
    driver.onWrite = async () => 'changed';
    await expect(settled(environment, engine.acquire({}))).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: 'pool default: other processes were faster 100 times',
    });
    expect(driver.writes).toHaveLength(101);
    expect(driver.open).toBe(0);
    driver.onWrite = (write) => write();
    expect((await engine.inspectPool()).held).toBe(1);
    // The queue goes on.
    expect((await lease()).id).toBe(1);
  });

  it('finds the last free slots, though it looks further down the order than there are', async () => {
    for (const seed of upTo(20)) {
      const { environment, driver, engine, lease } = setUp(FOUR_SLOTS, {}, seed);
      await lease();
      atFirst(driver, 2, async () => 'changed');
      const { leases } = await settled(environment, engine.acquire({ throughputPerMs: perSlot(3) }));
      expect(leases.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
      await expect(engine.acquire({})).rejects.toMatchObject({
        code: 'POOL_EXHAUSTED',
        retryAfterMs: expect.any(Number),
      });
    }
  });
});

describe('a write that meets another one, after a change to narrower slots', () => {
  it('finds the few slots that are open, though it looks further down the order than there are', async () => {
    for (const seed of upTo(10)) {
      const { environment, driver, engine } = setUp(FOUR_SLOTS, {}, seed);
      const { leases } = await engine.acquire({ throughputPerMs: perSlot(3) });
      await engine.changeLayout({ bitId: 5, bitSeq: 17 });
      expect((await engine.acquire({})).leases[0]?.id).toBe(12);
      atFirst(driver, 3, async () => 'changed');
      const {
        leases: [lease],
      } = await settled(environment, engine.acquire({}));
      expect(lease?.id).toBeGreaterThan(12);
      expect(lease?.created).toBeLessThan(leases[0]?.expired ?? 0);
    }
  });
});

describe('a release that meets another write', () => {
  it('finds no lease when an operator has revoked it meanwhile', async () => {
    const { environment, driver, engine, newEngine, lease } = setUp();
    const first = await lease();
    atFirst(driver, 1, async (write) => {
      driver.onWrite = (again) => again();
      await newEngine().revoke({ id: first.id });
      return write();
    });
    await expect(settled(environment, engine.release(releaseOf(first)))).rejects.toMatchObject({
      code: 'LEASE_NOT_FOUND',
    });
  });
});

describe('several engines on one store', () => {
  it('grant a pool to its last slot, each to one holder', async () => {
    const { environment, driver, newEngine } = setUp({ bitId: 9, bitSeq: 13 });
    const engines = upTo(3).map(newEngine);
    // Long enough for the others to come in between.
    driver.onRead = async (read) => {
      const facts = await read();
      await environment.sleep(1 + (driver.reads.length % 3));
      return facts;
    };
    // Batches of a few: the engines meet more often.
    driver.maxSlotsPerWrite = 8;
    const small = upTo(3).map(newEngine);
    const calls = upTo(256).map((i) => (small[i % 3] ?? engines[0])?.acquire({}));
    const outcomes = await settled(environment, Promise.allSettled(calls));
    const ids = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? (outcome.value?.leases ?? []).map(({ id }) => id) : [],
    );
    expect(ids.sort((a, b) => a - b)).toEqual(upTo(256));
  });

  it('keep a quota together', async () => {
    const { environment, driver, newEngine } = setUp({ maxLeases: 3 });
    const engines = upTo(5).map(newEngine);
    for (const engine of engines) await engine.inspectPool();
    driver.onWrite = async (write) => {
      await environment.sleep(5);
      return write();
    };
    const outcomes = await settled(
      environment,
      Promise.allSettled(engines.map((engine) => engine.acquire({}))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ reason: 'the quota is used up' });
    }
  });

  for (const seed of upTo(12)) {
    it(`lose no slot and grant none twice, whatever becomes of their writes (seed ${seed})`, async () => {
      const { environment, driver, newEngine } = setUp({ bitId: 7, bitSeq: 15 }, {}, seed);
      const draw = (limit: number) => (environment.random(new Uint8Array(1))[0] ?? 0) % limit;
      driver.onRead = async (read) => {
        await environment.sleep(draw(3));
        return read();
      };
      driver.onWrite = async (write) => {
        await environment.sleep(draw(3));
        const fault = draw(8);
        if (fault === 0) return 'changed';
        if (fault === 1) return lost();
        return fault === 2 ? keptAndLost(write) : write();
      };
      const engines = upTo(6).map(newEngine);
      const held = new Map<number, LeaseInfo>();
      let failures = 0;
      for (const round of upTo(4)) {
        const calls = engines.flatMap((engine) =>
          upTo(3).map(() => engine.acquire({ throughputPerMs: 2 ** 15 + 1 })),
        );
        for (const outcome of await settled(environment, Promise.allSettled(calls))) {
          if (outcome.status === 'rejected') failures++;
          for (const lease of outcome.status === 'fulfilled' ? outcome.value.leases : []) {
            expect(held.has(lease.id)).toBe(false);
            held.set(lease.id, lease);
          }
        }
        if (round === 3) break;
        const returned = [...held.values()].filter(() => draw(2) === 0);
        const releases = returned.map((lease) =>
          engines[draw(6)]?.release(releaseOf(lease, lease.created - 1)),
        );
        const ends = await settled(environment, Promise.allSettled(releases));
        for (const [i, { status }] of ends.entries()) {
          if (status === 'fulfilled') held.delete(returned[i]?.id ?? -1);
          else failures++;
        }
      }
      driver.onWrite = (write) => write();
      // A call that failed has granted nothing; a release that failed has freed nothing.
      expect(failures).toBeLessThan(40);
      const [engine] = engines;
      expect((await settled(environment, engine?.listLeases() ?? lost())).map(({ id }) => id)).toEqual(
        [...held.keys()].sort((a, b) => a - b),
      );
      expect(driver.open).toBe(0);
    });
  }
});

describe('a write whose outcome is unknown', () => {
  it('and that happened is found: the lease is given, once', async () => {
    const { environment, driver, engine } = setUp();
    atFirst(driver, 0, lost);
    await engine.inspectPool();
    atFirst(driver, 1, keptAndLost);
    const { leases, isRepeated } = await settled(environment, engine.acquire({}));
    expect(leases.map(({ id }) => id)).toEqual([0]);
    expect(isRepeated).toBe(true);
    expect((await engine.inspectPool()).held).toBe(1);
  });

  it('and that did not happen is made again', async () => {
    const { environment, driver, engine } = setUp();
    await engine.inspectPool();
    atFirst(driver, 2, lost);
    const { leases, isRepeated } = await settled(environment, engine.acquire({}));
    expect(leases.map(({ id }) => id)).toEqual([0]);
    expect(isRepeated).toBeUndefined();
  });

  it('three times ends with a look: what happened in the last one is found, nothing is stranded', async () => {
    const { environment, driver, engine } = setUp();
    await engine.inspectPool();
    driver.forgetCalls();
    let writes = 0;
    driver.onWrite = (write) => (++writes === 3 ? keptAndLost(write) : lost());
    const { leases } = await settled(environment, engine.acquire({}));
    expect(leases).toHaveLength(1);
    expect(driver.writes).toHaveLength(3);
    expect(driver.reads).toHaveLength(4);
    expect((await engine.listLeases()).map(({ id }) => id)).toEqual([leases[0]?.id]);
  });

  it('three times, when nothing happened, is an error of the store, and nothing is held', async () => {
    const { environment, driver, engine } = setUp();
    await engine.inspectPool();
    driver.forgetCalls();
    driver.onWrite = () => Promise.reject(new Error(`connection lost: ${driver.writes.length}`));
    await expect(settled(environment, engine.acquire({}))).rejects.toThrow('connection lost: 3');
    expect(driver.writes).toHaveLength(3);
    expect((await engine.inspectPool()).held).toBe(0);
    expect(driver.open).toBe(0);
  });

  it('gives each call of the batch its own leases', async () => {
    const { environment, driver, engine } = setUp();
    await engine.inspectPool();
    atFirst(driver, 1, keptAndLost);
    const responses = await settled(environment, Promise.all(upTo(5).map(() => engine.acquire({}))));
    expect(responses.map(({ leases }) => leases.map(({ id }) => id))).toEqual(upTo(5).map((id) => [id]));
    expect((await engine.inspectPool()).held).toBe(5);
  });

  it('of a release is no failure when the slot has been granted anew since', async () => {
    const { environment, driver, engine, newEngine, lease } = setUp({ bitId: 1, bitSeq: 21 });
    const first = await lease();
    const other = newEngine();
    await other.inspectPool();
    let next: LeaseInfo | undefined;
    atFirst(driver, 1, async (write) => {
      await write();
      driver.onWrite = (again) => again();
      next = (await other.acquire({})).leases[0];
      return lost();
    });
    await settled(environment, engine.release(releaseOf(first, first.created - 1)));
    expect(next?.id).toBe(first.id);
    // The next holder has lost nothing by it.
    await engine.release(releaseOf(next as LeaseInfo));
  });

  it('of a release that did not happen is made again, also when the machine ID has slots of two layouts', async () => {
    const { environment, driver, engine, lease } = setUp();
    const first = await lease();
    await engine.changeLayout({ bitId: 12, bitSeq: 10 });
    atFirst(driver, 1, lost);
    await settled(environment, engine.release(releaseOf(first)));
    expect(await engine.listLeases()).toEqual([]);
  });

  it('of a release that did not happen is made again', async () => {
    const { environment, driver, engine, lease } = setUp();
    const first = await lease();
    atFirst(driver, 1, lost);
    await settled(environment, engine.release(releaseOf(first)));
    expect(await engine.listLeases()).toEqual([]);
  });

  it('does not make a release or a revocation succeed that was refused', async () => {
    const { environment, driver, engine, lease } = setUp();
    const first = await lease();
    for (const fault of [lost, keptAndLost]) {
      atFirst(driver, 1, fault);
      const calls = [
        engine.acquire({}),
        engine.release({ ...releaseOf(first), signature: 'ab'.repeat(32) }),
        engine.release({ ...releaseOf(first), id: 99 }),
        engine.revoke({ id: 99 }),
      ];
      const outcomes = await settled(environment, Promise.allSettled(calls));
      expect(outcomes.map((outcome) => (outcome as { reason?: { code: string } }).reason?.code)).toEqual([
        undefined,
        'INVALID_SIGNATURE',
        'LEASE_NOT_FOUND',
        'LEASE_NOT_FOUND',
      ]);
    }
  });

  it('of a revocation is not made again for the next holder', async () => {
    const { environment, driver, engine, newEngine, lease } = setUp({ bitId: 1, bitSeq: 21 });
    await lease();
    const other = newEngine();
    await other.inspectPool();
    await environment.advance(MINUTE - 1);
    atFirst(driver, 1, async (write) => {
      await write();
      driver.onWrite = (again) => again();
      environment.set(environment.now() + 1);
      await other.acquire({});
      return lost();
    });
    await settled(environment, engine.revoke({ id: 0 }));
    expect(await engine.listLeases()).toMatchObject([{ id: 0, created: environment.now() }]);
  });
});

describe('a response that is repeated', () => {
  it('is confirmed first: what was only read must be as safe as what was written', async () => {
    const { driver, engine } = setUp();
    const request = { requestId: 'r' };
    const first = await engine.acquire(request);
    expect(driver.confirms).toBe(0);
    const again = await engine.acquire(request);
    expect(driver.confirms).toBe(1);
    expect(again).toEqual({ ...first, isRepeated: true });
    driver.confirm = () => Promise.reject(new Error('no replica has it'));
    await expect(engine.acquire(request)).rejects.toThrow('no replica has it');
    expect(driver.open).toBe(0);
  });

  it('is not repeated once its leases have expired: they are granted anew, and that response is repeated', async () => {
    const { environment, engine } = setUp({ fallbackGrace: MINUTE });
    const idOf = async () => (await engine.acquire({ requestId: 'r' })).leases[0]?.id;
    const ids = [await idOf()];
    await environment.advance(MINUTE);
    ids.push(await idOf(), await idOf());
    expect(ids).toEqual([0, 1, 1]);
  });

  it('is safe by the write, when another call of the batch writes', async () => {
    const { driver, engine } = setUp();
    const first = await engine.acquire({ requestId: 'r' });
    const [again] = await Promise.all([engine.acquire({ requestId: 'r' }), engine.acquire({})]);
    expect(again?.leases).toEqual(first.leases);
    expect(driver.confirms).toBe(0);
  });
});

describe('a source of randomness that fails', () => {
  it('in the middle of a grant costs no slot: all secrets are drawn before', async () => {
    const { environment, driver, engine } = setUp(FOUR_SLOTS);
    await engine.inspectPool();
    const { random } = environment;
    let draws = 0;
    environment.random = (bytes) => {
      if (++draws === 2) throw new Error('no entropy');
      return random.call(environment, bytes);
    };
    const request = { requestId: 'r', throughputPerMs: perSlot(2) };
    await expect(engine.acquire(request)).rejects.toThrow('no entropy');
    expect((await engine.inspectPool()).held).toBe(0);
    expect(driver.open).toBe(0);
    expect((await engine.acquire(request)).leases.map(({ id }) => id)).toEqual([0, 1]);
  });
});

describe('the name of a request', () => {
  it('comes back with its response, and is not invented for a request without one', async () => {
    const { engine } = setUp();
    expect((await engine.acquire({ requestId: 'r' })).requestId).toBe('r');
    expect(await engine.acquire({})).not.toHaveProperty('requestId');
  });

  it('is of its service: to another service it is another request', async () => {
    const { engine } = setUp();
    const [a, b] = [
      await engine.acquire({ serviceId: 'a', requestId: 'r' }),
      await engine.acquire({ serviceId: 'b', requestId: 'r' }),
    ];
    expect([a.leases[0]?.id, b.leases[0]?.id, b.isRepeated]).toEqual([0, 1, undefined]);
  });

  it('is kept as a hash: a reader of the store cannot ask for the secrets', async () => {
    const { driver, engine } = setUp();
    await engine.acquire({ requestId: 'a very long and secret name' });
    const written = JSON.stringify(driver.writes);
    expect(written).not.toContain('a very long and secret name');
    expect(driver.writes.at(-1)?.responses).toMatchObject([
      { after: { request: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
  });
});

describe('calls that wait at the same time', () => {
  it('share one read and one write, up to 64; each has its own serial', async () => {
    const { driver, engine, lease } = setUp();
    await lease();
    driver.forgetCalls();
    const responses = await Promise.all(upTo(64).map(() => engine.acquire({})));
    expect([driver.reads.length, driver.writes.length]).toEqual([1, 1]);
    expect(responses.map(({ leases }) => leases[0]?.id)).toEqual(upTo(64).map((i) => i + 1));
    expect(responses.map(({ serial }) => serial)).toEqual(upTo(64).map((i) => i + 2));
    driver.forgetCalls();
    await Promise.all(upTo(200).map(() => engine.acquire({})));
    expect([driver.reads.length, driver.writes.length]).toEqual([4, 4]);
  });

  it('are collected while others are under way', async () => {
    const { environment, driver, engine, lease } = setUp();
    await lease();
    driver.forgetCalls();
    driver.onRead = async (read) => {
      await environment.sleep(10);
      return read();
    };
    const calls = [engine.acquire({})];
    await environment.settle();
    calls.push(...upTo(9).map(() => engine.acquire({})));
    await settled(environment, Promise.all(calls));
    expect(driver.writes.map(({ grants }) => grants)).toEqual([1, 9]);
  });

  it('do not fail for one of them', async () => {
    const { engine } = setUp({ ...FOUR_SLOTS, maxLeasesPerRequest: 2 });
    const calls = [
      engine.acquire({}),
      engine.acquire({ throughputPerMs: perSlot(3) }),
      engine.release({ id: 0, timestamp: 0, signature: '' }),
      engine.acquire({ throughputPerMs: perSlot(2) }),
      engine.inspectPool(),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map((outcome) => (outcome as { reason?: { code: string } }).reason?.code)).toEqual([
      undefined,
      'TOO_MANY_LEASES',
      'STALE_SIGNATURE',
      undefined,
      undefined,
    ]);
    expect((await engine.listLeases()).map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  it('see what those before them have decided: a slot that one gives back, the next one gets', async () => {
    const { driver, engine, lease } = setUp({ bitId: 1, bitSeq: 21 });
    const first = await lease();
    driver.forgetCalls();
    const [, response] = await Promise.all([
      engine.release(releaseOf(first, first.created - 1)),
      engine.acquire({}),
    ]);
    expect(response?.leases).toMatchObject([{ id: 0, created: first.created }]);
    expect(driver.writes).toHaveLength(1);
  });

  it('see a slot that one gives back, though it was not among those that were read', async () => {
    const { engine } = setUp(FOUR_SLOTS);
    const { leases } = await engine.acquire({ throughputPerMs: perSlot(4) });
    const third = leases[2] as LeaseInfo;
    const [, response] = await Promise.all([
      engine.release(releaseOf(third, third.created - 1)),
      engine.acquire({}),
    ]);
    expect(response.leases[0]?.id).toBe(third.id);
  });

  it('see the room that one leaves in a quota', async () => {
    const { engine, lease } = setUp({ maxLeases: 1 });
    const first = await lease();
    const [, response] = await Promise.all([engine.release(releaseOf(first)), engine.acquire({})]);
    expect(response.leases).toHaveLength(1);
    await expect(engine.acquire({})).rejects.toMatchObject({ reason: 'the quota is used up' });
  });

  it('fail together when the store cannot be read, and the next one is served', async () => {
    const { driver, engine, lease } = setUp();
    await lease();
    driver.onRead = lost;
    const outcomes = await Promise.allSettled([engine.acquire({}), engine.inspectPool()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    driver.onRead = (read) => read();
    expect((await lease()).id).toBe(1);
  });
});

describe('a write', () => {
  it('carries as many slots as the driver can: a request for more gets so many', async () => {
    const environment = virtualEnvironment();
    const driver = new FaultyDriver(environment);
    driver.maxSlotsPerWrite = 5;
    const engine = new LeaseEngine(driver, { environment });
    expect((await engine.acquire({ throughputPerMs: 100 * 256 })).leases).toHaveLength(5);
    expect((await engine.acquire({ throughputPerMs: 3 * 256 })).leases).toHaveLength(3);
    driver.forgetCalls();
    await Promise.all([2, 3].map((slots) => engine.acquire({ throughputPerMs: slots * 256 })));
    expect(driver.writes.map(({ slots }) => slots.length)).toEqual([5]);
  });

  it('never carries more, from the first batch on and after a change of layout', async () => {
    const environment = virtualEnvironment();
    const driver = new FaultyDriver(environment);
    driver.maxSlotsPerWrite = 5;
    const [engine, other] = upTo(2).map(() => new LeaseEngine(driver, { environment }));
    const ask = () => Promise.all(upTo(10).map(() => engine?.acquire({ throughputPerMs: 2 * 256 })));
    expect((await ask()).map((response) => response?.leases.length)).toEqual(upTo(10).map(() => 2));
    await other?.changeLayout({ bitId: 15, bitSeq: 7 });
    expect((await ask()).map((response) => response?.leases.length)).toEqual(upTo(10).map(() => 4));
    expect(Math.max(...driver.writes.map(({ slots }) => slots.length))).toBeLessThanOrEqual(5);
  });
});

describe('a caller that gives up', () => {
  const reason = new Error('never mind');

  it('before it asks costs nothing', async () => {
    const { driver, engine } = setUp();
    const call = { signal: AbortSignal.abort(reason) };
    await expect(engine.acquire({}, call)).rejects.toBe(reason);
    expect(driver.reads).toHaveLength(0);
  });

  it('while it waits for its turn is granted nothing', async () => {
    const { environment, driver, engine, lease } = setUp();
    await lease();
    driver.onRead = async (read) => {
      await environment.sleep(10);
      return read();
    };
    const underWay = engine.acquire({});
    await environment.settle();
    const controller = new AbortController();
    const waiting = engine.acquire({}, { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await settled(environment, Promise.all([underWay, engine.inspectPool()]));
    expect((await settled(environment, engine.listLeases())).map(({ id }) => id)).toEqual([0, 1]);
  });

  it('while the store is read is granted nothing', async () => {
    const { environment, driver, engine, lease } = setUp();
    await lease();
    driver.onRead = async (read) => {
      await environment.sleep(10);
      return read();
    };
    const controller = new AbortController();
    const calls = [engine.acquire({}, { signal: controller.signal }), engine.acquire({})];
    await environment.settle();
    controller.abort(reason);
    await expect(calls[0]).rejects.toBe(reason);
    expect((await settled(environment, calls[1] ?? lost())).leases[0]?.id).toBe(1);
    expect((await settled(environment, engine.listLeases())).map(({ id }) => id)).toEqual([0, 1]);
  });

  it('while its call is under way stops waiting, and its request has its response', async () => {
    const { environment, driver, engine, lease } = setUp();
    await lease();
    driver.onWrite = async (write) => {
      await environment.sleep(10);
      return write();
    };
    const controller = new AbortController();
    const call = engine.acquire({ requestId: 'r' }, { signal: controller.signal });
    await environment.settle();
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await settled(environment, engine.acquire({ requestId: 'r' }))).toMatchObject({
      leases: [{ id: 1 }],
      isRepeated: true,
    });
  });
});

describe('close', () => {
  it('finishes the calls under way, then closes the driver, and refuses the rest', async () => {
    const { environment, driver, engine } = setUp();
    driver.onWrite = async (write) => {
      await environment.sleep(10);
      return write();
    };
    const call = engine.acquire({});
    const closed = engine.close();
    await environment.settle();
    expect(driver.closes).toBe(0);
    expect((await settled(environment, call)).leases).toHaveLength(1);
    await closed;
    expect(driver.closes).toBe(1);
    for (const late of [engine.acquire({}), engine.inspectPool(), engine.listLeases(), engine.createPool()]) {
      await expect(late).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    }
  });

  it('happens at the end of `await using`', async () => {
    const { driver, engine } = setUp();
    await engine[Symbol.asyncDispose]();
    expect(driver.closes).toBe(1);
  });
});

it('every read is followed by a write or given up, whatever comes of the calls', async () => {
  const { environment, driver, engine, newEngine, lease } = setUp(FOUR_SLOTS);
  const first = await lease();
  const wrong = new LeaseEngine(driver, { environment, services: { default: { bitTs: 40, bitReserve: 2 } } });
  const never = new LeaseEngine(driver, { environment, createPools: 'never', pools: { own: {} } });
  const calls = [
    engine.acquire({ throughputPerMs: perSlot(4) }),
    engine.release(releaseOf(first)),
    engine.release(releaseOf(first)),
    engine.whois(5n),
    engine.quarantine(),
    engine.createPool(),
    newEngine().acquire({}),
    wrong.acquire({}),
    never.inspectPool('own'),
    engine.changeLayout({ bitId: 4, bitSeq: 18 }),
  ];
  await settled(environment, Promise.allSettled(calls));
  expect(driver.open).toBe(0);
});
