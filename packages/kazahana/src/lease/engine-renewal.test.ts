// Renewal in place: a new window of the same slot for the same holder, and what quotas make of it.
import { describe, expect, it } from 'vitest';
import { MemoryDriver } from '../providers/memory-driver.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { LeaseEngine } from './engine.js';
import type { LeaseEngineOptions } from './provider-options.js';
import { signHold, signRelease } from './signature.js';
import type { AcquireOptions, AcquireResponse, CallOptions, LeaseInfo, RenewalClaim } from './types.js';

const MINUTE = 60_000;
const FOUR_SLOTS = { bitId: 3, bitSeq: 19 };
const perSlot = (slots: number) => slots * 2 ** 19;
const FULL = { code: 'POOL_EXHAUSTED', reason: 'every slot is held' };
const USED_UP = { code: 'POOL_EXHAUSTED', reason: 'the quota is used up' };

function setUp(service: object = {}, options: LeaseEngineOptions = {}) {
  const environment = virtualEnvironment();
  const driver = new MemoryDriver({ environment });
  const newEngine = (more: object = {}) =>
    new LeaseEngine(driver, {
      environment,
      services: { default: { ...FOUR_SLOTS, leaseDuration: MINUTE, fallbackGrace: 0, ...service, ...more } },
      ...options,
    });
  /** Claims all leases of a response, as their holder does. */
  const claimsOf = ({ leases, pool = '' }: AcquireResponse): RenewalClaim[] =>
    leases.map(({ id, bitId, bitSeq, created, expired, fallbackUntil = expired, secret }) => {
      const timestamp = environment.now();
      const signature = signHold(secret, id, timestamp);
      return { pool, id, bitId, bitSeq, created, expired, fallbackUntil, timestamp, signature };
    });
  const engine = newEngine();
  const renew = (held: AcquireResponse, more: AcquireOptions = {}, call: CallOptions = {}, by = engine) =>
    by.acquire({ ...more, renew: claimsOf(held) }, call);
  return { environment, engine, newEngine, claimsOf, renew };
}

const idsOf = ({ leases }: AcquireResponse) => leases.map(({ id }) => id);

describe('a renewal', () => {
  it('gives the same slot a new window, though the pool is full, and raises the serial', async () => {
    const { environment, engine, renew } = setUp();
    const held = await engine.acquire({});
    await engine.acquire({ throughputPerMs: perSlot(4) });
    await environment.advance(50_000);
    await expect(engine.acquire({})).rejects.toMatchObject(FULL);
    const renewed = await renew(held);
    const now = environment.now();
    expect(renewed).toMatchObject({
      now,
      serial: 3,
      leases: [{ id: 0, created: now, expired: now + MINUTE }],
    });
    expect(renewed.leases[0]?.secret).not.toBe(held.leases[0]?.secret);
    expect(renewed.isRepeated).toBeUndefined();
  });

  it('R2: does not begin before the old lease when the clock of the store has stepped back', async () => {
    const { environment, engine, renew } = setUp();
    const held = await engine.acquire({});
    const { created = 0 } = held.leases[0] ?? {};
    environment.set(created - 5000);
    const renewed = await renew(held);
    expect(renewed.leases[0]).toMatchObject({ id: 0, created, expired: created + MINUTE });
  });

  it('R8: is not repeated with leases of which one has expired: a new one may end before the renewed one', async () => {
    const { environment, engine, claimsOf } = setUp();
    const held = await engine.acquire({});
    // The new lease of the next request begins now, the renewed one does not begin before the old one.
    environment.set(environment.now() - 30_000);
    const request = { requestId: 'r', throughputPerMs: perSlot(2), renew: claimsOf(held) };
    const renewed = await engine.acquire(request);
    expect(renewed.leases.map(({ id, expired }) => [id, expired - environment.now()])).toEqual([
      [0, 90_000],
      [1, MINUTE],
    ]);
    expect((await engine.acquire(request)).isRepeated).toBe(true);
    await environment.advance(MINUTE);
    expect(await engine.acquire({ ...request, renew: [] })).not.toHaveProperty('isRepeated');
  });

  it('R2: keeps the slot held to the end of the longest window', async () => {
    const { environment, engine, newEngine, renew } = setUp({ bitId: 1, bitSeq: 21 });
    const held = await engine.acquire({});
    await environment.advance(1000);
    const brief = newEngine({ leaseDuration: 10 });
    await renew(held, {}, {}, brief);
    await environment.advance(10);
    await expect(engine.acquire({})).rejects.toMatchObject({ ...FULL, retryAfterMs: MINUTE - 1010 });
  });

  it('gets the same response for the same request, and by the same secrets only once', async () => {
    const { environment, engine, claimsOf } = setUp();
    const held = await engine.acquire({});
    const request = { requestId: 'r', renew: claimsOf(held) };
    const renewed = await engine.acquire(request);
    await environment.advance(5);
    expect(await engine.acquire(request)).toMatchObject({ leases: renewed.leases, isRepeated: true });
    // The old secret is of no lease any more: a request of another name is an ordinary acquire.
    expect(idsOf(await engine.acquire({ renew: claimsOf(held) }))).toEqual([1]);
  });

  it('ends the old lease: its secret releases nothing, the new one does', async () => {
    const { environment, engine, renew } = setUp();
    const held = await engine.acquire({});
    const renewed = await renew(held);
    const release = ({ leases }: AcquireResponse) => {
      const { id, secret } = leases[0] as LeaseInfo;
      const timestamp = environment.now();
      return engine.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
    };
    await expect(release(held)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    await release(renewed);
    expect(await engine.listLeases()).toEqual([]);
  });

  it('of several leases renews them all, and adds slots when more are requested', async () => {
    const { engine, renew } = setUp();
    const held = await engine.acquire({ throughputPerMs: perSlot(2) });
    const renewed = await renew(held, { throughputPerMs: perSlot(3) });
    expect(idsOf(renewed)).toEqual([0, 1, 2]);
  });

  it('renews no more than is requested: the rest stays as it is', async () => {
    const { engine, renew } = setUp();
    const held = await engine.acquire({ throughputPerMs: perSlot(3) });
    expect(idsOf(await renew(held, { throughputPerMs: perSlot(1) }))).toEqual([0]);
    expect((await engine.listLeases()).map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  it('gives what it can when some claims are of no use', async () => {
    const { engine, claimsOf } = setUp();
    const held = await engine.acquire({ throughputPerMs: perSlot(4) });
    const claims = claimsOf(held);
    await engine.revoke({ id: 1 });
    const renew = claims.map((claim) => (claim.id === 2 ? { ...claim, signature: '' } : claim));
    expect(idsOf(await engine.acquire({ renew, throughputPerMs: perSlot(4) }))).toEqual([0, 3]);
  });

  it('takes a slot once, however often it is claimed', async () => {
    const { engine, claimsOf } = setUp();
    const held = await engine.acquire({});
    const claims = claimsOf(held);
    const both = await Promise.all([
      engine.acquire({ renew: [...claims, ...claims], throughputPerMs: perSlot(2) }),
      engine.acquire({ renew: claims }),
    ]);
    expect(both.map(idsOf)).toEqual([[0, 1], [2]]);
  });

  it('of a lease that has ended goes on with its slot, as long as no other client has got it', async () => {
    const { environment, engine, renew } = setUp();
    const held = await engine.acquire({});
    await environment.advance(MINUTE + 5000);
    const renewed = await renew(held);
    expect(renewed.leases).toMatchObject([{ id: 0, created: environment.now() }]);
    await environment.advance(MINUTE);
    await engine.acquire({ throughputPerMs: perSlot(4) });
    await expect(renew(renewed)).rejects.toMatchObject(FULL);
  });

  it('of a lease that has ended leaves the rest of the pool to calls that wait with it', async () => {
    const { environment, engine, claimsOf } = setUp();
    const held = await engine.acquire({});
    await engine.acquire({ throughputPerMs: perSlot(3) });
    await environment.advance(MINUTE);
    const responses = await Promise.all([
      engine.acquire({ renew: claimsOf(held) }),
      engine.acquire({ throughputPerMs: perSlot(4) }),
    ]);
    expect(responses.map(idsOf)).toEqual([[0], [1, 2, 3]]);
  });

  it('by a signature that is not of this half minute is an ordinary acquire', async () => {
    const { environment, engine, claimsOf } = setUp();
    const held = await engine.acquire({});
    const claims = claimsOf(held);
    await environment.advance(30_001);
    expect(idsOf(await engine.acquire({ renew: claims }))).toEqual([1]);
  });

  for (const widths of [{ bitSeq: 18 }, { bitId: 4 }, { bitId: 4, bitSeq: 18 }]) {
    it(`of another width (${JSON.stringify(widths)}) is an ordinary acquire: that is no slot of the pool`, async () => {
      const { engine, claimsOf } = setUp();
      const renewed = claimsOf(await engine.acquire({})).map((claim) => ({ ...claim, ...widths }));
      expect(idsOf(await engine.acquire({ renew: renewed }))).toEqual([1]);
    });
  }

  it('near the end of its lease waits for the quarantine to end, and no longer', async () => {
    const { environment, engine, renew } = setUp({ leaseDuration: 10 * MINUTE });
    const held = await engine.acquire({ throughputPerMs: perSlot(1) });
    await environment.advance(10 * MINUTE - 5000);
    const { quarantinedUntil } = await engine.quarantine();
    await expect(renew(held)).rejects.toMatchObject({ code: 'POOL_EXHAUSTED', reason: 'in quarantine' });
    await environment.advance(quarantinedUntil - environment.now());
    expect(idsOf(await renew(held))).toEqual([0]);
  });

  it('of another pool is an ordinary acquire', async () => {
    const services = { own: { pool: 'own', ...FOUR_SLOTS, leaseDuration: MINUTE } };
    const { engine, claimsOf } = setUp({}, { services });
    await engine.acquire({ serviceId: 'own' });
    const held = await engine.acquire({});
    expect(idsOf(await engine.acquire({ serviceId: 'own', renew: claimsOf(held) }))).toEqual([1]);
    expect((await engine.inspectPool('own')).quarantinedUntil).toBe(0);
  });
});

describe('a quota', () => {
  it('that is used up does not keep its holders from renewing', async () => {
    const { environment, engine, renew } = setUp({ maxLeases: 2 });
    let held = [await engine.acquire({}), await engine.acquire({})];
    for (let i = 0; i < 5; i++) {
      await environment.advance(50_000);
      held = [await renew(held[0] as AcquireResponse), await renew(held[1] as AcquireResponse)];
      expect(held.map(idsOf)).toEqual([[0], [1]]);
      await expect(engine.acquire({})).rejects.toMatchObject(USED_UP);
    }
    expect(await engine.inspectPool()).toMatchObject({ held: 2 });
  });

  it('counts what is added to a renewal', async () => {
    const { engine, renew } = setUp({ maxLeases: 2 });
    const held = await engine.acquire({});
    expect(idsOf(await renew(held, { throughputPerMs: perSlot(4) }))).toEqual([0, 1]);
    await expect(engine.acquire({})).rejects.toMatchObject(USED_UP);
  });

  it('that was lowered lets a holder renew as many as it leaves', async () => {
    const { environment, engine, newEngine, renew } = setUp({ maxLeases: 4 });
    const held = await engine.acquire({ throughputPerMs: perSlot(3) });
    const other = await engine.acquire({});
    const strict = newEngine({ maxLeases: 2 });
    // Three of its own and one of another: there is room for one.
    const renewed = await renew(held, { throughputPerMs: perSlot(3) }, {}, strict);
    expect(idsOf(renewed)).toEqual([0]);
    // None for the other, which is told when the first lease ends.
    await expect(renew(other, {}, {}, strict)).rejects.toMatchObject({ ...USED_UP, retryAfterMs: MINUTE });
    await environment.advance(MINUTE);
    expect(idsOf(await renew(other, {}, {}, strict))).toEqual([3]);
  });

  it('does not count a lease that has ended: its holder has to wait like a newcomer', async () => {
    const { environment, engine, renew } = setUp({ maxLeases: 1 });
    const held = await engine.acquire({});
    await environment.advance(MINUTE);
    expect(idsOf(await engine.acquire({}))).toEqual([1]);
    await expect(renew(held)).rejects.toMatchObject(USED_UP);
  });

  it('leaves no room to a lease that it does not count yet', async () => {
    const { engine, newEngine, renew } = setUp();
    const held = await engine.acquire({});
    const strict = newEngine({ maxLeases: 1 });
    expect(idsOf(await strict.acquire({}))).toEqual([1]);
    await expect(renew(held, {}, {}, strict)).rejects.toMatchObject(USED_UP);
  });

  it('of an account counts its renewals as its own, whatever the service', async () => {
    const { engine, renew } = setUp();
    const call = { account: { name: 'a', maxLeases: 1 } };
    const held = await engine.acquire({}, call);
    const renewed = await renew(held, { serviceId: 'mails' }, call);
    expect(idsOf(renewed)).toEqual([0]);
    await expect(engine.acquire({}, call)).rejects.toMatchObject(USED_UP);
    await expect(engine.acquire({ serviceId: 'mails' }, call)).rejects.toMatchObject(USED_UP);
    expect(idsOf(await engine.acquire({}))).toEqual([1]);
  });

  it('that is new does not count what was granted before it, until that is renewed', async () => {
    const { engine, newEngine, renew } = setUp();
    const held = await engine.acquire({ throughputPerMs: perSlot(2) });
    const strict = newEngine({ maxLeases: 2 });
    expect(idsOf(await renew(held, { throughputPerMs: perSlot(2) }, {}, strict))).toEqual([0, 1]);
    await expect(strict.acquire({})).rejects.toMatchObject(USED_UP);
  });

  it('is kept by calls that wait together', async () => {
    const { engine } = setUp({ maxLeases: 2 });
    await engine.inspectPool();
    const outcomes = await Promise.allSettled([engine.acquire({}), engine.acquire({}), engine.acquire({})]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });
});
