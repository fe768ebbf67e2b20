// The matrix caller × route × effect: who may call what, and what of a pool each route changes. A route without a line
// here fails the test.
import type { LeaseInfo } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { ask, type Call } from '../../../tests/server/requests.ts';
import { releaseOf, serving, token } from '../../../tests/server/serving.ts';
import { SCOPES, type Scope } from './tokens.js';

/** What a call may change. */
type Effect = 'nothing' | 'a lease more' | 'a lease fewer' | 'the layout' | 'the quarantine';

interface Line {
  /** Undefined: no token is needed. */
  readonly scope?: Scope;
  readonly effect: Effect;
  readonly path?: (lease: LeaseInfo) => string;
  readonly body?: (lease: LeaseInfo) => object;
  /** Whether a token for other services, with this scope, is refused or sees nothing. */
  readonly isOfService?: boolean;
}

const release = (lease: LeaseInfo) => ({ ...releaseOf(lease, lease.created), serviceId: 'orders' });
const operate = { scope: 'operate', isOfService: true } as const;
const observe = { scope: 'observe', effect: 'nothing', isOfService: true } as const;

const MATRIX: Readonly<Record<string, Line>> = {
  'POST /lease': {
    scope: 'acquire',
    effect: 'a lease more',
    body: () => ({ serviceId: 'orders' }),
    isOfService: true,
  },
  'DELETE /lease/{id}': {
    scope: 'acquire',
    effect: 'a lease fewer',
    path: ({ id }) => `/lease/${id}`,
    body: release,
    isOfService: true,
  },
  'POST /lease/{id}/release': {
    scope: 'acquire',
    effect: 'a lease fewer',
    path: ({ id }) => `/lease/${id}/release`,
    body: release,
    isOfService: true,
  },
  'POST /ids': {
    scope: 'mint',
    effect: 'a lease more',
    body: () => ({ count: 1, serviceId: 'orders' }),
    isOfService: true,
  },
  'GET /pool': observe,
  'GET /pool/events': observe,
  'GET /whois/{id}': { ...observe, path: () => '/whois/5' },
  // It shows all services to every caller that may observe: docs/securing.md says so.
  'GET /metrics': { scope: 'observe', effect: 'nothing' },
  'POST /pool/create': { ...operate, effect: 'nothing', body: () => ({}) },
  'POST /pool/quarantine': { ...operate, effect: 'the quarantine', body: () => ({}) },
  'POST /pool/revoke': { ...operate, effect: 'a lease fewer', body: ({ id }) => ({ id }) },
  'POST /pool/layout': { ...operate, effect: 'the layout', body: () => ({ bitId: 13, bitSeq: 9 }) },
  'GET /livez': { effect: 'nothing' },
  'GET /readyz': { effect: 'nothing' },
  'GET /openapi.json': { effect: 'nothing' },
  'GET /': { effect: 'nothing' },
};

const services = { orders: {}, mails: { pool: 'post' } };
const CALLERS = ['no token', 'wrong', ...SCOPES, ...SCOPES.map((scope) => `${scope}-for-others` as const)];

function setUp() {
  const world = serving({
    services,
    tokens: SCOPES.flatMap((scope) => [
      token(scope, { scopes: [scope] }),
      token(`${scope}-for-others`, { scopes: [scope], services: ['mails'] }),
    ]),
  });
  const look = async () => {
    const { quarantinedUntil, layout } = await world.store.inspectPool();
    return { leases: (await world.store.listLeases()).length, quarantinedUntil, bitId: layout.bitId };
  };
  return { ...world, look };
}

type Look = Awaited<ReturnType<ReturnType<typeof setUp>['look']>>;

function effectOf(before: Look, after: Look): Effect {
  if (after.bitId !== before.bitId) return 'the layout';
  if (after.quarantinedUntil !== before.quarantinedUntil) return 'the quarantine';
  if (after.leases === before.leases) return 'nothing';
  return after.leases > before.leases ? 'a lease more' : 'a lease fewer';
}

/** What a caller gets: its scope must be the route's, and its services those of the pool. */
function expectedFor(
  caller: string,
  { scope, effect, isOfService = false }: Line,
): [outcome: string, Effect] {
  if (scope === undefined) return ['served', effect];
  if (caller === 'no token' || caller === 'wrong') return ['401', 'nothing'];
  if (!caller.startsWith(scope)) return ['403', 'nothing'];
  if (!caller.endsWith('-for-others') || !isOfService) return ['served', effect];
  return [scope === 'acquire' || scope === 'mint' ? '403' : '404', 'nothing'];
}

describe('the matrix of callers, routes and effects', () => {
  it('has a line for every route, and no other', () => {
    const { app } = serving();
    expect(Object.keys(MATRIX).sort()).toEqual(
      app.routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    for (const { method, path, scope } of app.routes) expect(MATRIX[`${method} ${path}`]?.scope).toBe(scope);
  });

  for (const [route, line] of Object.entries(MATRIX)) {
    it.each(CALLERS)(`${route} by %s`, async (caller) => {
      const { app, as, store, look } = setUp();
      const { leases } = await store.acquire({ serviceId: 'orders' });
      const lease = leases[0] as LeaseInfo;
      const [method = '', pattern = ''] = route.split(' ');
      // Without reading it: a stream has no end.
      const path = line.path?.(lease) ?? pattern;
      const call: Call = { method, ...(line.body && { body: line.body(lease) }) };
      const before = await look();
      const { status, json } =
        path === '/pool/events'
          ? { status: await statusOfStream(app, as, caller), json: undefined }
          : caller === 'no token'
            ? await ask(app, path, call)
            : await as(caller, path, call);
      const refused = [401, 403, 404].includes(status) ? String(status) : 'served';
      const [outcome, effect] = expectedFor(caller, line);
      expect([refused, effectOf(before, await look())]).toEqual([outcome, effect]);
      if (outcome === '401') expect(json?.code ?? 'UNAUTHORIZED').toBe('UNAUTHORIZED');
      await app.close();
    });
  }
});

/** HEAD has the status of a stream and no stream. */
async function statusOfStream(
  app: ReturnType<typeof setUp>['app'],
  as: ReturnType<typeof setUp>['as'],
  caller: string,
): Promise<number> {
  const call = { method: 'HEAD' };
  const response = await (caller === 'no token'
    ? ask(app, '/pool/events', call)
    : as(caller, '/pool/events', call));
  return response.status;
}
