import { describe, expect, it } from 'vitest';
import type { Environment } from '../environment.js';
import type { PoolsOptions } from '../lease/config.js';
import { LeaseEngine } from '../lease/engine.js';
import { signRelease } from '../lease/signature.js';
import type {
  AcquireOptions,
  InspectedLease,
  InspectedPool,
  LayoutChange,
  LeaseInspector,
  LeaseProvider,
  ReleaseOptions,
} from '../lease/types.js';
import { leaseProviderConformance, virtualEnvironment } from '../testing/index.js';
import { HttpLeaseProvider, type HttpLeaseProviderOptions, MemoryDriver } from './index.js';

const URL_OF_SERVER = 'https://ids.example/';
const TOKEN = 'a-token-that-no-log-may-show';
const LEASE = {
  id: 3,
  created: 1_800_000_000_000,
  expired: 1_800_000_060_000,
  secret: '00112233445566778899aabbccddeeff',
  customEpoch: 1_767_225_600_000,
  bitReserve: 1,
  bitTs: 41,
  bitId: 14,
  bitSeq: 8,
};
const POOL: InspectedPool = {
  name: 'a pool',
  id: 'abc',
  serial: 7,
  now: 1_800_000_000_000,
  layout: { customEpoch: 1_767_225_600_000, bitReserve: 1, bitTs: 41, bitId: 14, bitSeq: 8 },
  share: { index: 0, of: 1 },
  slots: 8192,
  held: 1,
  quarantinedUntil: 0,
};
const INSPECTED: InspectedLease = {
  id: 3,
  bitSeq: 8,
  serviceId: 'orders',
  holder: { host: 'a' },
  created: LEASE.created,
  expired: LEASE.expired,
  fallbackUntil: LEASE.expired,
};
const WHOIS = {
  pool: 'default',
  unixMs: LEASE.created,
  machineId: 3,
  sequence: 5,
  isFallback: false,
  maker: { serviceId: 'orders', holder: { host: 'a' }, created: LEASE.created, end: LEASE.expired },
};
const RELEASE: ReleaseOptions = { id: 3, signature: 'ab'.repeat(32), timestamp: LEASE.created };

type Handler = (body: never, id: string, query: URLSearchParams) => Promise<unknown>;

const poolOf = (query: URLSearchParams) => query.get('pool') ?? undefined;

/** A server as small as the protocol allows, for any provider. */
function serve(provider: LeaseProvider & LeaseInspector): (request: Request) => Promise<Response> {
  const routes: Readonly<Record<string, Handler>> = {
    'POST /lease': (body: AcquireOptions) => provider.acquire(body),
    'DELETE /lease/': (body: ReleaseOptions, id) => provider.release({ ...body, id: Number(id) }),
    async 'GET /pool'(_body, _id, query) {
      const limit = Number(query.get('limit') ?? 1000);
      const after = Number(query.get('after') ?? -1);
      const pool = await provider.inspectPool(poolOf(query));
      const leases = limit === 0 ? [] : await provider.listLeases(poolOf(query), { after, limit });
      const next = limit > 0 && leases.length >= limit ? leases.at(-1)?.id : null;
      return { pools: ['default'], pool, leases, next };
    },
    'GET /whois/': async (_body, id, query) => ({
      id,
      ...(await provider.whois(BigInt(id), poolOf(query))),
    }),
    'POST /pool/create': (body: { pool?: string }) => provider.createPool(body),
    'POST /pool/quarantine': ({ pool }: { pool?: string }) => provider.quarantine(pool),
    'POST /pool/revoke': (body: { id: number }) => provider.revoke(body),
    'POST /pool/layout': (body: LayoutChange) => provider.changeLayout(body),
  };
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, path = '', id = ''] = /^(?<path>\D+)(?<id>\d*)$/.exec(pathname) ?? [];
    const text = await request.text();
    try {
      const handle = routes[`${request.method} ${path}`];
      if (!handle) return new Response('', { status: 404 });
      const body = (text === '' ? undefined : JSON.parse(text)) as never;
      const result = await handle(body, id, searchParams);
      return result === undefined ? new Response(null, { status: 204 }) : Response.json(result);
    } catch (error) {
      const { code } = error as { code: string };
      return problem({ ...(error as object), code }, code === 'POOL_EXHAUSTED' ? 503 : 400);
    }
  };
}

function problem(members: object, status = 400, headers: Record<string, string> = {}): Response {
  const body = JSON.stringify({ type: 'about:blank', title: 'refused', status, ...members });
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
}

/** A provider whose server is a function. */
function connect(
  handle: (request: Request) => Response | Promise<Response>,
  options: HttpLeaseProviderOptions = {},
): HttpLeaseProvider {
  return new HttpLeaseProvider(URL_OF_SERVER, {
    token: TOKEN,
    fetch: async (url, init) => handle(new Request(url, init)),
    ...options,
  });
}

async function errorOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const outcome = await call.then(
    () => new Error('it is not refused'),
    (error: unknown) => error,
  );
  return outcome as Error & Record<string, unknown>;
}

describe('through HTTP, a provider conforms:', () => {
  const cases = leaseProviderConformance(async (options) => {
    const environment = virtualEnvironment();
    const { now, advance } = environment;
    const driver = new MemoryDriver({ environment });
    const open = async (config: PoolsOptions) =>
      connect(serve(new LeaseEngine(driver, { ...config, environment })), { environment });
    return { provider: await open(options), now, advance, reopen: open, isRemote: true };
  });
  for (const { name, run } of cases) it(name, run);
});

describe('what is sent', () => {
  it("is the seed's wire protocol, with a bearer token", async () => {
    const seen: unknown[] = [];
    const provider = connect(async (request) => {
      const { method, url, headers, redirect } = request;
      const named = ['authorization', 'content-type'].map((name) => headers.get(name));
      seen.push([method, url, ...named, redirect, await request.json()]);
      return method === 'POST' ? Response.json({ leases: [LEASE] }) : new Response(null, { status: 204 });
    });
    const request = { serviceId: 'orders', meta: { host: 'a' }, throughputPerMs: 300, requestId: 'r' };
    await provider.acquire(request);
    await provider.release({ ...RELEASE, serviceId: 'orders' });
    await provider.release(RELEASE);
    const { signature, timestamp } = RELEASE;
    const common = [`Bearer ${TOKEN}`, 'application/json', 'manual'];
    expect(seen).toEqual([
      ['POST', 'https://ids.example/lease', ...common, request],
      ['DELETE', 'https://ids.example/lease/3', ...common, { signature, timestamp, serviceId: 'orders' }],
      ['DELETE', 'https://ids.example/lease/3', ...common, { signature, timestamp }],
    ]);
  });

  it('carries what a client claims, has seen and has counted', async () => {
    const bodies: unknown[] = [];
    const provider = connect(async (request) => {
      bodies.push(await request.json());
      return request.method === 'POST'
        ? Response.json({ leases: [LEASE] })
        : new Response(null, { status: 204 });
    });
    const counts = {
      leasedIds: 5,
      fencedIds: 0,
      randomIds: 0,
      exhaustedMs: 0,
      acquireFailures: 1,
      clockSteps: 0,
    };
    const { id, bitId, bitSeq, created, expired } = LEASE;
    const window = { pool: 'p', id, bitId, bitSeq, created, expired, fallbackUntil: expired };
    const claim = { ...window, timestamp: created, signature: 'ab', proof: 'cd' };
    const request = { seen: { pool: 'p', serial: 7, proof: 'ef' }, renew: [claim], report: counts };
    await provider.acquire(request);
    await provider.release({ ...RELEASE, report: counts });
    const { signature, timestamp } = RELEASE;
    expect(bodies).toEqual([request, { signature, timestamp, report: counts }]);
  });

  it('releases leases by POST where the caller says so', async () => {
    const seen: unknown[] = [];
    const provider = new HttpLeaseProvider(URL_OF_SERVER, {
      releaseMethod: 'POST',
      fetch: async (url, init) => {
        seen.push([init.method, url, JSON.parse(String(init.body))]);
        return new Response(null, { status: 204 });
      },
    });
    await provider.release(RELEASE);
    const { signature, timestamp } = RELEASE;
    expect(seen).toEqual([['POST', 'https://ids.example/lease/3/release', { signature, timestamp }]]);
  });

  it('is what the routes for operators take: a query or JSON, IDs as decimal text', async () => {
    const seen: unknown[] = [];
    const provider = connect(async (request) => {
      const { method, url, headers } = request;
      expect(headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
      const path = url.slice(URL_OF_SERVER.length);
      seen.push([method, path, headers.get('content-type'), await request.text()]);
      if (path.startsWith('whois')) return Response.json({ id: '5', ...WHOIS });
      if (path === 'pool/revoke') return new Response(null, { status: 204 });
      return Response.json(method === 'GET' ? { pools: [], pool: POOL, leases: [INSPECTED] } : POOL);
    });
    const results = [
      await provider.inspectPool(),
      await provider.inspectPool('a&b=c'),
      await provider.listLeases(),
      await provider.whois(2n ** 64n - 1n),
      await provider.whois(5n, 'own'),
      await provider.createPool(),
      await provider.createPool({ pool: 'own', afterLoss: true }),
      await provider.quarantine(),
      await provider.quarantine('own'),
      await provider.revoke({ id: 3, pool: 'own' }),
      await provider.changeLayout({ bitId: 13, bitSeq: 9 }),
    ];
    const json = 'application/json';
    expect(seen).toEqual([
      ['GET', 'pool?limit=0', null, ''],
      ['GET', 'pool?pool=a%26b%3Dc&limit=0', null, ''],
      ['GET', 'pool?limit=1000', null, ''],
      ['GET', 'whois/18446744073709551615', null, ''],
      ['GET', 'whois/5?pool=own', null, ''],
      ['POST', 'pool/create', json, '{}'],
      ['POST', 'pool/create', json, '{"pool":"own","afterLoss":true}'],
      ['POST', 'pool/quarantine', json, '{}'],
      ['POST', 'pool/quarantine', json, '{"pool":"own"}'],
      ['POST', 'pool/revoke', json, '{"id":3,"pool":"own"}'],
      ['POST', 'pool/layout', json, '{"bitId":13,"bitSeq":9}'],
    ]);
    const pools = [POOL, POOL, POOL, POOL];
    expect(results).toEqual([POOL, POOL, [INSPECTED], WHOIS, WHOIS, ...pools, undefined, POOL]);
  });

  it('is one request for each page of leases, until the server has no more or the limit is reached', async () => {
    const engine = new LeaseEngine(new MemoryDriver(), {});
    for (let i = 0; i < 3; i++) await engine.acquire({ throughputPerMs: 256 * 700 });
    const pages: string[] = [];
    const server = serve(engine);
    const provider = connect((request) => {
      pages.push(new URL(request.url).search);
      return server(request);
    });
    const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
    expect((await provider.listLeases()).map(({ id }) => id)).toEqual(ids(0, 2100));
    expect(pages.splice(0)).toEqual(['?limit=1000', '?limit=1000&after=999', '?limit=1000&after=1999']);
    const some = await provider.listLeases('default', { after: 5, limit: 3 });
    expect(some.map(({ id }) => id)).toEqual([6, 7, 8]);
    expect(pages.splice(0)).toEqual(['?pool=default&limit=3&after=5']);
    for (const page of [{ limit: 0 }, { after: -2 }, { from: 5 } as object]) {
      expect(await errorOf(provider.listLeases('default', page))).toMatchObject({
        code: expect.stringMatching(/OUT_OF_RANGE|INVALID_ARGUMENT/),
      });
    }
    expect(pages).toEqual([]);
  });

  it('has no authorization when there is no token', async () => {
    const provider = new HttpLeaseProvider(URL_OF_SERVER, {
      fetch: async (url, init) => {
        expect(new Request(url, init).headers.has('authorization')).toBe(false);
        return Response.json({ leases: [LEASE] });
      },
    });
    await provider.acquire({});
  });

  const urls: [given: string | URL, called: string][] = [
    ['http://127.0.0.1:7420', 'http://127.0.0.1:7420/lease'],
    ['http://127.0.0.1:7420/', 'http://127.0.0.1:7420/lease'],
    ['https://example.org/kazahana', 'https://example.org/kazahana/lease'],
    ['https://example.org/kazahana//', 'https://example.org/kazahana/lease'],
    [new URL('http://[::1]:7420/a/b/'), 'http://[::1]:7420/a/b/lease'],
  ];
  for (const [given, called] of urls) {
    it(`goes to ${called} for ${given}`, async () => {
      let url = '';
      const fetch = async (input: string) => {
        url = input;
        return Response.json({ leases: [LEASE] });
      };
      await new HttpLeaseProvider(given, { fetch }).acquire({});
      expect(url).toBe(called);
    });
  }

  it('is nothing when the caller passes no request', async () => {
    const provider = connect(() => {
      throw new Error('must not be called');
    });
    expect(await errorOf(provider.acquire({ throughputPerMs: 0 }))).toMatchObject({ code: 'OUT_OF_RANGE' });
    expect(await errorOf(provider.release({ ...RELEASE, id: '../pool' as unknown as number }))).toMatchObject(
      {
        code: 'OUT_OF_RANGE',
      },
    );
    for (const id of [-1n, 2n ** 64n]) {
      expect(await errorOf(provider.whois(id))).toMatchObject({ code: 'OUT_OF_RANGE' });
    }
    expect(await errorOf(provider.whois('../pool' as never))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a provider is refused when', () => {
  const rows: [title: string, url: unknown, options: HttpLeaseProviderOptions, message: string][] = [
    ['its URL is none', 'ids.example', {}, 'url must be an http: or https: URL'],
    ['its URL is nothing', undefined, {}, 'url must be an http: or https: URL'],
    ['its URL is a file', 'file:///etc/passwd', {}, 'got "file:"'],
    ['its URL is code', 'javascript:alert(1)', {}, 'got "javascript:"'],
    ['its URL has a password', `https://me:${TOKEN}@ids.example`, {}, 'https://ids.example with more'],
    ['its URL has a query', `https://ids.example/?token=${TOKEN}`, {}, 'https://ids.example with more'],
    ['its URL has a fragment', 'https://ids.example/#a', {}, 'https://ids.example with more'],
    ['its token is empty', URL_OF_SERVER, { token: '' }, 'token must be a text of visible ASCII'],
    ['its token is two lines', URL_OF_SERVER, { token: `${TOKEN}\r\nx: y` }, 'token must be a text'],
    ['its token is no text', URL_OF_SERVER, { token: 5 as unknown as string }, 'token must be a text'],
    [
      'its releases have no such method',
      URL_OF_SERVER,
      { releaseMethod: 'PUT' as 'POST' },
      'releaseMethod must be DELETE or POST',
    ],
    ['its timeout is 0', URL_OF_SERVER, { timeout: 0 }, 'timeout must be an integer from 1'],
    ['its timeout is no number', URL_OF_SERVER, { timeout: '5' as unknown as number }, 'timeout must be'],
  ];
  for (const [title, url, options, message] of rows) {
    it(title, () => {
      let error: unknown;
      try {
        new HttpLeaseProvider(url as string, options);
      } catch (thrown) {
        error = thrown;
      }
      expect(String(error)).toContain(message);
      expect(String(error)).not.toContain(TOKEN);
    });
  }
});

describe('a response to an acquire is refused when', () => {
  const { secret: _, ...withoutSecret } = LEASE;
  const rows: [title: string, body: string][] = [
    ['it is empty', ''],
    ['it is no JSON', '<html>'],
    ['it is cut off', JSON.stringify({ leases: [LEASE] }).slice(0, -10)],
    ['it is null', 'null'],
    ['it is a list', '[]'],
    ['it has no leases', '{}'],
    ['its leases are no list', JSON.stringify({ leases: LEASE })],
    ['its leases are none', JSON.stringify({ leases: [] })],
    ['a lease is null', JSON.stringify({ leases: [LEASE, null] })],
    ['a lease has no secret', JSON.stringify({ leases: [withoutSecret] })],
    ...Object.keys(LEASE).map((name): [string, string] => [
      `${name} of a lease is of another type`,
      JSON.stringify({ leases: [{ ...LEASE, [name]: { a: 1 } }] }),
    ]),
    ['a time is no integer', JSON.stringify({ leases: [{ ...LEASE, created: 0.5 }] })],
    ['a time is a text', JSON.stringify({ leases: [{ ...LEASE, created: `${LEASE.created}` }] })],
    ['fallbackUntil is a text', JSON.stringify({ leases: [{ ...LEASE, fallbackUntil: '' }] })],
    ['now is a text', JSON.stringify({ leases: [LEASE], now: '2026' })],
    ['pool is a number', JSON.stringify({ leases: [LEASE], pool: 5 })],
    ['serial is a text', JSON.stringify({ leases: [LEASE], serial: '5' })],
    ['requestId is a number', JSON.stringify({ leases: [LEASE], requestId: 5 })],
    ['a secret is endless', JSON.stringify({ leases: [{ ...LEASE, secret: 'x'.repeat(1025) }] })],
    ['proof is a number', JSON.stringify({ leases: [LEASE], proof: 5 })],
    ['proof of a lease is a number', JSON.stringify({ leases: [{ ...LEASE, proof: 5 }] })],
    ['isRepeated is a text', JSON.stringify({ leases: [LEASE], isRepeated: 'yes' })],
  ];
  for (const [title, body] of rows) {
    it(title, async () => {
      const error = await errorOf(connect(() => new Response(body)).acquire({}));
      expect(error).toMatchObject({ name: 'BadResponseError', code: 'BAD_RESPONSE' });
      expect(`${error.message} ${error.stack}`).not.toContain(LEASE.secret);
    });
  }

  it('but not when it has only the fields of the source document, or unknown ones', async () => {
    const simple = await connect(() => Response.json({ leases: [LEASE] })).acquire({});
    expect(simple).toEqual({ leases: [LEASE] });
    const known = { now: 5, pool: 'p', serial: 7, requestId: 'r', proof: 'ab', isRepeated: true };
    const lease = { ...LEASE, fallbackUntil: LEASE.expired, proof: 'cd' };
    const rich = { leases: [{ ...lease, colour: 'blue' }], ...known, motto: 'x' };
    expect(await connect(() => Response.json(rich)).acquire({})).toEqual({ leases: [lease], ...known });
  });
});

describe('a response to an operator is refused when', () => {
  const calls: Readonly<
    Record<string, [good: object, call: (provider: HttpLeaseProvider) => Promise<unknown>]>
  > = {
    createPool: [POOL, (provider) => provider.createPool()],
    quarantine: [POOL, (provider) => provider.quarantine()],
    changeLayout: [POOL, (provider) => provider.changeLayout({ bitId: 13, bitSeq: 9 })],
    inspectPool: [{ pool: POOL, leases: [INSPECTED] }, (provider) => provider.inspectPool()],
    listLeases: [{ pool: POOL, leases: [INSPECTED] }, (provider) => provider.listLeases()],
    whois: [WHOIS, (provider) => provider.whois(5n)],
  };

  /** The response with one field changed: every field, at every depth. */
  function* damaged(good: unknown, path = ''): Generator<[path: string, bad: unknown]> {
    if (typeof good !== 'object' || good === null) return;
    for (const [name, value] of Object.entries(good)) {
      const place = `${path}/${name}`;
      const change = (to: unknown) => (Array.isArray(good) ? [to] : { ...good, [name]: to });
      for (const bad of [undefined, 0.5, -1, [{}]]) yield [`${place} is ${JSON.stringify(bad)}`, change(bad)];
      for (const [inner, bad] of damaged(value, place)) yield [inner, change(bad)];
    }
  }

  for (const [method, [good, call]] of Object.entries(calls)) {
    it(`a field for ${method} is missing or of another type`, async () => {
      // A holder may have no fields, and nothing says that an epoch is after 1970.
      const rows = [...damaged(good)].filter(([title]) => !/host is undefined|customEpoch is -1/.test(title));
      for (const [title, bad] of [...rows, ['it is null', null], ['it is a list', []]] as const) {
        const error = await errorOf(call(connect(() => Response.json(bad))));
        expect(error, title).toMatchObject({ name: 'BadResponseError', code: 'BAD_RESPONSE' });
      }
      expect(rows.length).toBeGreaterThan(20);
      await call(connect(() => Response.json(good)));
    });
  }

  it('it should be empty and is not', async () => {
    const error = await errorOf(connect(() => new Response('<html>')).revoke({ id: 3 }));
    expect(error).toMatchObject({ code: 'BAD_RESPONSE' });
  });

  it('its pages or its leases do not rise: such a list would have no end', async () => {
    const endless = () => Response.json({ pool: POOL, leases: [INSPECTED], next: 3 });
    const error = await errorOf(connect(endless).listLeases());
    expect(error).toMatchObject({ code: 'BAD_RESPONSE' });
    let page = 3;
    const hollow = connect(() => Response.json({ pool: POOL, leases: [], next: ++page }));
    expect(await errorOf(hollow.listLeases())).toMatchObject({ code: 'BAD_RESPONSE' });
    const mixed = [{ ...INSPECTED, id: 5 }, INSPECTED];
    const provider = connect(() => Response.json({ pool: POOL, leases: mixed, next: null }));
    expect(await errorOf(provider.listLeases())).toMatchObject({ code: 'BAD_RESPONSE' });
  });

  it('but not when the ID has no maker on record, or fields are unknown', async () => {
    const unmade = { ...WHOIS, maker: null };
    expect(await connect(() => Response.json({ ...unmade, id: '5', colour: 'blue' })).whois(5n)).toEqual(
      unmade,
    );
    const leases = [{ ...INSPECTED, secret: LEASE.secret }];
    const provider = connect(() => Response.json({ pool: POOL, leases }));
    expect(await provider.listLeases()).toEqual([INSPECTED]);
  });
});

describe('a refusal of the server becomes', () => {
  const environment = virtualEnvironment({ at: Date.parse('2027-01-01T00:00:00Z') });
  const later = 'Fri, 01 Jan 2027 00:00:07 GMT';
  const exhausted = { name: 'PoolExhaustedError', code: 'POOL_EXHAUSTED' };
  const missing = { name: 'LeaseNotFoundError', code: 'LEASE_NOT_FOUND', id: 3 };
  const bad = { name: 'BadResponseError', code: 'BAD_RESPONSE' };
  const rows: [title: string, response: () => Response, error: object][] = [
    [
      'PoolExhaustedError, with the time to the millisecond',
      () => problem({ code: 'POOL_EXHAUSTED', pool: 'p', retryAfterMs: 1234 }, 503, { 'retry-after': '2' }),
      { ...exhausted, pool: 'p', retryAfterMs: 1234 },
    ],
    [
      'PoolExhaustedError, with the seconds of the header',
      () => problem({ code: 'POOL_EXHAUSTED' }, 503, { 'retry-after': '2' }),
      { ...exhausted, retryAfterMs: 2000 },
    ],
    [
      'PoolExhaustedError, with the date of the header',
      () => problem({ code: 'POOL_EXHAUSTED' }, 503, { 'retry-after': later }),
      { ...exhausted, retryAfterMs: 7000 },
    ],
    [
      'PoolExhaustedError, when nothing useful is said',
      () => problem({ code: 'POOL_EXHAUSTED', retryAfterMs: -5 }, 503, { 'retry-after': 'soon' }),
      { ...exhausted, retryAfterMs: 1000 },
    ],
    [
      'PoolMismatchError',
      () => problem({ code: 'POOL_MISMATCH', what: 'bitTs', expected: 41, got: 40 }, 409),
      { name: 'PoolMismatchError', message: 'bitTs is 41 for this pool and cannot be 40' },
    ],
    [
      'PoolMismatchError, when nothing more is said',
      () => problem({ code: 'POOL_MISMATCH' }, 409),
      { code: 'POOL_MISMATCH' },
    ],
    [
      'StaleSignatureError',
      () => problem({ code: 'STALE_SIGNATURE', now: 5, toleranceMs: 30_000 }),
      { name: 'StaleSignatureError', timestamp: LEASE.created, now: 5, toleranceMs: 30_000 },
    ],
    [
      'PoolExhaustedError with its reason',
      () => problem({ code: 'POOL_EXHAUSTED', retryAfterMs: 5, reason: 'in quarantine' }, 503),
      { ...exhausted, reason: 'in quarantine' },
    ],
    [
      'TooManyLeasesError',
      () => problem({ code: 'TOO_MANY_LEASES', serviceId: 'orders', allowed: 16, requested: 32 }, 422),
      { name: 'TooManyLeasesError', serviceId: 'orders', allowed: 16, requested: 32 },
    ],
    [
      'PoolMissingError',
      () => problem({ code: 'POOL_MISSING', pool: 'p' }, 503),
      { name: 'PoolMissingError', pool: 'p' },
    ],
    [
      'PoolExistsError',
      () => problem({ code: 'POOL_EXISTS', pool: 'p' }, 409),
      { name: 'PoolExistsError', pool: 'p' },
    ],
    [
      'HttpLeaseError, when the pool is not named',
      () => problem({ code: 'POOL_MISSING' }, 503),
      { name: 'HttpLeaseError', code: 'POOL_MISSING', status: 503 },
    ],
    ['LeaseNotFoundError', () => problem({ code: 'LEASE_NOT_FOUND' }, 404), missing],
    ['the same for a wrong signature', () => problem({ code: 'INVALID_SIGNATURE' }, 403), missing],
    [
      'HttpLeaseError for what is not the pool’s',
      () => problem({ code: 'UNAUTHORIZED', detail: 'no such token' }, 401),
      { name: 'HttpLeaseError', code: 'UNAUTHORIZED', status: 401, detail: 'no such token' },
    ],
    [
      'HttpLeaseError with the time to wait, to the millisecond',
      () => problem({ code: 'RATE_LIMITED', retryAfterMs: 1234 }, 429, { 'retry-after': '2' }),
      { name: 'HttpLeaseError', code: 'RATE_LIMITED', status: 429, retryAfterMs: 1234 },
    ],
    [
      'HttpLeaseError with the seconds of the header',
      () => problem({ code: 'STORE_UNAVAILABLE' }, 503, { 'retry-after': '3' }),
      { name: 'HttpLeaseError', code: 'STORE_UNAVAILABLE', status: 503, retryAfterMs: 3000 },
    ],
    [
      'HttpLeaseError without a time, when the server says none',
      () => problem({ code: 'FORBIDDEN' }, 403),
      { name: 'HttpLeaseError', code: 'FORBIDDEN', retryAfterMs: undefined },
    ],
    [
      'BAD_RESPONSE for a page of a proxy, with its status',
      () => new Response('<html>', { status: 502 }),
      { ...bad, status: 502 },
    ],
    ['BAD_RESPONSE for a page of a proxy that passes for success', () => new Response('<html>'), bad],
    ['BAD_RESPONSE for a problem without a code', () => problem({}, 500), bad],
    ['BAD_RESPONSE for a code that is none', () => problem({ code: `${TOKEN} is wrong` }, 500), bad],
    [
      'BAD_RESPONSE for a redirect, which is not followed',
      () => new Response(null, { status: 308, headers: { location: 'https://elsewhere.example' } }),
      bad,
    ],
  ];
  for (const [title, response, expected] of rows) {
    it(title, async () => {
      const error = await errorOf(connect(response, { environment }).release(RELEASE));
      expect(error).toMatchObject(expected);
      expect(error).toBeInstanceOf(Error);
      for (const hidden of [TOKEN, RELEASE.signature]) expect(error.message).not.toContain(hidden);
    });
  }
});

describe('a refusal of an operator', () => {
  it('to revoke names the machine ID', async () => {
    const provider = connect(() => problem({ code: 'LEASE_NOT_FOUND' }, 404));
    expect(await errorOf(provider.revoke({ id: 5 }))).toMatchObject({ name: 'LeaseNotFoundError', id: 5 });
  });

  it('is an error for every other method as well', async () => {
    const provider = connect(() => problem({ code: 'FORBIDDEN' }, 403));
    const calls = [
      provider.createPool(),
      provider.inspectPool(),
      provider.listLeases(),
      provider.quarantine(),
      provider.changeLayout({ bitId: 13, bitSeq: 9 }),
      provider.whois(5n),
    ];
    for (const call of calls)
      expect(await errorOf(call)).toMatchObject({ name: 'HttpLeaseError', status: 403 });
  });
});

describe('a call ends', () => {
  /** Never responds, and does not look at its signal. */
  const deaf = () => new Promise<Response>(() => {});

  it('as UNREACHABLE, with the cause, when there is no server', async () => {
    const cause = new TypeError('fetch failed');
    const error = await errorOf(connect(() => Promise.reject(cause)).acquire({}));
    const message = 'no lease server responds at https://ids.example';
    expect(error).toMatchObject({ name: 'LeaseError', code: 'UNREACHABLE', cause, message });
  });

  it('as UNREACHABLE when the connection breaks in the middle of the response', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.error(new Error('reset')),
    });
    expect(await errorOf(connect(() => new Response(body)).acquire({}))).toMatchObject({
      code: 'UNREACHABLE',
    });
  });

  it('as TIMEOUT at the deadline, 5 seconds unless said otherwise, and not before', async () => {
    for (const [options, timeout] of [
      [{}, 5000],
      [{ timeout: 70 }, 70],
    ] as const) {
      const environment = virtualEnvironment();
      let code: unknown;
      const provider = connect(deaf, { ...options, environment });
      void errorOf(provider.acquire({})).then((error) => {
        code = error.code;
      });
      await environment.advance(timeout - 1);
      expect(code).toBe(undefined);
      await environment.advance(1);
      expect(code).toBe('TIMEOUT');
    }
  });

  it('later when the call is a change of layout, which may have a million slots to write', async () => {
    const environment = virtualEnvironment();
    let code: unknown;
    const provider = connect(deaf, { environment });
    void errorOf(provider.changeLayout({ bitId: 13, bitSeq: 9 })).then((error) => {
      code = error.code;
    });
    await environment.advance(119_999);
    expect(code).toBe(undefined);
    await environment.advance(1);
    expect(code).toBe('TIMEOUT');
  });

  it('as TIMEOUT when the head of a response comes, but not its end', async () => {
    const environment = virtualEnvironment();
    const provider = connect(() => new Response(new ReadableStream()), { environment });
    const errors = [errorOf(provider.acquire({})), errorOf(provider.inspectPool())];
    await environment.advance(5000);
    for (const error of errors) expect(await error).toMatchObject({ code: 'TIMEOUT' });
  });

  /** A body without an end; counts the bytes that were read of it. */
  function endless(): {
    body: ReadableStream<Uint8Array<ArrayBuffer>>;
    counts: { read: number; ends: number };
  } {
    const counts = { read: 0, ends: 0 };
    const piece = new TextEncoder().encode(' '.repeat(65_536));
    const body = new ReadableStream({
      pull(controller) {
        counts.read += piece.byteLength;
        controller.enqueue(piece);
      },
      cancel: () => void counts.ends++,
    });
    return { body, counts };
  }

  it('as BAD_RESPONSE when a response is too large, after 4 MiB and whatever its status is', async () => {
    for (const status of [200, 503]) {
      const { body, counts } = endless();
      const error = await errorOf(connect(() => new Response(body, { status })).acquire({}));
      expect(error).toMatchObject({
        code: 'BAD_RESPONSE',
        message: expect.stringContaining('4194304 bytes'),
      });
      expect(counts.read).toBeLessThan(5 * 1024 * 1024);
      expect(counts.ends).toBe(1);
    }
  });

  it('and so does the reading of a response that goes on after the deadline', async () => {
    const environment = virtualEnvironment();
    let ends = 0;
    const body = new ReadableStream({ cancel: () => void ends++ });
    const error = errorOf(connect(() => new Response(body), { environment }).acquire({}));
    await environment.advance(5000);
    expect(await error).toMatchObject({ code: 'TIMEOUT' });
    expect(ends).toBe(1);
  });

  it("with the caller's reason when the caller gives up, before or later", async () => {
    const reason = new Error('enough');
    expect(await errorOf(connect(deaf).acquire({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const controller = new AbortController();
    const error = errorOf(connect(deaf).release(RELEASE, { signal: controller.signal }));
    controller.abort(reason);
    expect(await error).toBe(reason);
  });

  it('for the server as well: its request is aborted', async () => {
    const environment = virtualEnvironment();
    let signal: AbortSignal | null | undefined;
    const provider = new HttpLeaseProvider(URL_OF_SERVER, {
      environment,
      fetch: (_url, init) => {
        signal = init.signal;
        return deaf();
      },
    });
    void errorOf(provider.acquire({}));
    await environment.advance(5000);
    expect(signal?.aborted).toBe(true);
  });

  it('and leaves no sleeper behind, and what is done undisturbed', async () => {
    const virtual = virtualEnvironment();
    let sleeping = 0;
    const environment: Environment = {
      now: virtual.now,
      random: virtual.random,
      async sleep(ms, options) {
        sleeping++;
        await virtual.sleep(ms, options);
        sleeping--;
      },
    };
    const signals: unknown[] = [];
    const fetch = async (_url: string, init: RequestInit) => {
      signals.push(init.signal);
      return Response.json({ leases: [LEASE] });
    };
    const controller = new AbortController();
    await connect(deaf, { environment, fetch }).acquire({}, { signal: controller.signal });
    await virtual.settle();
    controller.abort();
    expect(sleeping).toBe(0);
    expect(signals).toMatchObject([{ aborted: false }]);
  });
});

describe('a release over HTTP', () => {
  it('is signed by the caller; the secret stays at home', async () => {
    const bodies: string[] = [];
    const provider = connect(async (request) => {
      bodies.push(await request.text());
      return new Response(null, { status: 204 });
    });
    const { id, secret, created: timestamp } = LEASE;
    await provider.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
    expect(bodies.join()).not.toContain(secret);
  });
});
