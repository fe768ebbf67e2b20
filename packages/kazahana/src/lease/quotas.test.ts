// Quotas through the engine: what services may hold of a pool, by their configuration and by default.
import { describe, expect, it } from 'vitest';
import { MemoryDriver } from '../providers/memory-driver.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { type PoolsOptions, resolvePools } from './config.js';
import { LeaseEngine } from './engine.js';
import { FLOOR_QUOTA, RequestQuotas } from './quotas.js';
import { newPool } from './rules.js';
import { signHold, signRelease } from './signature.js';
import type { AcquireResponse, LeaseInfo } from './types.js';

const SECOND = 1000;
/** A pool of 32 slots with leases of 8 seconds, 16 with their grace. */
const SMALL = { bitId: 6, bitSeq: 16, leaseDuration: 8 * SECOND };

function setUp(services: PoolsOptions['services'] = {}, serviceShare?: number) {
  const environment = virtualEnvironment();
  const engine = new LeaseEngine(new MemoryDriver({ environment }), {
    services: { ...services, default: { ...SMALL, ...services.default } },
    environment,
    ...(serviceShare !== undefined && { serviceShare }),
  });
  const codeOf = (serviceId?: string, host?: string) => {
    const named = {
      ...(serviceId !== undefined && { serviceId }),
      ...(host !== undefined && { meta: { host } }),
    };
    return engine.acquire(named).then(
      () => 'granted',
      ({ reason }: { reason?: string }) => reason,
    );
  };
  /** How many leases a service, or a host, gets until it is refused, and why it is. */
  const fill = async (serviceId?: string, host?: string) => {
    for (let granted = 0; ; granted++) {
      const outcome = await codeOf(serviceId, host);
      if (outcome !== 'granted') return [granted, outcome];
    }
  };
  return { environment, engine, codeOf, fill };
}

const USED_UP = 'the quota is used up';
const TAKEN = 'every slot is held';

describe('a service with a name', () => {
  it('may hold its share of the pool and no more, configured or not', async () => {
    const { fill } = setUp({ orders: {} }, 0.75);
    expect(await fill('orders')).toEqual([24, USED_UP]);
    expect(await fill('made up')).toEqual([8, TAKEN]);
  });

  it('leaves at least one slot to others, and always has one', async () => {
    expect(await setUp({}, 0.999).fill('orders')).toEqual([31, USED_UP]);
    expect(await setUp({}, 0.001).fill('orders')).toEqual([1, USED_UP]);
    const two = setUp({ default: { bitId: 2, bitSeq: 20 } }, 0.75);
    expect(await two.fill('orders')).toEqual([1, USED_UP]);
    expect(await two.fill('tickets')).toEqual([1, USED_UP]);
  });

  it('may hold the whole pool without a share, with one of 1, or with a quota of its own', async () => {
    expect(await setUp().fill('orders')).toEqual([32, TAKEN]);
    expect(await setUp({}, 1).fill('orders')).toEqual([32, TAKEN]);
    expect(await setUp({ orders: { maxLeases: 33 } }, 0.75).fill('orders')).toEqual([32, TAKEN]);
    expect(await setUp({ orders: { maxLeases: 5 } }, 0.75).fill('orders')).toEqual([5, USED_UP]);
  });

  it('that crashes again and again cannot keep the pool full: others get leases all the time', async () => {
    const { environment, codeOf } = setUp({}, 0.75);
    const others: unknown[] = [];
    // Five starts a second, none of them released: 80 leases in a window of 16 seconds, of a pool of 32.
    for (let start = 0; start < 600; start++) {
      await codeOf('crash-loop');
      if (start % 25 === 24) others.push(await codeOf('orders'));
      await environment.advance(SECOND / 5);
    }
    expect(others).toEqual(others.map(() => 'granted'));
    expect(others.length).toBe(24);
  });
});

describe('a client that names no service', () => {
  it('and no host may fill the pool: nothing tells it from others', async () => {
    expect(await setUp({}, 0.75).fill()).toEqual([32, TAKEN]);
  });

  it('has a share of leases that its host never renewed, and the rest is for other hosts', async () => {
    const { fill } = setUp({}, 0.75);
    expect(await fill(undefined, 'a')).toEqual([24, USED_UP]);
    expect(await fill(undefined, 'b')).toEqual([8, TAKEN]);
  });

  it('may fill the pool without a share, with one of 1, or with a quota of the default service', async () => {
    expect(await setUp().fill(undefined, 'a')).toEqual([32, TAKEN]);
    expect(await setUp({}, 1).fill(undefined, 'a')).toEqual([32, TAKEN]);
    expect(await setUp({ default: { maxLeases: 33 } }, 0.75).fill(undefined, 'a')).toEqual([32, TAKEN]);
    expect(await setUp({ default: { maxLeases: 30 } }, 0.75).fill(undefined, 'a')).toEqual([30, USED_UP]);
  });

  it('that crashes again and again cannot keep the pool full: clients of other hosts get leases all the time', async () => {
    const { environment, codeOf } = setUp({}, 0.75);
    const others: unknown[] = [];
    for (let start = 0; start < 600; start++) {
      await codeOf(undefined, 'crash-loop');
      if (start % 25 === 24) others.push(await codeOf(undefined, 'well'));
      await environment.advance(SECOND / 5);
    }
    expect(others).toEqual(Array.from({ length: 24 }, () => 'granted'));
  });

  /** Renews a lease, and returns the response. */
  async function renew(engine: LeaseEngine, { leases, pool = '' }: AcquireResponse, timestamp: number) {
    const [{ id, bitId, bitSeq, created, expired, fallbackUntil = expired, secret }] = leases as [LeaseInfo];
    const claim = { pool, id, bitId, bitSeq, created, expired, fallbackUntil, timestamp };
    const renewed = [{ ...claim, signature: signHold(secret, id, timestamp) }];
    const response = await engine.acquire({ meta: { host: 'a' }, renew: renewed });
    expect(response.leases[0]?.id).toBe(id);
    return response;
  }

  it('renews what it has, and its host may then fill the pool', async () => {
    const { environment, engine, fill } = setUp({}, 0.75);
    const first = await Promise.all(
      Array.from({ length: 24 }, () => engine.acquire({ meta: { host: 'a' } })),
    );
    expect(await fill(undefined, 'a')).toEqual([0, USED_UP]);
    await environment.advance(6 * SECOND);
    for (const lease of first) await renew(engine, lease, environment.now());
    expect(await fill(undefined, 'a')).toEqual([8, TAKEN]);
  });

  it('renews again and again, however many leases a crash loop on its host has', async () => {
    const { environment, engine, fill } = setUp({}, 0.75);
    let lease = await engine.acquire({ meta: { host: 'a' } });
    for (let turn = 0; turn < 3; turn++) {
      await fill(undefined, 'a');
      await environment.advance(6 * SECOND);
      lease = await renew(engine, lease, environment.now());
    }
  });
});

describe('services that are not configured', () => {
  it('count together against the quota of the default service', async () => {
    const { fill, codeOf } = setUp({ default: { maxLeases: 10 }, orders: {} });
    for (let i = 0; i < 7; i++) expect(await codeOf(`made up ${i}`)).toBe('granted');
    expect(await fill()).toEqual([3, USED_UP]);
    expect(await codeOf('made up 99')).toBe(USED_UP);
    expect(await fill('orders')).toEqual([22, TAKEN]);
  });
});

describe('the totals of a pool', () => {
  it('count what each configured service holds, and what was released no more', async () => {
    const { engine, environment } = setUp({ orders: {}, far: { pool: 'other' } }, 0.75);
    const { leases } = await engine.acquire({ serviceId: 'orders' });
    await engine.acquire({ serviceId: 'orders' });
    await engine.acquire({});
    await engine.acquire({ serviceId: 'made up' });
    expect(await engine.inspectPool()).toMatchObject({ held: 4, heldBy: { default: 1, orders: 2 } });
    const [{ id, secret } = { id: -1, secret: '' }] = leases;
    const timestamp = environment.now();
    await engine.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
    await environment.advance(1);
    expect(await engine.inspectPool()).toMatchObject({ held: 3, heldBy: { default: 1, orders: 1 } });
    expect(await engine.inspectPool('other')).toMatchObject({ held: 0, heldBy: { far: 0 } });
  });

  it('do not without a share: nothing more is kept of a lease then', async () => {
    const { engine } = setUp();
    await engine.acquire({});
    expect('heldBy' in (await engine.inspectPool())).toBe(false);
  });
});

describe('a share', () => {
  it('is more than 0 and at most 1', () => {
    for (const share of [0, -1, 1.01, Number.NaN, '0.5' as unknown as number]) {
      expect(() => setUp({}, share)).toThrow('serviceShare must be a number above 0 and at most 1');
    }
  });
});

describe('the quotas of a request', () => {
  const { service: of, pool } = resolvePools({
    services: { default: { ...SMALL, maxLeases: 3 }, limited: { maxLeases: 2 }, unlimited: {} },
  });
  const record = newPool('p', 'g', pool('default'));
  /** What a new lease counts for, and what limits it. */
  const namesOf = (serviceId?: string, share?: number) => {
    const quotas = new RequestQuotas(of(serviceId), share, undefined, undefined);
    return [quotas.ofNew(record), quotas.limits(record)];
  };
  const TOGETHER = 'unconfigured services';

  it('have the names that earlier versions wrote: servers of two versions count together', () => {
    expect(FLOOR_QUOTA).toBe('floors');
    expect(namesOf('limited')).toEqual([['service\nlimited'], ['service\nlimited']]);
    expect(namesOf('invented')).toEqual([[TOGETHER], [TOGETHER]]);
    expect(namesOf()).toEqual([[TOGETHER], [TOGETHER]]);
  });

  it('are none that nothing depends on: each is an index in the store', () => {
    expect(namesOf('unlimited')).toEqual([[], []]);
    // With a share, services are counted, which `inspectPool` shows.
    expect(namesOf('unlimited', 1)).toEqual([['service\nunlimited'], []]);
  });

  it('are shares of the slots that the pool has', async () => {
    const environment = virtualEnvironment();
    const engine = new LeaseEngine(new MemoryDriver({ environment }), {
      environment,
      services: { default: SMALL },
      pools: { default: { share: { index: 1, of: 2 } } },
      serviceShare: 0.75,
    });
    const request = { serviceId: 'orders', throughputPerMs: 2 ** 16 * 16 };
    expect((await engine.acquire(request)).leases).toHaveLength(12);
  });
});
