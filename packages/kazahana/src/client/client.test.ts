import { describe, expect, it } from 'vitest';
import { decodeId, LIB_DEFAULT_EPOCH } from '../id/index.js';
import { LeaseError, PoolExhaustedError, PoolMismatchError } from '../lease/errors.js';
import type { AcquireOptions, AcquireResponse, LeaseProvider, ReleaseOptions } from '../lease/types.js';
import { MemoryLeaseProvider } from '../providers/memory.js';
import { type VirtualEnvironment, virtualEnvironment } from '../virtual-environment.js';
import {
  ClientClosedError,
  ClientNotReadyError,
  ClockBackwardError,
  KazahanaClient,
  type KazahanaClientConfig,
  LeaseAcquisitionError,
  NextIdTimeoutError,
  NoProviderError,
} from './index.js';

const MINUTE = 60_000;
const LEASE = 10 * MINUTE;

/** A provider whose responses a test can hold back, lose, repeat or refuse. */
class TestProvider implements LeaseProvider {
  readonly acquired: AcquireOptions[] = [];
  readonly released: ReleaseOptions[] = [];
  respond: (real: () => Promise<AcquireResponse>) => Promise<AcquireResponse> = (real) => real();
  readonly store: MemoryLeaseProvider;

  constructor(
    environment: VirtualEnvironment,
    options: ConstructorParameters<typeof MemoryLeaseProvider>[0] = {},
  ) {
    this.store = new MemoryLeaseProvider({ environment, ...options });
  }

  acquire(options: AcquireOptions): Promise<AcquireResponse> {
    this.acquired.push(options);
    return this.respond(() => this.store.acquire(options));
  }

  async release(options: ReleaseOptions): Promise<void> {
    this.released.push(options);
    await this.store.release(options);
  }
}

/** A provider as a user would write one: it knows leases and nothing of pools, so nothing can be renewed in place. */
class SimpleProvider extends TestProvider {
  override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
    this.acquired.push(options);
    const { serviceId, throughputPerMs, requestId } = options;
    const known = {
      ...(serviceId !== undefined && { serviceId }),
      ...(throughputPerMs !== undefined && { throughputPerMs }),
      ...(requestId !== undefined && { requestId }),
    };
    return this.respond(async () => ({ leases: (await this.store.acquire(known)).leases }));
  }
}

const down = () => Promise.reject(new LeaseError('UNREACHABLE', 'the server is down'));

function setUp(
  config: KazahanaClientConfig = {},
  store: ConstructorParameters<typeof MemoryLeaseProvider>[0] = {},
  Provider: typeof TestProvider = TestProvider,
) {
  const environment = virtualEnvironment();
  const provider = new Provider(environment, store);
  const client = new KazahanaClient({ provider, environment, onWarning: () => {}, ...config });
  return { environment, provider, client };
}

/** Lets virtual time pass until the promise has settled. */
async function settled<Value>(
  environment: VirtualEnvironment,
  promise: Promise<Value>,
  withinMs = 100_000,
): Promise<Value> {
  let isSettled = false;
  promise.then(
    () => {
      isSettled = true;
    },
    () => {
      isSettled = true;
    },
  );
  await environment.settle();
  for (let waited = 0; !isSettled && waited < withinMs; waited++) await environment.advance(1);
  if (!isSettled) throw new Error(`nothing came within ${withinMs} ms`);
  return promise;
}

function expectRising(ids: readonly bigint[]): void {
  ids.forEach((id, i) => {
    if (i > 0 && id <= (ids[i - 1] as bigint)) throw new Error(`${id} after ${ids[i - 1]}, at ${i}`);
  });
}

describe('standalone', () => {
  it('makes random fallback IDs that rise', async () => {
    const environment = virtualEnvironment();
    const client = new KazahanaClient({ environment });
    const ids = [
      await client.nextId(),
      client.nextIdSync(),
      ...(await settled(environment, client.nextIds(1000))),
    ];
    expectRising(ids);
    expect(ids.every((id) => decodeId(id).fallback)).toBe(true);
    expect(client.stats()).toMatchObject({ randomIds: 1002, leasedIds: 0 });
  });

  it('§2.3: starts a millisecond at a random point and counts up, so that it never repeats itself', async () => {
    const environment = virtualEnvironment();
    const client = new KazahanaClient({ environment });
    const starts = new Set<bigint>();
    for (let i = 0; i < 50; i++) {
      const [first = 0n, second = 0n] = await client.nextIds(2);
      expect(second).toBe(first + 1n);
      starts.add(first & 0x1fffffn);
      await environment.advance(1);
    }
    expect(starts.size).toBeGreaterThan(45);
  });

  it('caps random IDs of a millisecond at maxThroughputPerMs', () => {
    const client = new KazahanaClient({ environment: virtualEnvironment(), maxThroughputPerMs: 10 });
    expect(client.fill(new BigUint64Array(100))).toBe(10);
  });

  it('refuses when fallback is disabled', async () => {
    for (const config of [{ disableFallback: true }, { disableRandomFallback: true }]) {
      const client = new KazahanaClient({ environment: virtualEnvironment(), ...config });
      await expect(client.nextId()).rejects.toThrow(NoProviderError);
      await expect(client.ready()).rejects.toThrow(NoProviderError);
      expect(() => client.nextIdSync()).toThrow(NoProviderError);
      expect(() => client.fill(new BigUint64Array(1))).toThrow(NoProviderError);
    }
  });

  it('refuses layouts that are too narrow for the odds', () => {
    expect(() => new KazahanaClient({ bitReserve: 11 })).toThrow('at least 22 without a provider');
  });

  it('is ready at once', () =>
    expect(new KazahanaClient({ environment: virtualEnvironment() }).ready()).resolves.toBeUndefined());
});

describe('managed', () => {
  it('acquires with the first call, once for all callers, and makes leased IDs', async () => {
    const { client, provider, environment } = setUp();
    const ids = await settled(
      environment,
      Promise.all([client.nextId(), client.nextId(), client.nextIds(3)]),
    );
    expect(provider.acquired).toHaveLength(1);
    expect(ids.flat().map((id) => decodeId(id).machineId)).toEqual([0, 0, 0, 0, 0]);
    expectRising(ids.flat());
    expect(decodeId(ids.flat()[0] ?? 0n)).toMatchObject({
      unixMs: environment.now(),
      sequence: 0,
      fallback: false,
    });
  });

  it('names its service, itself, and what it has seen', async () => {
    const { client, provider } = setUp({ serviceId: 'payment' });
    await client.ready();
    expect(provider.acquired[0]).toMatchObject({ serviceId: 'payment', throughputPerMs: 256 });
    expect(provider.acquired[0]?.requestId).toMatch(/^[0-9a-f]{32}$/);
    expect(provider.acquired[0]?.seen).toBeUndefined();
  });

  it('takes epoch and widths from its lease', async () => {
    const layout = { customEpoch: 1_700_000_000_000, bitReserve: 11, bitTs: 41, bitId: 4, bitSeq: 8 };
    const { client } = setUp({}, { services: { default: layout } });
    const id = await client.nextId();
    expect(id).toBeLessThan(2n ** 53n);
    expect(decodeId(id, layout)).toMatchObject({ machineId: 0, fallback: false });
  });

  it('holds several leases for a higher throughput, and uses them in the order of their suffixes', async () => {
    const { client, environment } = setUp({ maxThroughputPerMs: 1024 });
    const ids = await settled(environment, client.nextIds(1024));
    expectRising(ids);
    expect(new Set(ids.map((id) => decodeId(id).unixMs)).size).toBe(1);
    expect(new Set(ids.map((id) => decodeId(id).machineId))).toEqual(new Set([0, 1, 2, 3]));
  });

  it('§4.3: renews although its throughput is full: leases that are due do not count', async () => {
    const { client, provider, environment } = setUp();
    await client.ready();
    await environment.advance(LEASE * 0.95);
    expect(provider.acquired).toHaveLength(2);
    expect(provider.acquired[1]).toMatchObject({ throughputPerMs: 256, seen: { serial: 1 } });
  });

  it('§4.4: releases the old lease at hand-over, and holds one set, not two', async () => {
    const { client, provider, environment } = setUp({}, {}, SimpleProvider);
    await client.ready();
    await environment.advance(LEASE * 0.95);
    expect(provider.released).toHaveLength(1);
    expect(provider.released[0]?.id).toBe(0);
    expect(client.stats().leases).toBe(1);
    expect((await provider.store.listLeases()).map(({ id }) => id)).toEqual([1]);
    expect(decodeId(await client.nextId()).machineId).toBe(1);
    expect(provider.acquired.map((request) => 'renew' in request)).toEqual([false, false]);
  });

  it('never signs a release below a timestamp that it used', async () => {
    const { client, provider, environment } = setUp();
    const last = decodeId(await client.nextId()).unixMs;
    environment.set(environment.now() - 2000);
    await settled(environment, client.shutdown());
    expect(provider.released[0]?.timestamp).toBe(last);
  });

  it('renews before expiry, so that nextIdSync never finds nothing, hour after hour', async () => {
    const { client, environment } = setUp();
    await client.ready();
    const ids: bigint[] = [];
    for (let minute = 0; minute < 180; minute++) {
      await environment.advance(MINUTE);
      ids.push(client.nextIdSync());
    }
    expectRising(ids);
    expect(ids.some((id) => decodeId(id).fallback)).toBe(false);
  });

  it('is ready when its lease has begun, and waits for that without asking for more', async () => {
    const storeTime = virtualEnvironment();
    const environment = virtualEnvironment({ at: storeTime.now() - 800 });
    const provider = new TestProvider(storeTime);
    const client = new KazahanaClient({ environment, provider });
    await settled(environment, client.ready());
    expect(provider.acquired).toHaveLength(1);
    expect(environment.now()).toBe(storeTime.now());
  });
});

describe('an exhausted millisecond', () => {
  it('§5.10: is waited out, and never makes fallback IDs', async () => {
    const { client, environment } = setUp();
    const ids = await settled(environment, client.nextIds(2000));
    expectRising(ids);
    expect(ids.every((id) => !decodeId(id).fallback)).toBe(true);
    expect(client.stats().exhaustedMs).toBeGreaterThan(5);
  });

  it('asks for more leases below the maximum, in the background', async () => {
    const { client, provider, environment } = setUp(
      { maxThroughputPerMs: 512 },
      { services: { default: { bitId: 2, bitSeq: 20 } } },
    );
    await client.ready();
    expect(provider.acquired).toHaveLength(1);
    const small = setUp({ maxThroughputPerMs: 512 });
    small.provider.respond = async (real) => {
      const response = await real();
      return { ...response, leases: response.leases.slice(0, 1) };
    };
    await small.client.ready();
    expect(small.client.stats().throughputPerMs).toBe(256);
    await settled(small.environment, small.client.nextIds(600));
    expect(small.provider.acquired.length).toBeGreaterThan(1);
    await environment.settle();
  });

  it('is followed by the next one while that is not in the future: a late timer costs nothing', async () => {
    const { client, environment } = setUp();
    await client.ready();
    await environment.advance(1);
    const target = new BigUint64Array(100_000);
    expect(client.fill(target)).toBe(256);
    await environment.advance(4);
    expect(client.fill(target)).toBe(4 * 256);
    expect(new Set(Array.from(target.subarray(0, 1024), (id) => decodeId(id).unixMs)).size).toBe(4);
    // Beyond the bound, the time is lost: never more than 5 ms behind, and never ahead.
    await environment.advance(50);
    expect(client.fill(target)).toBe(6 * 256);
    const times = Array.from(target.subarray(0, 6 * 256), (id) => decodeId(id).unixMs);
    expect([Math.min(...times), Math.max(...times)]).toEqual([environment.now() - 5, environment.now()]);
  });

  it('is filled with the IDs that one by one would have come, in any layout and anywhere in a buffer', async () => {
    const layouts = [
      {},
      { bitReserve: 1, bitTs: 41, bitId: 2, bitSeq: 20 },
      { bitReserve: 11, bitTs: 41, bitId: 6, bitSeq: 6 },
      { bitReserve: 1, bitTs: 36, bitId: 20, bitSeq: 7 },
    ];
    for (const layout of layouts) {
      const pools = { pools: { default: layout } };
      const [one, many] = [
        setUp({ maxThroughputPerMs: 64 }, pools),
        setUp({ maxThroughputPerMs: 64 }, pools),
      ];
      for (const { client, environment } of [one, many]) {
        await client.ready();
        await environment.advance(3);
      }
      const count = 2 * many.client.stats().throughputPerMs;
      const buffer = new ArrayBuffer(8 * (count + 3));
      const target = new BigInt64Array(buffer, 16, count);
      const filled = many.client.fill(target);
      expect(filled).toBe(count / 2);
      // A million IDs one by one take seconds: the first thousand are compared, and the rest counts on from there.
      const first = Array.from({ length: Math.min(filled, 1000) }, () => one.client.nextIdSync());
      const ids = new BigUint64Array(buffer, 16, filled);
      expect([...ids.subarray(0, first.length)]).toEqual(first);
      const start = first[0] ?? 0n;
      for (let i = filled - 1; i >= 0; i -= 997) expect(ids[i]).toBe(start + BigInt(i));
      // What stands around it is left alone.
      expect(new BigUint64Array(buffer, 0, 2)).toEqual(new BigUint64Array(2));
      expect(new BigUint64Array(buffer, 16 + 8 * filled).every((id) => id === 0n)).toBe(true);
      for (const { environment } of [one, many]) await environment.advance(1);
      expect(many.client.nextIdSync()).toBe(one.client.nextIdSync());
      expect(many.client.stats().leasedIds).toBe(filled + 1);
    }
  });

  it('does not let a caller of much later fill an old millisecond', async () => {
    const { client, environment } = setUp();
    await client.ready();
    client.fill(new BigUint64Array(256));
    await environment.advance(3);
    client.nextIdSync();
    await environment.advance(1000);
    expect(decodeId(client.nextIdSync()).unixMs).toBe(environment.now());
  });
});

describe('§5.10: IDs always rise', () => {
  it('when a lower slot joins in the middle of a millisecond', async () => {
    const { client, provider, environment } = setUp({ maxThroughputPerMs: 512 });
    // The first response brings slot 1 only; slot 0 comes later.
    const kept: AcquireResponse[] = [];
    provider.respond = async (real) => {
      const response = await real();
      kept.push(response);
      return { ...response, leases: response.leases.slice(1) };
    };
    await client.ready();
    provider.respond = async () => ({ leases: kept[0]?.leases.slice(0, 1) ?? [] });
    const ids = [client.nextIdSync()];
    ids.push(...(await settled(environment, client.nextIds(700))));
    expectRising(ids);
    expect(new Set(ids.map((id) => decodeId(id).machineId))).toEqual(new Set([0, 1]));
  });

  it('through lease changes, fallback and back', async () => {
    const { client, provider, environment } = setUp();
    const ids: bigint[] = [await settled(environment, client.nextId())];
    for (let minute = 0; minute < 120; minute++) {
      provider.respond = minute % 50 > 12 ? down : (real) => real();
      await environment.advance(MINUTE);
      ids.push(...(await settled(environment, client.nextIds(300))));
    }
    expectRising(ids);
    const kinds = client.stats();
    expect(Math.min(kinds.leasedIds, kinds.fencedIds, kinds.randomIds)).toBeGreaterThan(0);
  });

  it('in the order of calls, for single IDs and batches', async () => {
    const { client, environment } = setUp();
    const calls = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? client.nextIds(100) : client.nextId()));
    expectRising((await settled(environment, Promise.all(calls))).flat());
  });
});

describe('a provider that fails', () => {
  it('leads to random fallback at once when there was no lease, and back when it responds', async () => {
    const { client, provider, environment } = setUp();
    provider.respond = down;
    expect(decodeId(await settled(environment, client.nextId())).fallback).toBe(true);
    provider.respond = (real) => real();
    await environment.advance(1001);
    expect(decodeId(client.nextIdSync()).fallback).toBe(false);
  });

  it('R5: lets an expired lease go on in the fallback half, in its grace, and then not', async () => {
    const { client, provider, environment } = setUp({ disableRandomFallback: true });
    await client.ready();
    provider.respond = down;
    await environment.advance(LEASE + 1);
    const id = client.nextIdSync();
    expect(decodeId(id)).toMatchObject({ machineId: 8192, fallback: true });
    expect(client.stats().fencedIds).toBe(1);
    await environment.advance(LEASE);
    expect(() => client.nextIdSync()).toThrow(LeaseAcquisitionError);
  });

  it('is retried after 1, 2, 4 … 60 seconds, under one request id', async () => {
    const { client, provider, environment } = setUp({ disableFallback: true });
    provider.respond = down;
    const times: number[] = [];
    provider.respond = () => {
      times.push(environment.now());
      return down();
    };
    await expect(settled(environment, client.nextId())).rejects.toThrow(LeaseAcquisitionError);
    await environment.advance(200_000);
    expect(times.slice(1, 9).map((time, i) => time - (times[i] ?? 0))).toEqual([
      1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000,
    ]);
    expect(new Set(provider.acquired.map(({ requestId }) => requestId)).size).toBe(1);
  });

  it('rejects with LeaseAcquisitionError and its cause when fallback is disabled', async () => {
    const { client, provider, environment } = setUp({ disableFallback: true });
    provider.respond = down;
    const error = await settled(environment, client.nextId()).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(LeaseAcquisitionError);
    expect((error as LeaseAcquisitionError).cause).toMatchObject({ code: 'UNREACHABLE' });
    await expect(client.ready()).rejects.toThrow(LeaseAcquisitionError);
    expect(() => client.nextIdSync()).toThrow(LeaseAcquisitionError);
    expect(client.fill(new BigUint64Array(3))).toBe(0);
  });

  it('that does not respond ends the wait at the deadline, and its late response is still taken', async () => {
    const { client, provider, environment } = setUp();
    let respondLate: (() => void) | undefined;
    provider.respond = (real) =>
      new Promise((resolve) => {
        respondLate = () => void real().then(resolve);
      });
    const first = client.nextId();
    await environment.advance(4999);
    expect(client.stats().waiting).toBe(1);
    expect(decodeId(await settled(environment, first)).fallback).toBe(true);
    respondLate?.();
    await environment.settle();
    expect(decodeId(await settled(environment, client.nextId())).fallback).toBe(false);
  });

  it('gives the expired slot back when the pool is exhausted, and takes a new one', async () => {
    const layout = { bitId: 1, bitSeq: 21 };
    const { client, provider, environment } = setUp({}, { services: { default: layout } }, SimpleProvider);
    await client.ready();
    await environment.advance(LEASE - 1);
    // Not while it is valid.
    expect(provider.acquired.length).toBeGreaterThan(1);
    expect(provider.released).toEqual([]);
    await environment.advance(3 * MINUTE);
    expect(provider.released.map(({ id }) => id)).toEqual([0]);
    expect(decodeId(await settled(environment, client.nextId()), layout).fallback).toBe(false);
  });
});

it('R7: keeps its fenced fallback while the pool is in quarantine: to give it back would not help', async () => {
  const { client, provider, environment } = setUp({ disableRandomFallback: true }, {}, SimpleProvider);
  await client.ready();
  await provider.store.quarantine();
  await environment.advance(LEASE);
  const attempts = provider.acquired.length;
  await environment.advance(5 * MINUTE);
  // It was refused again and again while it could have given the lease back.
  expect(provider.acquired.length).toBeGreaterThan(attempts + 2);
  expect(provider.released).toEqual([]);
  const id = await settled(environment, client.nextId());
  expect(decodeId(id)).toMatchObject({ machineId: 8192, fallback: true });
  expect(client.stats()).toMatchObject({ fencedIds: 1, leases: 1 });
});

describe('R8: responses', () => {
  it('that come twice are installed once, and the second is not released', async () => {
    const { client, provider, environment } = setUp();
    let response: AcquireResponse | undefined;
    provider.respond = async (real) => {
      response = await real();
      return response;
    };
    await client.ready();
    provider.respond = async () => response as AcquireResponse;
    await environment.advance(LEASE * 0.95);
    expect(client.stats().leases).toBe(1);
    expect(provider.released).toEqual([]);
  });

  it('that name a lease twice bring it once', async () => {
    const { client, provider } = setUp({ maxThroughputPerMs: 512 });
    provider.respond = async (real) => {
      const response = await real();
      const [first] = response.leases;
      return { ...response, leases: first ? [first, first] : [] };
    };
    await client.ready();
    expect(client.stats()).toMatchObject({ leases: 1, throughputPerMs: 256 });
  });

  it('that no caller waits for are given back', async () => {
    const { client, provider, environment } = setUp();
    const late: (() => void)[] = [];
    provider.respond = (real) => new Promise((resolve) => late.push(() => void real().then(resolve)));
    const closed = client.nextId().catch(() => undefined);
    await environment.settle();
    await settled(environment, client.shutdown());
    late[0]?.();
    await environment.settle();
    expect(provider.released.map(({ id }) => id)).toEqual([0]);
    await closed;
  });

  for (const [title, change] of [
    ['widths that do not sum to 64', { bitSeq: 9 }],
    ['no window', { expired: 0 }],
    ['a slot of the fallback half', { id: 8192 }],
    ['no secret', { secret: '' }],
    ['a fractional time', { created: 0.5 }],
  ] as const) {
    it(`with ${title} are refused`, async () => {
      const { client, provider, environment } = setUp({ disableFallback: true });
      provider.respond = async (real) => {
        const real1 = await real();
        return { ...real1, leases: real1.leases.map((lease) => ({ ...lease, ...change })) };
      };
      await expect(settled(environment, client.nextId())).rejects.toThrow(LeaseAcquisitionError);
      expect(client.stats().leases).toBe(0);
    });
  }

  it('R4, §5.3: of another time line are refused once random IDs were made', async () => {
    const { client, provider, environment } = setUp(
      {},
      { services: { default: { customEpoch: LIB_DEFAULT_EPOCH + 1 } } },
    );
    provider.respond = down;
    await settled(environment, client.nextId());
    provider.respond = (real) => real();
    const errors: unknown[] = [];
    client.on('acquireFailed', ({ error }) => errors.push(error));
    await environment.advance(1001);
    expect(errors[0]).toBeInstanceOf(PoolMismatchError);
    expect(client.stats().leases).toBe(0);
  });

  it('whose leases are of another time line are given back: a client that asks for ever does not eat the pool', async () => {
    const { client, provider, environment } = setUp(
      {},
      { services: { default: { customEpoch: LIB_DEFAULT_EPOCH + 1 } } },
    );
    provider.respond = down;
    await settled(environment, client.nextId());
    provider.respond = (real) => real();
    await environment.advance(10 * MINUTE);
    expect(provider.acquired.length).toBeGreaterThan(10);
    expect(await provider.store.listLeases()).toEqual([]);
  });
});

describe('foreign code in the middle of a call', () => {
  it('a listener gets an ID of its own', async () => {
    const { client, provider, environment } = setUp();
    provider.respond = down;
    const ids: bigint[] = [];
    client.on('fallback', () => ids.push(client.nextIdSync()));
    ids.push(await settled(environment, client.nextId()), client.nextIdSync());
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });

  it('a provider gets an ID of its own, for its trace', async () => {
    const { client, provider, environment } = setUp();
    await client.ready();
    const ids: bigint[] = [];
    provider.respond = (real) => {
      ids.push(client.nextIdSync());
      return real();
    };
    for (let i = 0; i < 300; i++) {
      await environment.advance(LEASE / 100);
      ids.push(client.nextIdSync(), ...(await client.nextIds(2)));
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(provider.acquired.length).toBeGreaterThan(3);
  });

  it('a listener that asks for an ID is not called for what it has just heard', async () => {
    const environment = virtualEnvironment();
    let readings = 0;
    // Every reading is a millisecond later, so that each ID looks after the leases.
    const running = { ...environment, now: () => environment.now() + readings++ };
    const provider = new TestProvider(environment);
    provider.respond = down;
    const client = new KazahanaClient({ environment: running, provider });
    const heard = { fallback: 0, clockBackward: 0 };
    client.on('fallback', () => {
      if (++heard.fallback < 50) client.nextIdSync();
    });
    client.on('clockBackward', () => {
      if (++heard.clockBackward < 50) expect(() => client.nextIdSync()).toThrow(ClockBackwardError);
    });
    await settled(environment, client.nextId());
    environment.set(environment.now() - MINUTE);
    expect(() => client.nextIdSync()).toThrow(ClockBackwardError);
    expect(heard).toEqual({ fallback: 1, clockBackward: 1 });
    expect(client.stats().clockSteps).toBe(1);
  });

  it('a listener that listens anew is called once for an event', async () => {
    const { client } = setUp();
    let calls = 0;
    const listen = () => {
      const end = client.on('lease', () => {
        end();
        if (++calls < 100) listen();
      });
    };
    listen();
    await client.ready();
    expect(calls).toBe(1);
  });

  it('a listener that shuts down while a response is taken strands no lease', async () => {
    const storeTime = virtualEnvironment();
    const environment = virtualEnvironment({ at: storeTime.now() - MINUTE });
    const provider = new TestProvider(storeTime);
    const client = new KazahanaClient({ environment, provider });
    client.on('clockCorrected', () => void client.shutdown());
    await expect(settled(environment, client.nextId())).rejects.toThrow(ClientClosedError);
    await environment.settle();
    expect(await provider.store.listLeases()).toEqual([]);
    expect(client.stats().leases).toBe(0);
  });

  it('a listener that shuts down while an ID is made leaves no timer', async () => {
    const { client, environment, provider } = setUp({ disableRandomFallback: true });
    await client.nextId();
    provider.respond = () => new Promise(() => {});
    environment.set(environment.now() - 1000);
    client.on('clockBackward', () => void client.shutdown());
    await expect(client.nextIds(2)).rejects.toThrow(ClientClosedError);
    await environment.settle();
    expect(environment.pending).toBe(0);
  });

  it('a late response that is none does no harm', async () => {
    const { client, provider, environment } = setUp();
    let respond: ((response: AcquireResponse) => void) | undefined;
    provider.respond = () =>
      new Promise((resolve) => {
        respond = resolve;
      });
    const id = client.nextId().catch(() => undefined);
    await environment.settle();
    await settled(environment, client.shutdown());
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    // Where there is no process, the runner itself hears of it.
    const { process } = globalThis as {
      process?: Record<'on' | 'off', (name: string, listener: typeof listen) => void>;
    };
    process?.on('unhandledRejection', listen);
    respond?.({ leases: [null] } as unknown as AcquireResponse);
    await environment.settle();
    await environment.settle();
    process?.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
    await id;
  });
});

describe('random fallback', () => {
  it('keeps its odds however high the throughput: starts are drawn from two million places', () => {
    const firsts = Array.from({ length: 50 }, (_, seed) =>
      new KazahanaClient({
        environment: virtualEnvironment({ seed }),
        maxThroughputPerMs: 2 ** 21,
      }).nextIdSync(),
    );
    expect(new Set(firsts).size).toBe(50);
  });
});

describe("a response to another client's request", () => {
  it('is ignored, and its leases are not released: they are in use elsewhere', async () => {
    const { client, provider, environment } = setUp();
    const other = await provider.store.acquire({ requestId: 'another client' });
    provider.respond = async () => other;
    expect(decodeId(await settled(environment, client.nextId())).fallback).toBe(true);
    expect(provider.released).toEqual([]);
    provider.respond = (real) => real();
    await environment.advance(1001);
    expect(decodeId(client.nextIdSync())).toMatchObject({ fallback: false, machineId: 1 });
  });
});

describe('responses that do not help', () => {
  it('to a clock before the last ID come under back-off: a client in trouble does not eat the pool', async () => {
    const { client, provider, environment } = setUp();
    await client.nextId();
    environment.set(environment.now() - 3_600_000);
    for (let i = 0; i < 1000; i++) {
      await expect(client.nextId()).rejects.toThrow(ClockBackwardError);
      await environment.advance(10);
    }
    // After 0, 1, 3 and 7 seconds of ten, beside the first.
    expect(provider.acquired).toHaveLength(5);
  });

  it('because the clock was put right are followed at once by another when it is wrong again', async () => {
    const { client, provider, environment } = setUp();
    for (let i = 1; i <= 3; i++) {
      await client.nextId();
      environment.set(environment.now() - 6000);
      await expect(client.nextId()).rejects.toThrow(ClockBackwardError);
      await environment.advance(6001);
      expect(provider.acquired.length).toBe(1 + i);
    }
  });

  it('since their leases are due when they arrive are not requested again and again', async () => {
    const storeTime = virtualEnvironment();
    const environment = virtualEnvironment({ at: storeTime.now() + 950 });
    const provider = new TestProvider(storeTime, { services: { default: { leaseDuration: 1000 } } });
    const client = new KazahanaClient({ environment, provider });
    await client.ready();
    for (let i = 0; i < 40; i++) {
      client.nextIdSync();
      await environment.advance(1);
      await storeTime.advance(1);
    }
    expect(provider.acquired.length).toBeLessThan(3);
  });
});

describe('hand-over', () => {
  it('gives up the leases that were due when the new ones were requested, and no others', async () => {
    const { client, provider, environment } = setUp({ maxThroughputPerMs: 512, acquireTimeout: MINUTE });
    await client.ready();
    const responds: (() => void)[] = [];
    provider.respond = (real) => new Promise((resolve) => responds.push(() => void real().then(resolve)));
    while (provider.acquired.length < 2) await environment.advance(1000);
    expect(provider.acquired[1]?.throughputPerMs).toBe(256);
    await environment.advance(55_000);
    responds[0]?.();
    await environment.settle();
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 512 });
    // The other one is replaced as well, although no caller requests IDs.
    provider.respond = (real) => real();
    responds[1]?.();
    await environment.advance(2000);
    responds[1]?.();
    await environment.advance(LEASE * 0.3);
    expect(client.stats()).toMatchObject({ leases: 2, throughputPerMs: 512 });
  });

  it('happens although no caller requests IDs, when the new lease has begun', async () => {
    const storeTime = virtualEnvironment();
    const environment = virtualEnvironment({ at: storeTime.now() - 20 });
    const provider = new SimpleProvider(storeTime);
    const client = new KazahanaClient({ environment, provider });
    const ready = client.ready();
    for (let second = 0; second < LEASE / 1000 - 20; second++) {
      await storeTime.advance(1000);
      await environment.advance(1000);
    }
    await ready;
    expect(provider.acquired).toHaveLength(2);
    expect(provider.released).toHaveLength(1);
  });
});

describe('counts', () => {
  it('of what happens while an acquire is under way travel in the next one', async () => {
    const { client, provider, environment } = setUp();
    await client.ready();
    provider.respond = async (real) => {
      client.fill(new BigUint64Array(10));
      return real();
    };
    for (let i = 0; i < 40; i++) await environment.advance(MINUTE);
    const reported = provider.acquired.reduce((sum, { report }) => sum + (report?.leasedIds ?? 0), 0);
    expect(reported).toBe(10 * (provider.acquired.length - 2));
    expect(client.stats().leasedIds).toBe(reported + 10);
  });

  it('do not hold leases whose last window has ended', async () => {
    const { client, provider, environment } = setUp();
    await client.ready();
    provider.respond = down;
    await environment.advance(LEASE + 1);
    expect(client.stats()).toMatchObject({ leases: 1, throughputPerMs: 0 });
    await environment.advance(LEASE);
    expect(client.stats().leases).toBe(0);
  });
});

describe('the clock', () => {
  it('stepping back within the limit is waited out', async () => {
    const { client, environment } = setUp();
    const before = await client.nextId();
    environment.set(environment.now() - 3000);
    const after = client.nextId();
    await environment.advance(2999);
    expect(client.stats()).toMatchObject({ waiting: 1, clockSteps: 1 });
    expect(await settled(environment, after)).toBeGreaterThan(before);
  });

  it('stepping back beyond the limit is an error, and an acquire that could correct it', async () => {
    const { client, provider, environment } = setUp();
    await client.nextId();
    environment.set(environment.now() - 5001);
    await expect(client.nextId()).rejects.toThrow(new ClockBackwardError(5001, 5000).message);
    await environment.settle();
    expect(provider.acquired).toHaveLength(2);
  });

  it('with a limit of 0 fails at once, with a negative one waits for ever', async () => {
    const strict = setUp({ maxBackwardMs: 0 });
    await strict.client.nextId();
    strict.environment.set(strict.environment.now() - 1);
    await expect(strict.client.nextId()).rejects.toThrow(ClockBackwardError);
    const patient = setUp({ maxBackwardMs: -1 });
    await patient.client.nextId();
    patient.environment.set(patient.environment.now() - 50_000);
    await settled(patient.environment, patient.client.nextId());
  });

  it('nextIdSync refuses any step back, fill gives nothing', async () => {
    const { client, environment } = setUp();
    await client.nextId();
    environment.set(environment.now() - 1);
    expect(() => client.nextIdSync()).toThrow(ClockBackwardError);
    expect(client.fill(new BigUint64Array(5))).toBe(0);
  });

  it('that is far off from the store is corrected, and told', async () => {
    for (const skew of [-3_600_000, 3_600_000]) {
      const storeTime = virtualEnvironment();
      const environment = virtualEnvironment({ at: storeTime.now() + skew });
      const client = new KazahanaClient({
        environment,
        provider: new MemoryLeaseProvider({ environment: storeTime }),
      });
      const corrections: number[] = [];
      client.on('clockCorrected', ({ offsetMs }) => corrections.push(offsetMs));
      const id = await settled(environment, client.nextId());
      expect(corrections).toEqual([-skew]);
      expect(decodeId(id)).toMatchObject({ unixMs: storeTime.now(), fallback: false });
    }
  });

  it('within a second of the store is left alone', async () => {
    const storeTime = virtualEnvironment();
    const environment = virtualEnvironment({ at: storeTime.now() + 900 });
    const client = new KazahanaClient({
      environment,
      provider: new MemoryLeaseProvider({ environment: storeTime }),
    });
    await settled(environment, client.nextId());
    expect(client.stats().clockOffsetMs).toBe(0);
  });

  it('before the beginning of the lease is waited for, and not ready for nextIdSync', async () => {
    const storeTime = virtualEnvironment();
    const environment = virtualEnvironment({ at: storeTime.now() - 800 });
    const client = new KazahanaClient({
      environment,
      provider: new MemoryLeaseProvider({ environment: storeTime }),
    });
    const first = client.nextId();
    await environment.settle();
    expect(() => client.nextIdSync()).toThrow(ClientNotReadyError);
    expect(decodeId(await settled(environment, first)).unixMs).toBe(storeTime.now());
  });

  it('past the bits of the timestamp is an error, never a flipped sign', async () => {
    const environment = virtualEnvironment({ at: LIB_DEFAULT_EPOCH + 2 ** 41 });
    const client = new KazahanaClient({ environment });
    await expect(client.nextId()).rejects.toThrow('carries times from');
    const early = new KazahanaClient({ environment: virtualEnvironment({ at: LIB_DEFAULT_EPOCH - 1 }) });
    expect(() => early.nextIdSync()).toThrow('is before the epoch');
  });
});

describe('waiting callers', () => {
  it('can be called off', async () => {
    const { client, provider } = setUp();
    provider.respond = () => new Promise(() => {});
    const controller = new AbortController();
    const id = client.nextId({ signal: controller.signal });
    controller.abort(new Error('never mind'));
    await expect(id).rejects.toThrow('never mind');
    await expect(client.nextId({ signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late',
    );
    expect(client.stats().waiting).toBe(0);
  });

  it('time out', async () => {
    const { client, provider, environment } = setUp({ nextIdTimeout: 300 });
    provider.respond = () => new Promise(() => {});
    await expect(settled(environment, client.nextId())).rejects.toThrow(NextIdTimeoutError);
  });

  it('get none for a count of 0, and an error for what is no count', async () => {
    const { client } = setUp();
    expect(await client.nextIds(0)).toEqual([]);
    for (const count of [-1, 1.5, Number.NaN, '3']) {
      await expect(client.nextIds(count as number)).rejects.toThrow(RangeError);
    }
    expect(() => client.fill([1n] as never)).toThrow('target must be a BigUint64Array');
  });

  it('of a huge batch let others have their turn, and can time out', async () => {
    // A clock that runs on by itself, and a lease that no loop can use up.
    const environment = virtualEnvironment();
    let reads = 0;
    const running = { ...environment, now: () => environment.now() + reads++ };
    const provider = new MemoryLeaseProvider({
      environment: running,
      services: { default: { bitId: 4, bitSeq: 18 } },
    });
    const client = new KazahanaClient({ environment: running, provider, nextIdTimeout: 10 });
    await client.ready();
    await expect(settled(environment, client.nextIds(4_000_000))).rejects.toThrow(NextIdTimeoutError);
  });
});

describe('nextIdSync', () => {
  it('is not ready before the first lease, and asks for one', async () => {
    const { client, environment } = setUp();
    expect(() => client.nextIdSync()).toThrow(ClientNotReadyError);
    await environment.settle();
    expect(decodeId(client.nextIdSync()).fallback).toBe(false);
  });

  it('gives up when the millisecond is used up and the clock does not move', async () => {
    const { client } = setUp();
    await client.ready();
    client.fill(new BigUint64Array(256));
    expect(() => client.nextIdSync()).toThrow('the clock does not move');
  });
});

describe('shutdown', () => {
  it('gives leases back, ends waiting callers, and leaves no timer', async () => {
    const { client, provider, environment } = setUp();
    await client.ready();
    await settled(environment, client.shutdown());
    expect(await provider.store.listLeases()).toEqual([]);
    await expect(client.nextId()).rejects.toThrow(ClientClosedError);
    await expect(client.nextIds(0)).rejects.toThrow(ClientClosedError);
    await expect(client.ready()).rejects.toThrow(ClientClosedError);
    expect(() => client.nextIdSync()).toThrow(ClientClosedError);
    expect(() => client.fill(new BigUint64Array(1))).toThrow(ClientClosedError);
    await environment.advance(LEASE * 2);
    expect(provider.acquired).toHaveLength(1);
    expect(environment.pending).toBe(0);
  });

  it('waits for releases that are under way, as long as their deadline', async () => {
    const { client, provider, environment } = setUp({}, {}, SimpleProvider);
    await client.ready();
    const { release } = provider;
    let respond: (() => void) | undefined;
    provider.release = (options) =>
      new Promise((resolve) => {
        respond = () => void release.call(provider, options).then(resolve);
      });
    while (respond === undefined) await environment.advance(1000);
    provider.release = release;
    let isClosed = false;
    const closed = client.shutdown().then(() => {
      isClosed = true;
    });
    await environment.settle();
    expect(isClosed).toBe(false);
    respond();
    await settled(environment, closed, 0);
    expect(await provider.store.listLeases()).toEqual([]);

    const hanging = setUp();
    await hanging.client.ready();
    hanging.provider.release = () => new Promise(() => {});
    await settled(hanging.environment, hanging.client.shutdown(), 5000);
  });

  it('does not reject when the provider fails, and says so in an event', async () => {
    const { client, provider, environment } = setUp();
    await client.ready();
    provider.release = () => Promise.reject(new PoolExhaustedError('default', 1));
    const failed: number[] = [];
    client.on('releaseFailed', ({ machineId }) => failed.push(machineId));
    await settled(environment, client.shutdown());
    expect(failed).toEqual([0]);
  });

  it('happens once, and at the end of `await using`', async () => {
    const { client, provider } = setUp();
    await client.ready();
    await Promise.all([client.shutdown(), client[Symbol.asyncDispose]()]);
    expect(provider.released).toHaveLength(1);
  });
});

describe('settings', () => {
  for (const [title, config, message] of [
    ['an unknown setting', { maxThroughput: 5 }, 'an option of KazahanaClient must be one of provider,'],
    ['a provider that is none', { provider: {} }, 'provider must be an object with acquire and release'],
    ['a throughput of 0', { maxThroughputPerMs: 0 }, 'maxThroughputPerMs must be an integer from 1'],
    ['a threshold of 1', { acquireThreshold: 1 }, 'acquireThreshold must be a number between 0 and 1'],
    ['a threshold as text', { acquireThreshold: '0.5' }, 'acquireThreshold must be a number between 0 and 1'],
    ['a fallback that is no boolean', { disableFallback: 'no' }, 'disableFallback must be true or false'],
    ['an empty service', { serviceId: '' }, 'serviceId must be a non-empty string'],
  ] as const) {
    it(`${title} is refused`, () => expect(() => new KazahanaClient(config as never)).toThrow(message));
  }

  it('external IDs are those of its codec', () => {
    const client = new KazahanaClient({ externalId: { algorithm: 'none' } });
    expect(client.toExternalId(0x0123456789abcdefn)).toBe('ASNFZ4mrze8');
    expect(client.toInternalId('ASNFZ4mrze8')).toBe(0x0123456789abcdefn);
  });
});
