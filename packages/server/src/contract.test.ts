// Every route as the OpenAPI document says: the request, the response, and nothing besides. A case is one call; at
// the end every response in the document must have come up.
import { MemoryLeaseProvider } from 'kazahana';
import { type LeaseInfo, signHold, signRelease } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { faultsOf, resolve, type Schema } from '../../../tests/server/json-schema.ts';
import { ask, type Call, toRequest } from '../../../tests/server/requests.ts';
import { createLeaseApp, type LeaseApp } from './app.js';

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: Schema }[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
  readonly security: readonly object[];
}

interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
}

function freshApp(maxWatchers = 100) {
  const environment = virtualEnvironment();
  const services = {
    default: { bitId: 4, bitSeq: 18, leaseDuration: 60_000, maxLeasesPerRequest: 4 },
    new: { pool: 'new' },
  };
  const store = new MemoryLeaseProvider({ services, environment });
  return { store, environment, app: createLeaseApp({ store, services, environment, maxWatchers }) };
}

const { app: anyApp } = freshApp();
const document = (await ask(anyApp, '/openapi.json')).json as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe('the OpenAPI document', () => {
  it('is one of version 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    for (const { operation, path } of operations) {
      expect(operation.summary.length).toBeGreaterThan(0);
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(parameters.map(({ name }) => name)).toEqual(names);
      expect(parameters.every(({ required }) => required)).toBe(true);
      for (const [status, { description }] of Object.entries(operation.responses)) {
        expect(status).toMatch(/^(?:[1-5]\d\d|default)$/);
        expect(description.length).toBeGreaterThan(0);
      }
    }
    expect(document.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } });
  });

  it('has exactly the routes that there are', () => {
    const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const served = anyApp.routes.map(({ path, method }) => `${method} ${path}`);
    expect(documented.sort()).toEqual(served.sort());
  });

  it('has references that lead to schemas, not in a circle, and no schema that is never referred to', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref),
    );
    for (const reference of references) expect(resolve(document, String(reference)).type).toBe('object');
    expect([...references].sort()).toEqual(
      Object.keys(document.components.schemas)
        .map((name) => `#/components/schemas/${name}`)
        .sort(),
    );
  });
});

/** What there is when a case begins: an app, and one lease. */
interface Given {
  readonly app: LeaseApp;
  readonly store: MemoryLeaseProvider;
  readonly lease: LeaseInfo;
  readonly pool: string;
}

interface Case {
  readonly route: string;
  readonly title: string;
  readonly status: number;
  readonly code?: string;
  readonly call?: (given: Given) => Call & { readonly path?: string };
  /** What happens before. */
  readonly before?: (given: Given) => unknown;
  readonly maxWatchers?: number;
  /** Whether the document allows the body, where the server refuses it for what no schema can say. */
  readonly isDocumented?: boolean;
}

const sign = ({ id, secret, created }: LeaseInfo) => ({
  timestamp: created,
  signature: signRelease(secret, id, created),
});
const claimOf = (lease: LeaseInfo, pool: string) => ({
  pool,
  id: lease.id,
  bitId: lease.bitId,
  bitSeq: lease.bitSeq,
  created: lease.created,
  expired: lease.expired,
  fallbackUntil: lease.fallbackUntil ?? lease.expired,
  timestamp: lease.created,
  signature: signHold(lease.secret, lease.id, lease.created),
});
const missing = { status: 404, code: 'LEASE_NOT_FOUND', isDocumented: true };
const invalid = { status: 400, code: 'INVALID_REQUEST' };
const exhausted = { status: 503, code: 'POOL_EXHAUSTED', isDocumented: true };

function releaseCases(route: string, path: (id: number) => string): Case[] {
  const [method = ''] = route.split(' ');
  const at = (id: number, body: unknown) => ({ method, path: path(id), body });
  return [
    { route, title: 'a lease', status: 204, call: ({ lease }) => at(lease.id, sign(lease)) },
    { route, title: 'one that is not there', ...missing, call: ({ lease }) => at(5, sign(lease)) },
    {
      route,
      title: 'one with another signature',
      ...missing,
      call: ({ lease }) => at(lease.id, sign({ ...lease, secret: 'another' })),
    },
    {
      route,
      title: 'one at another time',
      status: 409,
      code: 'STALE_SIGNATURE',
      isDocumented: true,
      call: ({ lease }) => at(lease.id, sign({ ...lease, created: 5 })),
    },
    { route, title: 'without a signature', ...invalid, call: ({ lease }) => at(lease.id, { timestamp: 5 }) },
    {
      route,
      title: 'a number that is none',
      ...invalid,
      isDocumented: true,
      call: ({ lease }) => at(-1, sign(lease)),
    },
    {
      route,
      title: 'a number beyond all',
      ...invalid,
      isDocumented: true,
      call: ({ lease }) => at(9_999_999_999, sign(lease)),
    },
  ];
}

const body = (value: unknown) => () => ({ body: value });
const SLOT = 2 ** 18;
const COUNTS = {
  leasedIds: 1,
  fencedIds: 1,
  randomIds: 1,
  exhaustedMs: 1,
  acquireFailures: 1,
  clockSteps: 1,
};

/** Takes the seven that are left. */
async function takeAll({ store }: Given): Promise<void> {
  await store.acquire({ throughputPerMs: 4 * SLOT });
  await store.acquire({ throughputPerMs: 3 * SLOT });
}

const ACQUIRE = 'POST /lease';
const CASES: readonly Case[] = [
  { route: ACQUIRE, title: 'one', status: 200, call: body({}) },
  { route: ACQUIRE, title: 'four', status: 200, call: body({ throughputPerMs: 4 * SLOT, requestId: 'r' }) },
  {
    route: ACQUIRE,
    title: 'with all that can be said',
    status: 200,
    call: ({ pool }) => ({
      body: { serviceId: 'orders', meta: { host: 'a' }, seen: { pool, serial: 1 }, report: COUNTS },
    }),
  },
  {
    route: ACQUIRE,
    title: 'five',
    status: 422,
    code: 'TOO_MANY_LEASES',
    isDocumented: true,
    call: body({ throughputPerMs: 4 * SLOT + 1 }),
  },
  { route: ACQUIRE, title: 'from a full pool', ...exhausted, before: takeAll, call: body({}) },
  {
    route: ACQUIRE,
    title: 'from a pool that forgot',
    ...exhausted,
    call: body({ seen: { pool: '0'.repeat(32), serial: 5 } }),
  },
  { route: ACQUIRE, title: 'a number as text', ...invalid, call: body({ throughputPerMs: '9' }) },
  { route: ACQUIRE, title: 'a field more', ...invalid, call: body({ color: 1 }) },
  {
    route: ACQUIRE,
    title: 'too much metadata',
    ...invalid,
    call: body({ meta: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`${i}`, ''])) }),
  },
  ...releaseCases('DELETE /lease/{id}', (id) => `/lease/${id}`),
  ...releaseCases('POST /lease/{id}/release', (id) => `/lease/${id}/release`),
  { route: 'POST /ids', title: 'five', status: 200, call: body({ count: 5 }) },
  { route: 'POST /ids', title: 'none', ...invalid, call: body({ count: 0 }) },
  { route: 'POST /ids', title: 'too many', ...invalid, call: body({ count: 10_001 }) },
  { route: 'POST /ids', title: 'from a full pool', ...exhausted, before: takeAll, call: body({ count: 1 }) },
  { route: 'GET /pool', title: 'all of it', status: 200 },
  {
    route: 'GET /pool',
    title: 'of another name',
    status: 404,
    code: 'POOL_NOT_FOUND',
    call: () => ({ path: '/pool?pool=x' }),
  },
  { route: 'GET /pool', title: 'by another word', ...invalid, call: () => ({ path: '/pool?name=x' }) },
  { route: 'GET /pool/events', title: 'as they come', status: 200 },
  {
    route: 'GET /pool/events',
    title: 'for too many',
    status: 503,
    code: 'TOO_MANY_WATCHERS',
    maxWatchers: 0,
  },
  { route: 'POST /pool/quarantine', title: 'the usual one', status: 200, call: body({}) },
  {
    route: 'POST /pool/quarantine',
    title: 'of another name',
    status: 404,
    code: 'POOL_NOT_FOUND',
    isDocumented: true,
    call: body({ pool: 'x' }),
  },
  {
    route: 'GET /whois/{id}',
    title: 'an ID of a lease',
    status: 200,
    call: ({ lease }) => ({ path: `/whois/${BigInt(lease.created - lease.customEpoch) << 22n}` }),
  },
  {
    route: 'GET /whois/{id}',
    title: 'an ID that no slot remembers',
    status: 200,
    call: () => ({ path: '/whois/18446744073709551615' }),
  },
  {
    route: 'GET /whois/{id}',
    title: 'more than 64 bits',
    ...invalid,
    call: () => ({ path: '/whois/18446744073709551616' }),
  },
  { route: 'GET /whois/{id}', title: 'no ID', ...invalid, call: () => ({ path: '/whois/x' }) },
  { route: 'POST /pool/create', title: 'a new one', status: 200, call: body({ pool: 'new' }) },
  {
    route: 'POST /pool/create',
    title: 'one that is there',
    status: 409,
    code: 'POOL_EXISTS',
    isDocumented: true,
    call: body({}),
  },
  { route: 'POST /pool/create', title: 'by a wrong word', ...invalid, call: body({ name: 'x' }) },
  {
    route: 'POST /lease',
    title: 'a renewal',
    status: 200,
    call: ({ lease, pool }) => ({ body: { renew: [claimOf(lease, pool)] } }),
  },
  {
    route: 'POST /lease',
    title: 'a renewal without a signature',
    ...invalid,
    call: ({ lease, pool }) => ({ body: { renew: [{ ...claimOf(lease, pool), signature: undefined }] } }),
  },
  {
    route: 'POST /pool/revoke',
    title: 'a lease',
    status: 204,
    call: ({ lease }) => ({ body: { id: lease.id } }),
  },
  { route: 'POST /pool/revoke', title: 'one that is not there', ...missing, call: body({ id: 7 }) },
  { route: 'POST /pool/revoke', title: 'no number', ...invalid, call: body({}) },
  { route: 'POST /pool/layout', title: 'more numbers', status: 200, call: body({ bitId: 5, bitSeq: 17 }) },
  {
    route: 'POST /pool/layout',
    title: 'of more bits',
    ...invalid,
    isDocumented: true,
    call: body({ bitId: 5, bitSeq: 18 }),
  },
  { route: 'POST /pool/layout', title: 'half of one', ...invalid, call: body({ bitId: 5 }) },
  { route: 'GET /livez', title: 'always', status: 200 },
  { route: 'GET /readyz', title: 'before the store was seen', status: 503 },
  { route: 'GET /readyz', title: 'after', status: 200, before: ({ app }) => app.check() },
  {
    route: 'GET /readyz',
    title: 'at the end',
    status: 503,
    before: ({ app }) => app.check().then(app.drain),
  },
  { route: 'GET /metrics', title: 'all', status: 200 },
  { route: 'GET /', title: 'the page', status: 200 },
  { route: 'GET /openapi.json', title: 'itself', status: 200 },
];

function operationOf(route: string): Operation {
  const [method = '', path = ''] = route.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`the document has no ${route}`);
  return operation;
}

describe('as the document says:', () => {
  it.each(CASES)('$route, $title: $status', async ({ route, status, code, maxWatchers, ...rest }) => {
    const { app, store } = freshApp(maxWatchers);
    const first = await store.acquire({});
    const given = { app, store, lease: first.leases[0] as LeaseInfo, pool: first.pool ?? '' };
    await rest.before?.(given);
    const operation = operationOf(route);
    const [method = '', template = ''] = route.split(' ');
    const { path = template, ...call } = rest.call?.(given) ?? {};

    const request = operation.requestBody?.content['application/json'];
    if (request) {
      const isDocumented = faultsOf(document, request.schema, call.body).length === 0;
      expect(isDocumented).toBe(rest.isDocumented ?? status < 400);
    }
    const response = await app.fetch(toRequest(path, { method, ...call }));
    expect(response.status).toBe(status);
    // Whatever it is, it stands in the document: by its status, or as a refusal.
    const documented = operation.responses[status] ?? operation.responses.default;
    expect(code !== undefined).toBe(operation.responses[status] === undefined);
    const [type] = Object.keys(documented?.content ?? {});
    const contentType = response.headers.get('content-type');
    if (type === undefined) {
      expect([contentType, await response.text()]).toEqual([null, '']);
      return;
    }
    expect(contentType?.split(';')[0]).toBe(type.split(';')[0]);
    if (!type.endsWith('json')) {
      await response.body?.cancel();
      return;
    }
    const value = await response.json();
    if (route !== 'GET /openapi.json') {
      expect(faultsOf(document, documented?.content?.[type]?.schema ?? {}, value)).toEqual([]);
    }
    if (code !== undefined) expect(value).toMatchObject({ status, code });
    await app.close();
  });

  it('and there is nothing in it that did not come up', () => {
    const seen = new Set(CASES.map(({ route, status }) => `${route} ${status}`));
    const documented = operations.flatMap(({ path, method, operation }) =>
      Object.keys(operation.responses)
        .filter((status) => status !== 'default')
        .map((status) => `${method.toUpperCase()} ${path} ${status}`),
    );
    expect(documented.filter((response) => !seen.has(response))).toEqual([]);
  });

  it('and it asks for a token exactly where one is needed', async () => {
    const sha256 = new Uint8Array(32);
    const token = {
      sha256,
      scopes: [],
      services: '*',
      maxLeases: 1,
      requestsPerSecond: 1,
    } as const;
    const app = createLeaseApp({
      store: new MemoryLeaseProvider(),
      tokens: [{ ...token, name: 'powerless' }],
    });
    for (const { path, method, operation } of operations) {
      const { status, json } = await ask(app, path.replace('{id}', '1'), {
        method: method.toUpperCase(),
        ...(operation.requestBody && { body: {} }),
      });
      const isOpen = operation.security.length === 0;
      expect([path, json?.code === 'UNAUTHORIZED', status === 401]).toEqual([path, !isOpen, !isOpen]);
    }
  });
});
