// What a client does when there is no lease to be had: the provider is away, refuses, limits or responds late, the clock
// steps meanwhile, or the client is shut down. Nothing of it is silent.
import { describe, expect, it } from 'vitest';
import type { Environment } from '../environment.js';
import { decodeId } from '../id/index.js';
import {
  LeaseError,
  PoolExhaustedError,
  PoolMismatchError,
  PoolMissingError,
  StoreError,
  TooManyLeasesError,
} from '../lease/errors.js';
import type { AcquireOptions, AcquireResponse, ReleaseOptions } from '../lease/types.js';
import { BadResponseError, HttpLeaseError } from '../providers/index.js';
import { MemoryLeaseProvider, type MemoryLeaseProviderOptions } from '../providers/memory.js';
import { type VirtualEnvironment, virtualEnvironment } from '../virtual-environment.js';
import {
  ClientClosedError,
  type ClientWarning,
  KazahanaClient,
  type KazahanaClientConfig,
  LeaseAcquisitionError,
} from './index.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LEASE = 10 * MINUTE;

/** A pool that a test can put out of order. */
class Pool extends MemoryLeaseProvider {
  readonly requests: AcquireOptions[] = [];
  readonly releases: ReleaseOptions[] = [];
  /** What comes instead of a response. */
  error: unknown;
  onAcquire: (ask: () => Promise<AcquireResponse>) => Promise<AcquireResponse> = (ask) => ask();
  onRelease: () => Promise<void> = async () => {};

  override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
    this.requests.push(options);
    if (this.error !== undefined) throw this.error;
    return this.onAcquire(() => super.acquire(options));
  }

  override async release(options: ReleaseOptions): Promise<void> {
    this.releases.push(options);
    await this.onRelease();
    await super.release(options);
  }
}

function setUp(config: KazahanaClientConfig = {}, options: MemoryLeaseProviderOptions = {}) {
  const environment = virtualEnvironment();
  const pool = new Pool({ environment, ...options });
  const warnings: ClientWarning['kind'][] = [];
  const client = new KazahanaClient({
    provider: pool,
    environment,
    onWarning: (_message, { kind }) => warnings.push(kind),
    ...config,
  });
  return { environment, pool, client, warnings };
}

/** Asks for an ID once in so many milliseconds, and returns their kinds. */
async function makeFor(client: KazahanaClient, environment: VirtualEnvironment, ms: number, every = 100) {
  const kinds: string[] = [];
  for (let passed = 0; passed < ms; passed += every) {
    await environment.advance(every);
    const before = client.stats();
    await client.nextId().then(
      () => {
        const after = client.stats();
        kinds.push(
          after.leasedIds > before.leasedIds
            ? 'leased'
            : after.fencedIds > before.fencedIds
              ? 'fenced'
              : 'random',
        );
      },
      (error: unknown) => kinds.push((error as Error).name),
    );
  }
  return kinds;
}

const away = new LeaseError('UNREACHABLE', 'no lease server responds');
const unauthorized = new HttpLeaseError('UNAUTHORIZED', 401, undefined);

describe('a refusal', () => {
  const refusals: [title: string, error: unknown][] = [
    ['401', unauthorized],
    ['403', new HttpLeaseError('FORBIDDEN', 403, undefined)],
    ['404 of a server without such a pool', new HttpLeaseError('POOL_NOT_FOUND', 404, undefined)],
    ['a 4xx that only a newer server knows', new HttpLeaseError('SOMETHING_NEW', 418, undefined)],
    ["a proxy's page for a wrong URL", new BadResponseError('a page', 404)],
    ['another layout', new PoolMismatchError('bitTs', 41, 40)],
    ['a missing pool', new PoolMissingError('default')],
    ['wrong credentials of a store', new StoreError('STORE_REFUSED', 'password')],
    ['a store of another version', new StoreError('STORE_INCOMPATIBLE', 'newer')],
    ['no lease allowed at all', new TooManyLeasesError('default', 0, 1)],
    ['what another provider calls one', Object.assign(new Error('no'), { isRefusal: true })],
  ];
  for (const [title, error] of refusals) {
    it(`(${title}) makes no random ID: callers get it as the cause, until it is mended`, async () => {
      const { environment, pool, client, warnings } = setUp();
      pool.error = error;
      for (const call of [client.ready(), client.nextId(), client.nextIds(2)]) {
        const rejection = await call.catch((reason: unknown) => reason);
        expect(rejection).toBeInstanceOf(LeaseAcquisitionError);
        expect(rejection).toMatchObject({ cause: error, isRefusal: true });
      }
      expect(() => client.nextIdSync()).toThrow('and the provider refuses it');
      expect(client.fill(new BigUint64Array(3))).toBe(0);
      expect(await makeFor(client, environment, 20_000, 1000)).toEqual(
        Array.from({ length: 20 }, () => 'LeaseAcquisitionError'),
      );
      expect(warnings).toEqual(['refused']);
      pool.error = undefined;
      const kinds = await makeFor(client, environment, 6000);
      expect(kinds.at(-1)).toBe('leased');
      expect(client.stats()).toMatchObject({ randomIds: 0, fencedIds: 0 });
      expect(warnings).toEqual(['refused', 'recovered']);
    });
  }

  const outages: [title: string, error: unknown][] = [
    ['a server that is away', away],
    ['a server that is slow', new LeaseError('TIMEOUT', 'slow')],
    ['503', new HttpLeaseError('STORE_UNAVAILABLE', 503, undefined)],
    ['429', new HttpLeaseError('RATE_LIMITED', 429, undefined, 10)],
    ["a proxy's page for a server that is away", new BadResponseError('a page', 502)],
    ['a store that is away', new StoreError('STORE_UNAVAILABLE', 'away')],
    ['a full pool', new PoolExhaustedError('default', 500)],
    ['a pool in quarantine', new PoolExhaustedError('default', 500, 'in quarantine')],
    ['an error of an unknown kind', new Error('broken pipe')],
    ['what another provider calls one', Object.assign(new Error('later'), { isRefusal: false, status: 400 })],
  ];
  for (const [title, error] of outages) {
    it(`is not ${title}: IDs are random then, with a warning`, async () => {
      const { pool, client, warnings } = setUp();
      pool.error = error;
      expect(decodeId(await client.nextId()).fallback).toBe(true);
      expect(client.stats().randomIds).toBe(1);
      expect(warnings).toEqual(['random']);
    });
  }

  for (const lost of [away, new BadResponseError('a page', 502), new Error('broken pipe')]) {
    it(`stands while requests are lost after it (${lost.message}): that is no word of the provider`, async () => {
      const { environment, pool, client, warnings } = setUp();
      pool.error = unauthorized;
      await client.nextId().catch(() => undefined);
      pool.error = lost;
      const kinds = await makeFor(client, environment, 2 * MINUTE, 1000);
      expect(new Set(kinds)).toEqual(new Set(['LeaseAcquisitionError']));
      const rejection = await client.nextId().catch((reason: unknown) => reason);
      expect(rejection).toMatchObject({ cause: unauthorized, isRefusal: true });
      expect(warnings).toEqual(['refused']);
      pool.error = undefined;
      expect((await makeFor(client, environment, 6000)).at(-1)).toBe('leased');
      expect(client.stats().randomIds).toBe(0);
    });
  }

  const later: [title: string, error: unknown][] = [
    ['a full pool', new PoolExhaustedError('default', 500)],
    ['a server whose store is away', new HttpLeaseError('STORE_UNAVAILABLE', 503, undefined, 1000)],
  ];
  for (const [title, error] of later) {
    it(`ends when the provider says otherwise (${title}): then it is an outage`, async () => {
      const { environment, pool, client, warnings } = setUp();
      pool.error = unauthorized;
      await client.nextId().catch(() => undefined);
      pool.error = error;
      expect((await makeFor(client, environment, 10_000)).at(-1)).toBe('random');
      expect(warnings).toEqual(['refused', 'random']);
    });
  }

  it('while a lease is in its grace makes fenced IDs, and then none', async () => {
    const { environment, pool, client, warnings } = setUp();
    await client.ready();
    pool.error = unauthorized;
    await environment.advance(LEASE - 8000);
    expect(new Set(await makeFor(client, environment, LEASE, 5000))).toEqual(new Set(['leased', 'fenced']));
    await environment.advance(10_000);
    expect(new Set(await makeFor(client, environment, MINUTE, 5000))).toEqual(
      new Set(['LeaseAcquisitionError']),
    );
    expect(warnings).toEqual(['refused', 'fenced']);
    expect(client.stats().randomIds).toBe(0);
  });

  it('R4: of a lease of another time line is one, when random IDs were made', async () => {
    const { environment, pool, client } = setUp(
      {},
      { services: { default: { customEpoch: 1_700_000_000_000 } } },
    );
    pool.error = away;
    await client.nextId();
    pool.error = undefined;
    await environment.advance(1001);
    const error = await client.nextId().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ isRefusal: true, cause: { code: 'POOL_MISMATCH' } });
  });

  it('is a lease that fails its checks', async () => {
    const { pool, client } = setUp();
    pool.onAcquire = async (ask) => {
      const response = await ask();
      return { ...response, leases: response.leases.map((lease) => ({ ...lease, id: -1 })) };
    };
    await expect(client.nextId()).rejects.toMatchObject({
      cause: { code: 'INVALID_LEASE' },
      isRefusal: true,
    });
  });
});

describe('a limit of leases in one request', () => {
  it('is requested at once, and warned of once', async () => {
    const { environment, pool, client, warnings } = setUp(
      { maxThroughputPerMs: 1024 },
      { services: { default: { maxLeasesPerRequest: 3 } } },
    );
    await client.ready();
    expect(pool.requests.map(({ throughputPerMs }) => throughputPerMs)).toEqual([1024, 768]);
    expect(client.stats()).toMatchObject({ leases: 3, acquireFailures: 0, randomIds: 0 });
    expect(warnings).toEqual(['limited']);
    // What is missing is requested when callers lack it.
    await Promise.all([client.nextIds(2000), environment.advance(20)]);
    expect(client.stats()).toMatchObject({ leases: 4, throughputPerMs: 1024 });
    await environment.advance(3 * LEASE);
    expect(client.stats()).toMatchObject({ leases: 4, acquireFailures: 0 });
    expect(warnings).toEqual(['limited']);
  });
});

describe('warnings and events', () => {
  it('tell the first ID of each kind, and the end of it', async () => {
    const { environment, pool, client, warnings } = setUp();
    const events: string[] = [];
    client.on('fallback', ({ kind }) => events.push(kind));
    await client.ready();
    pool.error = away;
    await environment.advance(LEASE - 1000);
    await makeFor(client, environment, LEASE + 10_000, 1000);
    expect(client.stats().fencedIds).toBeGreaterThan(100);
    expect(client.stats().randomIds).toBeGreaterThan(5);
    expect([events, warnings]).toEqual([
      ['fenced', 'random'],
      ['fenced', 'random'],
    ]);
    pool.error = undefined;
    await makeFor(client, environment, 10_000);
    expect(warnings).toEqual(['fenced', 'random', 'recovered']);
    pool.error = away;
    await environment.advance(LEASE);
    await makeFor(client, environment, 1000);
    expect(warnings).toEqual(['fenced', 'random', 'recovered', 'fenced']);
  });

  it('say what happened, why, and where to read on', async () => {
    const messages: string[] = [];
    const causes: unknown[] = [];
    const { pool, client } = setUp({
      onWarning: (message, { cause }) => {
        messages.push(message);
        causes.push(cause);
      },
    });
    pool.error = away;
    await client.nextId();
    expect(messages[0]).toMatch(/no lease server responds.*random.*docs\/uniqueness\.md.*docs\/ids\.md/);
    expect(causes).toEqual([away]);
  });

  it('are not for a client without a provider: it chose randomness', async () => {
    const warnings: string[] = [];
    const environment = virtualEnvironment();
    const client = new KazahanaClient({ environment, onWarning: (message) => warnings.push(message) });
    await client.nextId();
    expect(warnings).toEqual([]);
  });
});

describe('random IDs', () => {
  it('have odds, which the statistics tell: those of one other client that makes as many', async () => {
    const client = new KazahanaClient({ environment: virtualEnvironment() });
    expect(client.stats().repeatOdds).toBe(0);
    client.nextIdSync();
    expect(client.stats().repeatOdds).toBeCloseTo(2 ** -21, 12);
    client.fill(new BigUint64Array(255));
    expect(client.stats().repeatOdds).toBeCloseTo(511 / 2 ** 21, 6);
  });

  it('over many milliseconds: the odds add up', async () => {
    const environment = virtualEnvironment();
    const client = new KazahanaClient({ environment });
    for (let i = 0; i < 100; i++) {
      client.nextIdSync();
      await environment.advance(1);
    }
    expect(client.stats().repeatOdds).toBeCloseTo(100 / 2 ** 21, 8);
  });
});

describe('after an outage', () => {
  it('callers bring the next attempt forward: there is a lease within four seconds', async () => {
    const { environment, pool, client } = setUp();
    pool.error = away;
    await makeFor(client, environment, 10 * MINUTE, 500);
    // At most one in two seconds, however many callers there are.
    expect(pool.requests.length).toBeLessThan((10 * MINUTE) / 2000 + 5);
    pool.error = undefined;
    const kinds = await makeFor(client, environment, 4200);
    expect(kinds.at(-1)).toBe('leased');
  });

  it('callers that are turned away do so, too', async () => {
    const { environment, pool, client } = setUp({ disableFallback: true });
    pool.error = away;
    await makeFor(client, environment, 5 * MINUTE, 500);
    pool.error = undefined;
    expect((await makeFor(client, environment, 4200)).at(-1)).toBe('leased');
  });

  it('a client without callers waits for its back-off', async () => {
    const { environment, pool, client } = setUp();
    pool.error = away;
    await client.nextId();
    await environment.advance(10 * MINUTE);
    // After 1, 2, 4, 8, 16 and 32 seconds, and then once a minute.
    expect(pool.requests.length).toBeLessThan(17);
  });

  it('a fleet of a thousand does not come back in one moment, and all of it within four seconds', async () => {
    const environment = virtualEnvironment();
    const pool = new Pool({ environment });
    const clients = Array.from(
      { length: 1000 },
      () => new KazahanaClient({ provider: pool, environment, onWarning: () => {} }),
    );
    pool.error = away;
    const pass = async (ms: number) => {
      await environment.advance(ms);
      for (const client of clients) client.nextIdSync();
    };
    await Promise.all(clients.map((client) => client.ready()));
    for (let i = 0; i < 15; i++) await pass(1000);
    pool.error = undefined;
    const counts: number[] = [];
    for (let i = 0; i < 41; i++) {
      const before = pool.requests.length;
      await pass(100);
      counts.push(pool.requests.length - before);
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(1000);
    // A tenth of a second has one in twenty of them, give or take.
    expect(Math.max(...counts)).toBeLessThan(100);
  });

  it('`retryAfterMs` of the provider comes before the back-off', async () => {
    const { environment, pool, client } = setUp();
    pool.error = away;
    await client.nextId();
    await environment.advance(2 * MINUTE);
    pool.error = new PoolExhaustedError('default', 300);
    await environment.advance(MINUTE);
    const before = pool.requests.length;
    await environment.advance(13_000);
    expect(pool.requests.length - before).toBeGreaterThanOrEqual(10);
  });
});

describe('a clock that steps while an acquire is under way', () => {
  for (const [title, stepMs] of [
    ['an hour ahead', HOUR],
    ['a day ahead', 25 * HOUR],
    ['an hour back', -HOUR],
  ] as const) {
    for (const isRenewal of [false, true]) {
      it(`${title} is corrected by the response (${isRenewal ? 'renewal' : 'first lease'})`, async () => {
        const { environment, pool, client, warnings } = setUp();
        // The store has a clock of its own.
        const store = new MemoryLeaseProvider({
          environment: { ...environment, now: () => start + environment.monotonic() },
        });
        const start = environment.now() - environment.monotonic();
        pool.onAcquire = async () => {
          const response = await store.acquire(pool.requests.at(-1) ?? {});
          await environment.sleep(200, { background: true });
          return response;
        };
        if (isRenewal) {
          const ready = client.ready();
          await environment.advance(300);
          await ready;
          while (pool.requests.length < 2) await environment.advance(100);
        }
        const first = isRenewal ? undefined : client.nextId();
        await environment.settle();
        environment.set(environment.now() + stepMs);
        const id = first ?? client.nextId();
        await environment.advance(300);
        const { unixMs, fallback } = decodeId(await id);
        expect(fallback).toBe(false);
        expect(Math.abs(unixMs - start - environment.monotonic())).toBeLessThan(1500);
        await makeFor(client, environment, MINUTE, 1000);
        expect(client.stats()).toMatchObject({ randomIds: 0, fencedIds: 0, acquireFailures: 0 });
        expect(warnings).toEqual([]);
      });
    }
  }
});

describe('a server that hangs while a lease is renewed', () => {
  const SHORT = 20_000;
  const services = { default: { leaseDuration: SHORT, fallbackGrace: SHORT } };
  const hang = () => new Promise<never>(() => {});

  /** The longest that a caller waits for an ID, and the kinds of all IDs. */
  async function callEvery(client: KazahanaClient, environment: VirtualEnvironment, ms: number) {
    const end = environment.now() + ms;
    let longest = 0;
    while (environment.now() < end) {
      const called = environment.now();
      let isServed = false;
      void client.nextId().then(() => {
        isServed = true;
      });
      do await environment.advance(10);
      while (!isServed);
      longest = Math.max(longest, environment.now() - called);
    }
    return longest;
  }

  it('does not keep callers waiting once the lease has expired: they get fenced IDs, and the late response counts', async () => {
    const { environment, pool, client, warnings } = setUp({}, { services });
    await client.nextId();
    let respond = () => {};
    pool.onAcquire = async (ask) => {
      const response = await ask();
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      return response;
    };
    expect(await callEvery(client, environment, SHORT + 4000)).toBeLessThanOrEqual(20);
    const { fencedIds, randomIds } = client.stats();
    expect(fencedIds).toBeGreaterThan(300);
    expect(randomIds).toBe(0);
    expect(warnings).toEqual(['fenced']);
    respond();
    await environment.advance(10);
    await client.nextId();
    expect(client.stats()).toMatchObject({ fencedIds, randomIds: 0 });
  });

  it('does, for the whole `acquireTimeout`, when the lease has no grace: random IDs are for outages', async () => {
    const { environment, pool, client } = setUp(
      {},
      { services: { default: { ...services.default, fallbackGrace: 0 } } },
    );
    await client.nextId();
    pool.onAcquire = hang;
    expect(await callEvery(client, environment, SHORT + 6000)).toBeGreaterThan(1000);
  });
});

it('a clock that steps back before the first ID is put right by a response, rather than waited for', async () => {
  const { environment, pool, client } = setUp();
  const start = environment.now();
  const store = new MemoryLeaseProvider({
    environment: { ...environment, now: () => start + environment.monotonic() },
  });
  pool.onAcquire = () => store.acquire(pool.requests.at(-1) ?? {});
  await client.ready();
  environment.set(environment.now() - HOUR);
  const id = client.nextId();
  await environment.advance(1000);
  expect(decodeId(await id)).toMatchObject({ fallback: false });
  expect(client.stats()).toMatchObject({ clockOffsetMs: HOUR, randomIds: 0 });
});

describe('R8: a renewal', () => {
  it('of a lease that was released meanwhile is not installed', async () => {
    const { environment, pool, client } = setUp(
      { acquireTimeout: 1000 },
      { services: { default: { bitId: 2, bitSeq: 20 } } },
    );
    await client.ready();
    // The renewal is granted, and its response held back.
    let respond: (() => void) | undefined;
    pool.onAcquire = async (ask) => {
      const response = await ask();
      return new Promise((resolve) => {
        respond ??= () => resolve(response);
      });
    };
    while (respond === undefined) await environment.advance(1000);
    // The lease ends; the pool says that it is full, so the client gives the lease back.
    pool.error = new PoolExhaustedError('default', 10_000);
    pool.onRelease = () => new Promise(() => {});
    while (pool.releases.length === 0) await environment.advance(1000);
    respond();
    await environment.settle();
    expect(client.stats().leases).toBe(0);
    expect(pool.releases).toHaveLength(1);
  });

  it('that came with the lease that it renews in hand: nothing of that slot is released before the client ends', async () => {
    const { environment, pool, client } = setUp();
    await client.ready();
    const late: (() => void)[] = [];
    pool.onAcquire = async (ask) => {
      const response = await ask();
      return new Promise((resolve) => late.push(() => resolve(response)));
    };
    while (late.length === 0) await environment.advance(1000);
    // The response to the renewal is of no use, and so is the next; then a late one arrives of a slot in use.
    pool.onAcquire = async () => ({ leases: [] });
    while (pool.requests.length < 4) await environment.advance(1000);
    late[0]?.();
    await environment.settle();
    expect(pool.releases).toEqual([]);
    expect(client.stats().leases).toBe(1);
  });
});

describe('shutdown', () => {
  it('waits for the renewal under way, and gives back the lease that it brings, with the last counts', async () => {
    const { environment, pool, client } = setUp();
    await client.ready();
    pool.onAcquire = async (ask) => {
      const response = await ask();
      await environment.sleep(1500);
      return response;
    };
    while (pool.requests.length < 2) await environment.advance(1000);
    client.fill(new BigUint64Array(7));
    let isClosed = false;
    const closed = client.shutdown().then(() => {
      isClosed = true;
    });
    await expect(client.nextId()).rejects.toThrow(ClientClosedError);
    await environment.advance(100);
    expect([isClosed, pool.releases.length]).toEqual([false, 0]);
    await environment.advance(1500);
    await closed;
    expect(pool.releases).toMatchObject([{ id: 0, report: { leasedIds: 7 } }]);
    expect(await pool.listLeases()).toEqual([]);
    expect(environment.pending).toBe(0);
  });

  it('ends the call when it takes longer than `shutdownTimeout`', async () => {
    const { environment, pool, client } = setUp({ shutdownTimeout: 700 });
    const signals: (AbortSignal | undefined)[] = [];
    pool.acquire = (_options: AcquireOptions, call?: { signal?: AbortSignal }) => {
      signals.push(call?.signal);
      return new Promise(() => {});
    };
    client.ready().catch(() => undefined);
    await environment.settle();
    const closed = client.shutdown();
    await environment.advance(699);
    expect(signals[0]?.aborted).toBe(false);
    await environment.advance(1);
    await closed;
    expect(signals[0]?.aborted).toBe(true);
    expect(environment.pending).toBe(0);
  });
});

describe('a new client', () => {
  it('touches nothing: it may stand at module level in a worker', () => {
    const touched = () => {
      throw new Error('touched');
    };
    const environment: Environment = { now: touched, sleep: touched, random: touched, monotonic: touched };
    const provider = { acquire: touched, release: touched };
    const { AbortController: original } = globalThis;
    globalThis.AbortController = touched as never;
    try {
      expect(new KazahanaClient({ environment, provider })).toBeInstanceOf(KazahanaClient);
      expect(new KazahanaClient({ environment })).toBeInstanceOf(KazahanaClient);
    } finally {
      globalThis.AbortController = original;
    }
  });

  it('whose attempt has died with the request that began it gives it up by the clock', async () => {
    const { environment, pool, client } = setUp();
    pool.onAcquire = () => new Promise(() => {});
    // Timers of a request that has ended never fire.
    let isDead = false;
    const { sleep } = environment;
    environment.sleep = (ms, options) => (isDead ? new Promise(() => {}) : sleep(ms, options));
    isDead = true;
    client.nextId().catch(() => undefined);
    await environment.settle();
    isDead = false;
    pool.onAcquire = (ask) => ask();
    const id = client.nextId();
    await environment.advance(5900);
    expect(pool.requests).toHaveLength(1);
    await environment.advance(600);
    expect(decodeId(await id).fallback).toBe(false);
    expect(pool.requests).toHaveLength(2);
    expect(pool.requests[0]?.requestId).toBe(pool.requests[1]?.requestId);
  });
});

describe('decodeId', () => {
  it('knows the layout of the leases', async () => {
    const layout = { customEpoch: 1_700_000_000_000, bitReserve: 11, bitTs: 41, bitId: 4, bitSeq: 8 };
    const { environment, client } = setUp({}, { services: { default: layout } });
    const id = await client.nextId();
    expect(client.decodeId(id)).toMatchObject({ unixMs: environment.now(), machineId: 0, fallback: false });
  });

  it('takes the settings of a client that never had a lease', () => {
    const environment = virtualEnvironment();
    const client = new KazahanaClient({ environment, defaultEpoch: 1_600_000_000_000 });
    expect(client.decodeId(client.nextIdSync())).toMatchObject({ unixMs: environment.now(), fallback: true });
  });
});
