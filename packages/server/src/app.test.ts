import { MemoryLeaseProvider } from 'kazahana';
import type { LeaseInfo } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { seriesIn } from '../../../tests/server/metric-lines.ts';
import { ask, type Call } from '../../../tests/server/requests.ts';
import { releaseOf, serving, token, tokenText } from '../../../tests/server/serving.ts';
import { createLeaseApp } from './app.js';
import { ownHosts } from './host-names.js';

describe('a name by which the server is called', () => {
  const isOwnHost = ownHosts({ host: '127.0.0.1', hostNames: [] });
  const { app } = serving({ isOwnHost });
  const status = async (host: string) => (await app.fetch(new Request(`http://${host}/livez`))).status;

  it.each(['localhost', 'localhost:7420', 'LOCALHOST', '127.0.0.1:80', '[::1]:7420'])(
    '%s is its own',
    async (host) => {
      expect(await status(host)).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    'evil.example:7420',
  ])('%s is not', async (host) => {
    expect(await status(host)).toBe(421);
  });

  it('is also one that is configured; beyond loopback every address is, and no other name', () => {
    const isOwn = ownHosts({ host: '0.0.0.0', hostNames: ['ids.example'] });
    for (const host of ['ids.example', 'IDS.example', 'localhost', '10.0.0.1', '[2001:db8::1]', '0.0.0.0'])
      expect([host, isOwn(host)]).toEqual([host, true]);
    for (const host of ['evil.example', 'ids.example.evil', '10.0.0.1.evil', ''])
      expect([host, isOwn(host)]).toEqual([host, false]);
    expect(ownHosts({ host: 'ids.internal', hostNames: [] })('ids.internal')).toBe(true);
  });
});

describe('every response', () => {
  const { app } = serving();
  const responses = () =>
    Promise.all([
      ask(app, '/livez'),
      ask(app, '/nowhere'),
      ask(app, '/lease', { body: 'x' }),
      ask(app, '/lease', { method: 'PUT', body: {} }),
      ask(app, '/metrics'),
    ]);

  it('is not to be kept, guessed at, framed, or read by another site', async () => {
    for (const { headers } of await responses()) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(headers.get('access-control-allow-origin')).toBe(null);
    }
  });

  it('has an id, its own or the one that was given, unless that could not stand in a log', async () => {
    const of = async (given?: string) =>
      (
        await ask(app, '/livez', { headers: given === undefined ? {} : { 'x-request-id': given } })
      ).headers.get('x-request-id');
    expect(await of('trace-1:2.3')).toBe('trace-1:2.3');
    for (const given of [undefined, 'a b', '"', 'x'.repeat(101), '{"level":60}']) {
      expect(await of(given)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('of the page lets it load its own files and nothing else', async () => {
    const page = new Map([['/', { type: 'text/html', body: '<p>' }]]);
    const { headers, text: html } = await ask(serving({ page }).app, '/');
    expect(html).toBe('<p>');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('of a file of the page is compressed, and kept by browsers as long as it stays the same', async () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const page = new Map([
      ['/', { type: 'text/html', body: '<p>', etag: '"1"' }],
      [
        '/assets/a-1.js',
        {
          type: 'text/javascript',
          body: 'a',
          encodings: { br: bytes('B'), gzip: bytes('G') },
          isImmutable: true,
        },
      ],
    ]);
    const { app } = serving({ page });
    const get = (path: string, headers: Record<string, string>) => ask(app, path, { headers });
    const whole = await get('/', {});
    expect([whole.status, whole.headers.get('cache-control'), whole.headers.get('etag')]).toEqual([
      200,
      'no-cache',
      '"1"',
    ]);
    expect((await get('/', { 'if-none-match': '"1"' })).status).toBe(304);
    expect((await get('/', { 'if-none-match': '"0"' })).status).toBe(200);
    for (const [accepted, encoding, text] of [
      ['gzip, deflate, br', 'br', 'B'],
      ['gzip', 'gzip', 'G'],
      ['br;q=0, gzip', 'gzip', 'G'],
      ['identity', null, 'a'],
      ['', null, 'a'],
    ] as const) {
      const { headers, text: body } = await get('/assets/a-1.js', { 'accept-encoding': accepted });
      expect([headers.get('content-encoding'), body], accepted).toEqual([encoding, text]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('accept-encoding');
    }
  });
});

describe('what is not there', () => {
  const { app } = serving();

  it.each([
    '/nowhere',
    '/lease/1/2',
    '/leases',
    '/POOL',
    '//pool',
    '/lease/',
    '/%',
    '/%00',
    '/../etc/passwd',
  ])('%s is 404, and not repeated', async (path) => {
    const { status, json, text: body } = await ask(app, path);
    expect([status, json.code]).toEqual([404, 'NOT_FOUND']);
    if (path.length > 3) expect(body).not.toContain(path);
  });

  it.each([
    ['PUT', '/lease', 'POST'],
    ['GET', '/lease', 'POST'],
    ['OPTIONS', '/ids', 'POST'],
    ['PATCH', '/lease/5', 'DELETE'],
    ['DELETE', '/pool', 'GET, HEAD'],
    ['POST', '/livez', 'GET, HEAD'],
    ['MADEUP', '/lease/5/release', 'POST'],
  ])('%s %s is 405; allowed is %s', async (method, path, allowed) => {
    const { status, headers, json } = await ask(app, path, { method });
    expect([status, json.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', allowed]);
  });

  it('makes no new series in the metrics', async () => {
    for (const path of ['/some/path', '/metrics']) await ask(app, path);
    await ask(app, '/lease', { method: 'MADEUP' });
    const series = async () =>
      seriesIn((await ask(app, '/metrics')).text).filter((name) => /http/.test(name));
    const before = await series();
    for (let i = 0; i < 50; i++) {
      await ask(app, `/some/path/${i}`);
      await ask(app, '/lease', { method: `MADEUP${i}` });
    }
    expect(await series()).toEqual(before);
  });
});

describe('HEAD', () => {
  it('is GET without the body', async () => {
    const { app } = serving();
    const { status, text: body, headers } = await ask(app, '/pool', { method: 'HEAD' });
    expect([status, body, headers.get('content-type')]).toEqual([200, '', 'application/json']);
  });

  it('of the events does not watch', async () => {
    const { app, environment, store } = serving({ maxWatchers: 1 });
    for (let i = 0; i < 3; i++) expect((await ask(app, '/pool/events', { method: 'HEAD' })).status).toBe(200);
    await environment.settle();
    expect(store.calls).toBe(0);
    const { status, body } = await app.fetch(new Request('http://localhost/pool/events'));
    expect(status).toBe(200);
    expect((await ask(app, '/pool/events')).json.code).toBe('TOO_MANY_WATCHERS');
    await body?.cancel();
    const again = await app.fetch(new Request('http://localhost/pool/events'));
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });
});

describe('readiness', () => {
  it('follows the store, and ends for good when the server stops', async () => {
    const { app, environment, store } = serving();
    const ready = async () => {
      const { status, json } = await ask(app, '/readyz');
      return `${status} ${json.status}, ${json.store}`;
    };
    expect(await ready()).toBe('503 not ready, down');
    await app.check();
    app.start();
    expect(await ready()).toBe('200 ready, up');
    store.state = 'down';
    await environment.advance(5000);
    expect(await ready()).toBe('503 not ready, down');
    store.state = 'up';
    await environment.advance(5000);
    expect(await ready()).toBe('200 ready, up');
    app.drain();
    expect(await ready()).toBe('503 not ready, up');
    expect((await ask(app, '/livez')).status).toBe(200);
    await app.close();
  });
});

describe('a failure', () => {
  it('of the store is 503 for each request and not a line in the log for each', async () => {
    const { app, store, lines, metric } = serving();
    store.state = 'down';
    for (let i = 0; i < 1000; i++) {
      const { status, json, headers } = await ask(app, '/lease', { body: {} });
      expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'STORE_UNAVAILABLE', '1']);
    }
    expect(lines).toEqual([]);
    expect(await metric('acquires_total{service="default",result="store failure"}')).toBe(1000);
  });

  it('of the server itself is 500, and its log knows more than its response', async () => {
    // Before the epoch there are no IDs, and that is nothing that a caller could mend.
    const { app, lines } = serving({ at: 5 });
    const headers = { 'x-request-id': 'trace-7' };
    const { status, json, text: body } = await ask(app, '/ids', { body: { count: 1 }, headers });
    expect([status, json.code]).toEqual([500, 'INTERNAL']);
    expect(lines).toMatchObject([{ level: 50, requestId: 'trace-7', msg: 'a request has failed' }]);
    expect(body).not.toContain(String(lines[0]?.reason));
  });
});

describe('a secret', () => {
  it('stands in the response to its acquire, and nowhere else', async () => {
    const { app, as, lines, store, environment } = serving({ tokens: [token('web')] });
    const seen: string[] = [];
    const call = async (path: string, options?: Call, name = 'web') => {
      const response = await as(name, path, options);
      seen.push(response.text, JSON.stringify([...response.headers]));
      return response;
    };
    const { json } = await as('web', '/lease', { body: { throughputPerMs: 1024 } });
    const leases: LeaseInfo[] = json.leases;
    const [first, second] = leases as [LeaseInfo, LeaseInfo];
    const stale = releaseOf(first, environment.now() - 100_000);
    const forged = { ...releaseOf(second, environment.now()), timestamp: environment.now() + 1 };
    const malformed = { ...releaseOf(first, environment.now()), secret: first.secret };
    for (const body of [stale, forged, malformed]) {
      await call(`/lease/${first.id}`, { method: 'DELETE', body });
    }
    await call('/lease', { body: { serviceId: first.secret.repeat(10) } });
    await call(`/lease/${first.secret}`, { method: 'DELETE', body: stale });
    await call(`/${first.secret}`);
    await call('/pool');
    await call('/pool/revoke', { body: { id: first.id } });
    await call('/pool/quarantine', { body: {} });
    store.state = 'faulty';
    await call('/lease', { body: { meta: { secret: first.secret } } });
    await call('/metrics');
    await call('/pool', {}, first.secret);
    await app.close();
    const all = [...seen, ...lines.map((line) => JSON.stringify(line))].join('\n');
    const { signature } = stale;
    const secrets = [...leases.map(({ secret }) => secret), tokenText('web'), signature, forged.signature];
    for (const secret of secrets) expect(all).not.toContain(secret);
  });
});

describe('a pool with many leases', () => {
  it('is read a thousand leases at a time, when the caller sets no limit', async () => {
    const { app, store } = serving();
    await store.acquire({ throughputPerMs: 1500 * 256 });
    const { leases, next } = (await ask(app, '/pool')).json;
    expect([leases.length, next]).toEqual([1000, 999]);
    const rest = (await ask(app, '/pool?after=999')).json;
    expect([rest.leases.length, rest.leases[0].id, rest.next]).toEqual([500, 1000, null]);
    expect((await ask(app, '/pool?limit=1001')).status).toBe(400);
  });
});

describe('what operators do', () => {
  it('is done, and logged with who did it', async () => {
    const { as, lines, store } = serving({ tokens: [token('ops')] });
    await store.acquire({});
    await as('ops', '/pool/revoke', { body: { id: 0 } });
    await as('ops', '/pool/layout', { body: { bitId: 13, bitSeq: 9 } });
    await as('ops', '/pool/quarantine', { body: {} });
    expect(lines).toMatchObject([
      { level: 40, msg: 'lease revoked', caller: 'ops', pool: 'default', id: 0 },
      { level: 40, msg: 'layout of the pool changed', caller: 'ops', bitId: 13, bitSeq: 9 },
      { level: 40, msg: 'pool put into quarantine', caller: 'ops' },
    ]);
    expect(await store.inspectPool()).toMatchObject({ held: 1, layout: { bitId: 13, bitSeq: 9 } });
    expect((await store.inspectPool()).quarantinedUntil).toBeGreaterThan(0);
  });
});

describe('an app without options', () => {
  it('works', async () => {
    const app = createLeaseApp({ store: new MemoryLeaseProvider() });
    expect((await ask(app, '/lease', { body: {} })).json.leases.length).toBe(1);
    expect((await ask(app, '/')).text).toContain('kazahana');
    await app.close();
  });
});
