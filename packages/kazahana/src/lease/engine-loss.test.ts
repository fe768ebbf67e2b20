// R7 in the engine: what it remembers of a store, what it does when the store goes back to an older state, vanishes or
// fails over, and which claims of clients it believes.
import { describe, expect, it } from 'vitest';
import { MemoryDriver } from '../providers/memory-driver.js';
import { virtualEnvironment } from '../virtual-environment.js';
import type { Changes, Facts } from './driver.js';
import { LeaseEngine } from './engine.js';
import type { PoolLoss } from './loss.js';
import type { LeaseEngineOptions } from './provider-options.js';
import { signHold, signRelease } from './signature.js';
import type { AcquireOptions, AcquireResponse, LeaseInfo, RenewalClaim } from './types.js';

const MINUTE = 60_000;
/** The longest window, and the margin between the clocks of a store's members. */
const QUARANTINE = 2 * MINUTE + 10_000;
const LOSS_KEY = 'the same on all servers';
const IN_QUARANTINE = { code: 'POOL_EXHAUSTED', reason: 'in quarantine' };

function setUp(options: LeaseEngineOptions = {}) {
  const environment = virtualEnvironment();
  const driver = new MemoryDriver({ environment });
  const losses: PoolLoss[] = [];
  const newEngine = (more: LeaseEngineOptions = {}) =>
    new LeaseEngine(driver, {
      environment,
      services: { default: { leaseDuration: MINUTE } },
      onLoss: (loss) => losses.push(loss),
      ...options,
      ...more,
    });
  const claimOf = (
    { leases, pool = '' }: AcquireResponse,
    changes: Partial<RenewalClaim> = {},
  ): RenewalClaim => {
    const [lease] = leases;
    if (!lease) throw new Error('no lease came');
    const { id, bitId, bitSeq, created, expired, fallbackUntil = expired, proof } = lease;
    const timestamp = environment.now();
    return {
      ...{ pool, id, bitId, bitSeq, created, expired, fallbackUntil },
      ...{ timestamp, signature: signHold(lease.secret, id, timestamp) },
      ...(proof !== undefined && { proof }),
      ...changes,
    };
  };
  const release = (engine: LeaseEngine, { leases }: AcquireResponse) => {
    const { id, secret } = leases[0] as LeaseInfo;
    const timestamp = environment.now();
    return engine.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
  };
  return { environment, driver, engine: newEngine(), newEngine, losses, claimOf, release };
}

const idsOf = ({ leases }: AcquireResponse) => leases.map(({ id }) => id);
const UNTRUSTED = { isTrusted: false };

describe('a store that goes back between a read and the write that follows', () => {
  it('is noticed at the next look', async () => {
    const { environment, losses } = setUp();
    const driver = new MemoryDriver({ environment });
    const engine = new LeaseEngine(driver, { environment, onLoss: (loss) => losses.push(loss) });
    await engine.acquire({});
    const snapshot = driver.snapshot();
    await engine.acquire({ serviceId: 'orders' });
    const write = driver.write.bind(driver);
    driver.write = async (...args) => {
      driver.write = write;
      driver.restore(snapshot);
      return write(...args);
    };
    await engine.acquire({});
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses.map(({ reason }) => reason)).toEqual(['serial']);
  });
});

describe('a lease that the store has lost and that is longer than any that this process grants', () => {
  it('keeps the pool in quarantine until it has ended', async () => {
    const { environment, driver, newEngine, claimOf } = setUp();
    const long = newEngine({ services: { default: { leaseDuration: 60 * MINUTE } } });
    const held = await long.acquire({});
    driver.restore(new MemoryDriver().snapshot());
    const short = newEngine();
    await short.acquire({ renew: [claimOf(held)] });
    const { quarantinedUntil } = await short.inspectPool();
    expect(quarantinedUntil).toBe(environment.now() + 120 * MINUTE + 10_000);
  });
});

describe('a store that goes back to an older state under a running engine', () => {
  it('is noticed before the next grant, told once, and grants on above all that was seen', async () => {
    const { environment, driver, engine, losses } = setUp();
    await engine.acquire({});
    const snapshot = driver.snapshot();
    await engine.acquire({});
    await engine.acquire({});
    driver.restore(snapshot);
    const quarantinedUntil = environment.now() + QUARANTINE;
    await expect(engine.acquire({})).rejects.toMatchObject({ ...IN_QUARANTINE, retryAfterMs: QUARANTINE });
    expect(losses).toEqual([{ pool: 'default', reason: 'serial', quarantinedUntil }]);
    await environment.advance(QUARANTINE - 1);
    await expect(engine.acquire({})).rejects.toMatchObject({ ...IN_QUARANTINE, retryAfterMs: 1 });
    await environment.advance(1);
    expect((await engine.acquire({})).serial).toBe(4);
    expect(losses).toHaveLength(1);
    expect((await engine.inspectPool()).quarantinedUntil).toBe(0);
  });

  it('waits for the longest window that was ever granted, by whatever engine', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.inspectPool();
    const patient = newEngine({ services: { default: { leaseDuration: 10 * MINUTE } } });
    await patient.acquire({});
    const snapshot = driver.snapshot();
    await engine.acquire({});
    driver.restore(snapshot);
    const { quarantinedUntil } = await engine.inspectPool();
    expect(quarantinedUntil).toBe(environment.now() + 20 * MINUTE + 10_000);
  });

  it('is noticed by any call, a look at the pool too', async () => {
    const { driver, engine, losses } = setUp();
    await engine.inspectPool();
    const snapshot = driver.snapshot();
    await engine.acquire({});
    driver.restore(snapshot);
    expect((await engine.inspectPool()).quarantinedUntil).toBeGreaterThan(0);
    expect(losses).toHaveLength(1);
  });

  it('stays in quarantine for every other engine, which tells nothing', async () => {
    const { driver, engine, newEngine, losses } = setUp();
    await engine.inspectPool();
    const snapshot = driver.snapshot();
    await engine.acquire({});
    driver.restore(snapshot);
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    await expect(newEngine().acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toHaveLength(1);
  });

  it('is not noticed by an engine that has seen nothing newer, and a client that has makes it so', async () => {
    const { driver, engine, newEngine, losses } = setUp();
    await engine.inspectPool();
    const snapshot = driver.snapshot();
    const { pool = '', serial = 0 } = await engine.acquire({});
    driver.restore(snapshot);
    const fresh = newEngine();
    // Not the alarm of the client's own lease: it claims none.
    await expect(fresh.acquire({ seen: { pool, serial } })).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toMatchObject([{ reason: 'serial' }]);
  });

  it('lets holders of leases that it still knows renew in the quarantine, as long as that is safe', async () => {
    const { environment, driver, engine, claimOf } = setUp();
    const first = await engine.acquire({});
    const snapshot = driver.snapshot();
    await engine.acquire({});
    driver.restore(snapshot);
    await environment.advance(2 * MINUTE - 10_001);
    const renewed = await engine.acquire({ renew: [claimOf(first)] });
    expect(idsOf(renewed)).toEqual(idsOf(first));
    expect(renewed.leases[0]?.created).toBe(environment.now());
    driver.restore(snapshot);
    await environment.advance(1);
    const late = { renew: [claimOf(first)] };
    await expect(engine.acquire(late)).rejects.toMatchObject(IN_QUARANTINE);
  });

  it('a second alarm does not prolong the quarantine', async () => {
    const { environment, driver, engine, newEngine } = setUp();
    await engine.inspectPool();
    const snapshot = driver.snapshot();
    const [a, b] = [await engine.acquire({}), await engine.acquire({})];
    driver.restore(snapshot);
    const { quarantinedUntil } = await engine.inspectPool();
    await environment.advance(5000);
    const other = newEngine();
    for (const { pool = '', serial = 0 } of [a, b, a]) {
      await expect(other.acquire({ seen: { pool, serial } })).rejects.toMatchObject(IN_QUARANTINE);
    }
    expect((await other.inspectPool()).quarantinedUntil).toBe(quarantinedUntil);
  });

  it('R8: a request that is repeated is an alarm like any other', async () => {
    const { engine, losses } = setUp();
    const first = await engine.acquire({ requestId: 'r' });
    const { pool = '', serial = 0 } = first;
    const again = await engine.acquire({ requestId: 'r', seen: { pool, serial: serial + 1 } });
    expect(again.leases).toEqual(first.leases);
    expect(losses).toMatchObject([{ reason: 'serial' }]);
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
  });
});

describe('a pool that is missing', () => {
  it('and was never seen is made, and grants at once', async () => {
    const { engine, losses } = setUp();
    expect(idsOf(await engine.acquire({}))).toEqual([0]);
    expect(losses).toEqual([]);
  });

  it('and was seen by this process is made again in quarantine, with its layout, its share and its id lost', async () => {
    const pools = { default: { bitId: 14, bitSeq: 8, share: { index: 1, of: 2 } } };
    const { environment, driver, engine, losses } = setUp({ pools });
    const empty = driver.snapshot();
    const first = await engine.acquire({});
    await engine.changeLayout({ bitId: 12, bitSeq: 10 });
    driver.restore(empty);
    const quarantinedUntil = environment.now() + QUARANTINE;
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toEqual([{ pool: 'default', reason: 'pool', quarantinedUntil }]);
    const pool = await engine.inspectPool();
    expect(pool).toMatchObject({
      layout: { bitId: 12, bitSeq: 10 },
      share: { index: 1, of: 2 },
      quarantinedUntil,
    });
    expect(pool.id).not.toBe(first.pool);
    await environment.advance(QUARANTINE);
    // A client of the lost pool raises no second alarm.
    const seen = { pool: first.pool ?? '', serial: 1 };
    expect(idsOf(await engine.acquire({ seen }))).toEqual([1024]);
    expect(losses).toHaveLength(1);
    // Nor when the pool in its place is lost, too.
    driver.restore(empty);
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    await environment.advance(QUARANTINE);
    expect(idsOf(await engine.acquire({ seen }))).toEqual([1024]);
    expect(losses).toHaveLength(2);
  });

  it('and was seen by the caller begins with a quarantine', async () => {
    const { engine } = setUp();
    const seen = { pool: '0'.repeat(32), serial: 1 };
    await expect(engine.acquire({ seen })).rejects.toMatchObject(IN_QUARANTINE);
  });

  it('is noticed although another process has made a new one meanwhile', async () => {
    const { driver, engine, newEngine, losses } = setUp();
    const empty = driver.snapshot();
    await engine.acquire({});
    driver.restore(empty);
    const write = driver.write.bind(driver);
    driver.write = async (pool: string, changes: Changes, facts: Facts) => {
      driver.write = write;
      // A newcomer, which knows of nothing, is faster.
      await newEngine().acquire({});
      return write(pool, changes, facts);
    };
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toMatchObject([{ reason: 'pool' }]);
    expect(losses[0]?.quarantinedUntil).toBeGreaterThan(0);
  });

  it("is an error with createPools 'never', which names both ways out; nothing is made", async () => {
    const { driver, engine } = setUp({ createPools: 'never' });
    const error = await engine.acquire({}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'POOL_MISSING', pool: 'default' });
    expect(String(error)).toMatch(/"kazahana pool create --pool default".*--after-loss"/);
    const seen = { pool: '0'.repeat(32), serial: 1 };
    await expect(engine.acquire({ seen })).rejects.toMatchObject({ code: 'POOL_MISSING' });
    await expect(engine.inspectPool()).rejects.toMatchObject({ code: 'POOL_MISSING' });
    expect((await driver.read('default', { slots: [], requests: [], quotas: [] })).pool).toBeNull();
  });

  it("and was seen by this process is made again in quarantine, with createPools 'never' too", async () => {
    const { driver, engine } = setUp({ createPools: 'never' });
    const empty = driver.snapshot();
    await engine.createPool();
    expect(idsOf(await engine.acquire({}))).toEqual([0]);
    driver.restore(empty);
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
  });
});

describe('createPool', () => {
  it('makes a pool that grants at once', async () => {
    const { engine } = setUp({ createPools: 'never' });
    expect(await engine.createPool()).toMatchObject({
      name: 'default',
      serial: 0,
      held: 0,
      quarantinedUntil: 0,
    });
    expect(idsOf(await engine.acquire({}))).toEqual([0]);
  });

  it('after a loss makes one in quarantine', async () => {
    const { environment, engine } = setUp({ createPools: 'never' });
    const { quarantinedUntil } = await engine.createPool({ afterLoss: true });
    expect(quarantinedUntil).toBe(environment.now() + QUARANTINE);
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    await environment.advance(QUARANTINE);
    expect(idsOf(await engine.acquire({}))).toEqual([0]);
  });

  it('refuses a pool that exists, and one of two that are made at once', async () => {
    const { engine, newEngine } = setUp();
    const outcomes = await Promise.allSettled([engine.createPool(), newEngine().createPool()]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'POOL_EXISTS' } }]);
    await expect(engine.createPool({ afterLoss: true })).rejects.toMatchObject({ code: 'POOL_EXISTS' });
    expect((await engine.inspectPool()).quarantinedUntil).toBe(0);
    await expect(engine.createPool({ pool: 'no such pool' })).rejects.toThrow('pool must be one of default');
  });
});

describe('a store that begins another life', () => {
  it('and may have lost something is in quarantine before the next grant, once for all engines', async () => {
    const { environment, driver, engine, newEngine, losses, claimOf } = setUp();
    driver.incarnation = { id: 'a', mayLose: true };
    const first = await engine.acquire({});
    driver.incarnation = { id: 'b', mayLose: true };
    const other = newEngine();
    const quarantinedUntil = environment.now() + QUARANTINE;
    await expect(other.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toEqual([{ pool: 'default', reason: 'incarnation', quarantinedUntil }]);
    await environment.advance(1000);
    // The fleet goes on.
    expect(idsOf(await engine.acquire({ renew: [claimOf(first)] }))).toEqual([0]);
    expect(losses).toHaveLength(1);
    expect((await engine.inspectPool()).quarantinedUntil).toBe(quarantinedUntil);
  });

  it('and loses nothing that it acknowledged grants on', async () => {
    const { driver, engine, losses } = setUp();
    driver.incarnation = { id: 'a', mayLose: false };
    await engine.acquire({});
    driver.incarnation = { id: 'b', mayLose: false };
    expect(idsOf(await engine.acquire({}))).toEqual([1]);
    // From a life in which nothing was lost to one in which something may be.
    driver.incarnation = { id: 'c', mayLose: true };
    await expect(engine.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toHaveLength(1);
  });

  it("grants on with afterFailOver 'trust', whose engine remembers the new life for all", async () => {
    const { driver, engine, newEngine, losses } = setUp();
    const trusting = newEngine({ afterFailOver: 'trust' });
    driver.incarnation = { id: 'a', mayLose: true };
    await trusting.acquire({});
    driver.incarnation = { id: 'b', mayLose: true };
    expect(idsOf(await trusting.acquire({}))).toEqual([1]);
    expect(idsOf(await engine.acquire({}))).toEqual([2]);
    expect(losses).toEqual([]);
  });
});

describe('a lease that the store has lost', () => {
  /** A pool that went back to before its second lease, as an engine without memory finds it. */
  async function lossOf(options: LeaseEngineOptions = {}) {
    const trial = setUp(options);
    const { driver, engine, newEngine } = trial;
    const known = await engine.acquire({});
    const snapshot = driver.snapshot();
    const lost = await engine.acquire({});
    driver.restore(snapshot);
    return { ...trial, known, lost, fresh: newEngine() };
  }

  it('is entered again and renewed when its holder is believed; newcomers wait', async () => {
    const { environment, fresh, lost, losses, claimOf, release } = await lossOf();
    await environment.advance(1000);
    const renewed = await fresh.acquire({ renew: [claimOf(lost)] });
    expect(idsOf(renewed)).toEqual([1]);
    expect(renewed.leases[0]).toMatchObject({
      created: environment.now(),
      expired: environment.now() + MINUTE,
    });
    expect(renewed.leases[0]?.secret).not.toBe(lost.leases[0]?.secret);
    expect(losses).toMatchObject([{ reason: 'lease' }]);
    await expect(fresh.acquire({})).rejects.toMatchObject(IN_QUARANTINE);
    // From here on it is a lease like any other.
    const next = await fresh.acquire({ renew: [claimOf(renewed)] });
    expect(idsOf(next)).toEqual([1]);
    await release(fresh, next);
    expect(losses).toHaveLength(1);
  });

  const untrusted: [title: string, change: (claim: RenewalClaim) => Partial<RenewalClaim>][] = [
    ['has no proof', () => ({ proof: '' })],
    ['has the proof of another lease', ({ created }) => ({ created: created + 1 })],
    [
      'claims a longer window than was proved',
      ({ fallbackUntil }) => ({ fallbackUntil: fallbackUntil + MINUTE }),
    ],
    ['claims another machine ID', () => ({ id: 7 })],
  ];
  for (const [title, change] of untrusted) {
    it(`is not entered again when a stranger ${title}: an ordinary acquire, and no alarm`, async () => {
      const { fresh, lost, losses, claimOf } = await lossOf({ lossKey: LOSS_KEY });
      const claim = claimOf(lost);
      const response = await fresh.acquire({ renew: [{ ...claim, ...change(claim) }] }, UNTRUSTED);
      // The first free slot, as for everyone; the windows are apart because that one was lost, not because of the claim.
      expect(response.leases[0]?.created).toBeGreaterThanOrEqual(lost.leases[0]?.created ?? 0);
      expect(losses).toEqual([]);
      expect((await fresh.inspectPool()).quarantinedUntil).toBe(0);
    });
  }

  it('is entered again for a stranger that has the proof of a server', async () => {
    const { fresh, lost, losses, claimOf } = await lossOf({ lossKey: LOSS_KEY });
    const renewed = await fresh.acquire({ renew: [claimOf(lost)] }, UNTRUSTED);
    expect(idsOf(renewed)).toEqual([1]);
    expect(losses).toMatchObject([{ reason: 'lease' }]);
  });

  it('is not entered again by a server with another key, or with none', async () => {
    for (const lossKey of ['another key', undefined]) {
      const { driver, environment, lost, losses, claimOf } = await lossOf({ lossKey: LOSS_KEY });
      const server = new LeaseEngine(driver, { environment, ...(lossKey !== undefined && { lossKey }) });
      await server.acquire({ renew: [claimOf(lost)] }, UNTRUSTED);
      expect(losses).toEqual([]);
      expect((await server.inspectPool()).quarantinedUntil).toBe(0);
    }
  });

  it('is refused when its slot was granted anew since, and that is an alarm', async () => {
    const { environment, newEngine, fresh, lost, losses, claimOf } = await lossOf();
    await environment.advance(10);
    const other = await fresh.acquire({});
    expect(idsOf(other)).toEqual(idsOf(lost));
    await expect(newEngine().acquire({ renew: [claimOf(lost)] })).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toMatchObject([{ reason: 'lease' }]);
    // The other holder goes on.
    expect(idsOf(await fresh.acquire({ renew: [claimOf(other)] }))).toEqual([1]);
  });

  it('is refused when it is about to end: a member with a fast clock may have granted its slot', async () => {
    const { environment, fresh, lost, claimOf } = await lossOf();
    await environment.advance(2 * MINUTE - 10_000);
    await expect(fresh.acquire({ renew: [claimOf(lost)] })).rejects.toMatchObject(IN_QUARANTINE);
  });

  it('is entered again when it has no grace', async () => {
    const services = { default: { leaseDuration: MINUTE, fallbackGrace: 0 } };
    const { fresh, lost, claimOf } = await lossOf({ services });
    expect(idsOf(await fresh.acquire({ renew: [claimOf(lost)] }))).toEqual([1]);
  });

  it('is entered again in the pool that took the place of a lost one', async () => {
    const { driver, engine, newEngine, claimOf } = setUp({ lossKey: LOSS_KEY });
    const empty = driver.snapshot();
    const [first, second] = [await engine.acquire({}), await engine.acquire({})];
    driver.restore(empty);
    const fresh = newEngine();
    const { pool = '', serial = 0, proof = '' } = second;
    const request: AcquireOptions = { seen: { pool, serial, proof }, renew: [claimOf(second)] };
    expect(idsOf(await fresh.acquire(request, UNTRUSTED))).toEqual([1]);
    expect(idsOf(await fresh.acquire({ renew: [claimOf(first)] }, UNTRUSTED))).toEqual([0]);
    await expect(fresh.acquire({}, UNTRUSTED)).rejects.toMatchObject(IN_QUARANTINE);
  });

  it('is not entered again when its claim has no window, or is of a slot that the pool does not have', async () => {
    const pools = { default: { bitId: 4, bitSeq: 18, share: { index: 1, of: 2 } } };
    const { fresh, lost, claimOf } = await lossOf({ pools });
    const claim = claimOf(lost);
    const outside = [0, 3, 8].map((id) => ({ ...claim, id }));
    expect(idsOf(await fresh.acquire({ renew: outside, throughputPerMs: 2 ** 20 }))).toEqual([5, 6, 7]);
    expect((await fresh.inspectPool()).quarantinedUntil).toBe(0);
    const unsound = [
      { ...claim, expired: claim.created },
      { ...claim, expired: claim.created + 1 },
      { ...claim, expired: claim.fallbackUntil + 1 },
    ];
    for (const one of unsound) {
      const call = fresh.acquire({ renew: [{ ...one, id: 4, created: one.created + 1 }] });
      await expect(call).rejects.toMatchObject({ code: 'POOL_EXHAUSTED' });
    }
  });

  it('is missed although the holder before it has renewed its own ended lease of that slot since', async () => {
    // Two slots, one of which is held for long.
    const widths = { bitId: 2, bitSeq: 20 };
    const services = { default: { leaseDuration: MINUTE, ...widths }, long: { leaseDuration: 60 * MINUTE } };
    const { environment, driver, engine, newEngine, losses, claimOf } = setUp({ services });
    const first = await engine.acquire({});
    await engine.acquire({ serviceId: 'long' });
    await environment.advance(2 * MINUTE);
    const snapshot = driver.snapshot();
    const lost = await engine.acquire({});
    driver.restore(snapshot);
    await environment.advance(1000);
    const again = await newEngine().acquire({ renew: [claimOf(first)] });
    expect([lost, again].map(idsOf)).toEqual([[0], [0]]);
    expect(losses).toEqual([]);
    await expect(newEngine().acquire({ renew: [claimOf(lost)] })).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses).toMatchObject([{ reason: 'lease' }]);
  });

  it('is one alarm, however often it is claimed', async () => {
    const { environment, newEngine, lost, losses, claimOf } = await lossOf();
    await environment.advance(10);
    await newEngine().acquire({});
    for (let i = 0; i < 3; i++) {
      await environment.advance(10);
      const claim = { renew: [claimOf(lost)] };
      await expect(newEngine().acquire(claim)).rejects.toMatchObject(IN_QUARANTINE);
    }
    expect(losses).toHaveLength(1);
  });
});

describe('a lease that began in a quarantine and is lost', () => {
  it('shows a second loss, though the quarantine lasts longer than the lease', async () => {
    // Another service of the pool has far longer leases, and so is the quarantine.
    const services = { default: { leaseDuration: MINUTE }, long: { leaseDuration: 60 * MINUTE } };
    const { environment, driver, engine, newEngine, losses, claimOf } = setUp({ services });
    const first = await engine.acquire({});
    const { quarantinedUntil } = await engine.quarantine();
    await environment.advance(1000);
    const snapshot = driver.snapshot();
    const renewed = await engine.acquire({ renew: [claimOf(first)] });
    expect(renewed.leases[0]?.fallbackUntil).toBeLessThan(quarantinedUntil);
    driver.restore(snapshot);
    await environment.advance(1000);
    expect(idsOf(await newEngine().acquire({ renew: [claimOf(renewed)] }))).toEqual([0]);
    expect(losses).toMatchObject([{ reason: 'lease', quarantinedUntil: quarantinedUntil + 2000 }]);
  });
});

describe('a claim of a lease that the store knows is no loss', () => {
  it('when it was released, and the request comes once more', async () => {
    const { environment, engine, losses, claimOf, release } = setUp();
    const first = await engine.acquire({});
    const claim = claimOf(first);
    await release(engine, first);
    for (let i = 0; i < 12; i++) {
      await environment.advance(10);
      const other = await engine.acquire({ renew: [claim] });
      if (i > 8) continue;
      await release(engine, other);
    }
    expect(losses).toEqual([]);
  });

  it('when it was renewed, and the request comes once more: it gets another slot', async () => {
    const { environment, engine, losses, claimOf } = setUp();
    let last = await engine.acquire({});
    const claims = [claimOf(last)];
    for (let i = 0; i < 3; i++) {
      await environment.advance(1000);
      last = await engine.acquire({ meta: { host: String(i % 2) }, renew: [claimOf(last)] });
      claims.push(claimOf(last));
    }
    expect(idsOf(last)).toEqual([0]);
    for (const [i, claim] of claims.slice(0, 3).entries()) {
      expect(idsOf(await engine.acquire({ renew: [claim] }))).toEqual([i + 1]);
    }
    expect(losses).toEqual([]);
  });

  it('when it was revoked, or has ended and its slot has another holder', async () => {
    const { environment, engine, losses, claimOf } = setUp({ pools: { default: { bitId: 1, bitSeq: 21 } } });
    const first = await engine.acquire({});
    const claim = claimOf(first);
    await engine.revoke({ id: 0 });
    await expect(engine.acquire({ renew: [claim] })).rejects.toMatchObject({ reason: 'every slot is held' });
    await environment.advance(2 * MINUTE);
    await engine.acquire({});
    await expect(engine.acquire({ renew: [claimOf(first)] })).rejects.toMatchObject({
      reason: 'every slot is held',
    });
    expect(losses).toEqual([]);
  });

  it('when the layout has changed, and changed back', async () => {
    const { environment, engine, losses, claimOf, release } = setUp();
    const [first, second] = [await engine.acquire({}), await engine.acquire({})];
    await engine.changeLayout({ bitId: 12, bitSeq: 10 });
    await engine.acquire({ renew: [claimOf(first)] });
    await engine.changeLayout({ bitId: 14, bitSeq: 8 });
    await environment.advance(10);
    const renewed = await engine.acquire({ renew: [claimOf(first)] });
    expect(renewed.leases).toHaveLength(1);
    await release(engine, second);
    await engine.acquire({ renew: [claimOf(second)] });
    expect(losses).toEqual([]);
  });
});

describe('the caller that shows a loss', () => {
  it('is named where it has a name', async () => {
    const { engine, losses } = setUp();
    const { serial = 0 } = await engine.acquire({});
    for (const [pool, call] of [
      ['1'.repeat(32), { caller: 'web' }],
      ['2'.repeat(32), {}],
    ] as const)
      await expect(engine.acquire({ seen: { pool, serial } }, call)).rejects.toMatchObject(IN_QUARANTINE);
    expect(losses.map(({ caller }) => caller)).toEqual(['web', undefined]);
    expect(losses[1]).not.toHaveProperty('caller');
  });
});

describe('what a stranger has seen', () => {
  it('is believed with the proof that came with it, and not otherwise', async () => {
    const { driver, engine, newEngine, losses } = setUp({ lossKey: LOSS_KEY });
    await engine.inspectPool();
    const snapshot = driver.snapshot();
    const { pool = '', serial = 0, proof = '' } = await engine.acquire({});
    driver.restore(snapshot);
    const server = newEngine();
    const lies = [
      { pool, serial },
      { pool, serial: serial + 1, proof },
      { pool: '0'.repeat(32), serial, proof },
      { pool, serial, proof: 'ab'.repeat(32) },
    ];
    for (const seen of lies) await server.acquire({ seen }, UNTRUSTED);
    expect(losses).toEqual([]);
    // By now the serial has passed what was lost.
    driver.restore(snapshot);
    await expect(newEngine().acquire({ seen: { pool, serial, proof } }, UNTRUSTED)).rejects.toMatchObject(
      IN_QUARANTINE,
    );
  });

  it('of one pool stops no other: a proof is for the pool of that name', async () => {
    const services = { a: { pool: 'a', leaseDuration: MINUTE }, b: { pool: 'b', leaseDuration: MINUTE } };
    const { engine, losses, claimOf } = setUp({ lossKey: LOSS_KEY, services });
    await engine.acquire({ serviceId: 'b' });
    for (let i = 0; i < 5; i++) await engine.acquire({ serviceId: 'a' });
    const response = await engine.acquire({ serviceId: 'a' });
    const { pool = '', serial = 0, proof = '' } = response;
    const request = { serviceId: 'b', seen: { pool, serial, proof }, renew: [claimOf(response)] };
    expect(idsOf(await engine.acquire(request, UNTRUSTED))).toEqual([1]);
    // Nor does a caller that is trusted, whose service has moved from one pool to the other.
    expect(idsOf(await engine.acquire(request))).toEqual([2]);
    expect(losses).toEqual([]);
    expect((await engine.inspectPool('b')).quarantinedUntil).toBe(0);
  });
});
