// Who may do what, how often, and how much of it.
import { describe, expect, it } from 'vitest';
import { ask, type Call } from '../../../tests/server/requests.ts';
import { serving, token, tokenText } from '../../../tests/server/serving.ts';

describe('a token', () => {
  it('is needed for all but health, the page and the document; a wrong one is as good as none', async () => {
    const { app, as } = serving({ tokens: [token('web')] });
    for (const path of ['/livez', '/', '/openapi.json']) expect((await ask(app, path)).status).toBe(200);
    for (const response of [await ask(app, '/pool'), await as('unknown', '/pool')]) {
      expect(response).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await as('web', '/pool')).status).toBe(200);
  });

  it('keeps a connection open: one without a valid token is ended when it is idle for five seconds', async () => {
    const { app, as } = serving({ tokens: [token('web')] });
    const keepAlive = (response: { headers: Headers }) => response.headers.get('keep-alive');
    for (const path of ['/livez', '/pool', '/nowhere']) {
      expect(keepAlive(await ask(app, path))).toBe('timeout=5');
      expect(keepAlive(await as('unknown', path))).toBe('timeout=5');
    }
    expect(keepAlive(await as('web', '/pool'))).toBe(null);
    expect(keepAlive(await ask(serving().app, '/pool'))).toBe(null);
  });

  it('opens what its scopes say and no more', async () => {
    const scopes = ['acquire', 'observe', 'mint', 'operate'] as const;
    const { as } = serving({ tokens: scopes.map((scope) => token(scope, { scopes: [scope] })) });
    const calls: [scope: string, path: string, call?: Call][] = [
      ['acquire', '/lease', { body: {} }],
      ['acquire', '/lease/0', { method: 'DELETE', body: {} }],
      ['observe', '/pool'],
      ['observe', '/metrics'],
      ['mint', '/ids', { body: { count: 1 } }],
      ['observe', '/whois/0'],
      ['operate', '/pool/create', { body: { pool: 'x' } }],
      ['operate', '/pool/quarantine', { body: { pool: 'x' } }],
      ['operate', '/pool/revoke', { body: { id: 1 } }],
      ['operate', '/pool/layout', { body: { bitId: 1, bitSeq: 1 } }],
    ];
    for (const [needed, path, call] of calls) {
      for (const scope of scopes) {
        const { status, json } = await as(scope, path, call);
        expect([path, scope, json?.code === 'FORBIDDEN']).toEqual([path, scope, scope !== needed]);
        if (scope !== needed) expect([status, json.scope]).toEqual([403, needed]);
      }
    }
  });

  it('is for its services: to acquire, to mint, and to see their pools', async () => {
    const services = { orders: {}, mails: { pool: 'post' } };
    const { as } = serving({ services, tokens: [token('orders', { services: ['orders'] }), token('all')] });
    const acquire = (serviceId?: string) => as('orders', '/lease', { body: { serviceId } });
    expect((await acquire('orders')).status).toBe(200);
    for (const serviceId of ['mails', undefined]) expect((await acquire(serviceId)).status).toBe(403);
    expect((await as('orders', '/ids', { body: { count: 1, serviceId: 'mails' } })).status).toBe(403);
    expect((await as('orders', '/pool')).json.pools).toEqual(['default']);
    expect((await as('orders', '/pool?pool=post')).json.code).toBe('POOL_NOT_FOUND');
    expect((await as('orders', '/pool/quarantine', { body: { pool: 'post' } })).json.code).toBe(
      'POOL_NOT_FOUND',
    );
    expect((await as('all', '/pool?pool=post')).json.pools).toEqual(['default', 'post']);
  });

  it('has its own rate, and hears when to come again', async () => {
    const slow = token('slow', { requestsPerSecond: 1 });
    const { environment, as } = serving({ tokens: [slow, token('fast')] });
    const statuses = async (name: string) => [
      (await as(name, '/pool')).status,
      (await as(name, '/pool')).status,
      (await as(name, '/pool')).status,
    ];
    expect(await statuses('slow')).toEqual([200, 200, 429]);
    expect(await statuses('fast')).toEqual([200, 200, 200]);
    const refused = await as('slow', '/pool');
    expect(refused.json).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1000 });
    expect(refused.headers.get('retry-after')).toBe('1');
    await environment.advance(1000);
    expect((await as('slow', '/pool')).status).toBe(200);
  });

  it('holds no more leases than its quota, whatever the services', async () => {
    const { as } = serving({ tokens: [token('small', { maxLeases: 2 }), token('other')] });
    expect((await as('small', '/lease', { body: { serviceId: 'a' } })).status).toBe(200);
    expect((await as('small', '/lease', { body: { serviceId: 'b' } })).status).toBe(200);
    const refused = await as('small', '/lease', { body: { serviceId: 'c' } });
    expect(refused).toMatchObject({
      status: 429,
      json: { code: 'POOL_EXHAUSTED', reason: 'the quota is used up', retryAfterMs: 1_200_000 },
    });
    expect(refused.headers.get('retry-after')).toBe('1200');
    expect((await as('other', '/lease', { body: {} })).status).toBe(200);
  });

  it('gets its own response again for a request that comes again; another gets a new one', async () => {
    const { as } = serving({ tokens: [token('a'), token('b')] });
    const body = { requestId: 'the same' };
    const first = (await as('a', '/lease', { body })).json;
    const again = (await as('a', '/lease', { body })).json;
    const other = (await as('b', '/lease', { body })).json;
    expect(again.leases).toEqual(first.leases);
    expect([first.requestId, other.requestId]).toEqual(['the same', 'the same']);
    expect(other.leases[0].id).not.toBe(first.leases[0].id);
    expect(other.leases[0].secret).not.toBe(first.leases[0].secret);
  });

  it('watches as often as it may, and leaves the rest of the watchers to others', async () => {
    const { app, as } = serving({ tokens: [token('greedy', { maxWatchers: 2 }), token('other')] });
    const open = (name: string) =>
      app.fetch(
        new Request('http://localhost/pool/events', {
          headers: { authorization: `Bearer ${tokenText(name)}` },
        }),
      );
    for (let i = 0; i < 2; i++) expect((await open('greedy')).status).toBe(200);
    expect(await as('greedy', '/pool/events')).toMatchObject({
      status: 429,
      json: { code: 'TOO_MANY_WATCHERS' },
    });
    expect((await open('other')).status).toBe(200);
    await app.close();
  });

  it('that may not operate stops no pool by what it claims to have seen', async () => {
    const { as } = serving({ tokens: [token('guest', { scopes: ['acquire'] }), token('operator')] });
    const body = { seen: { pool: '0'.repeat(32), serial: 5 } };
    await as('operator', '/lease', { body: {} });
    expect((await as('guest', '/lease', { body })).status).toBe(200);
    expect((await as('operator', '/lease', { body })).json).toMatchObject({
      code: 'POOL_EXHAUSTED',
      reason: 'in quarantine',
    });
  });
});
