// What happens on the wire. Where a test waits for a limit, the limit is a fraction of the usual one; elsewhere a busy machine
// would meet it.
import { connect } from 'node:net';
import { defaultEnvironment } from 'kazahana/lease';
import { afterAll, describe, expect, it } from 'vitest';
import { exchange, openSocket, readResponse } from '../../../tests/server/raw-socket.ts';
import { Listener, type ListenerOptions } from './listener.js';

const QUICK = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 30 };
const STALLED = { stalledTimeout: 400 };

const fine = (body: BodyInit) => new Response(body);
const listeners: Listener[] = [];
afterAll(() => Promise.all(listeners.map((listener) => listener.close(0))));

async function listen(
  handle: (request: Request) => Promise<Response> = async () => fine('fine'),
  more: Partial<ListenerOptions> = {},
) {
  const listener = new Listener(handle, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    environment: defaultEnvironment,
    ...more,
  });
  listeners.push(listener);
  return { listener, url: await listener.listen() };
}

const readBody = async (request: Request) => fine(await request.text());
const GET = 'GET / HTTP/1.1\r\nhost: localhost\r\n';

describe('a client that is slow', () => {
  it.concurrent.each([
    ['to say anything', ''],
    ['with its first line', 'GET / HT'],
    ['with its headers', `${GET}x-slow: `],
    ['with its body', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n12345'],
    [
      'with the pieces of its body',
      'POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n',
    ],
  ])('%s is told so and thrown out', async (_title, words) => {
    const { url } = await listen(readBody, { limits: QUICK });
    const { status, headers, body } = readResponse(await exchange(url, words));
    expect([status, headers.connection]).toEqual([408, 'close']);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' });
  });

  it.concurrent('and sends a byte now and then is thrown out all the same', async () => {
    const { url } = await listen(undefined, { limits: QUICK });
    const { socket, ended } = await openSocket(url, GET);
    const drip = setInterval(() => socket.write('x: y\r\n'), 20);
    expect(readResponse(await ended).status).toBe(408);
    clearInterval(drip);
  });

  it.concurrent('to read is thrown out when nothing moves any more', async () => {
    let sent = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // Without an end: only the server ends it. The client says nothing more, so that nothing else can.
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => end(),
      });
    const { url } = await listen(async () => fine(endless()), { limits: STALLED });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`${GET}\r\n`);
    await ended;
    expect(sent).toBeGreaterThan(0);
    socket.destroy();
  });

  it.concurrent('is not thrown out while the server itself is slow', async () => {
    const handle = async () => {
      await defaultEnvironment.sleep(3 * STALLED.stalledTimeout);
      return fine('late');
    };
    const { url } = await listen(handle, { limits: STALLED });
    const { socket, until } = await openSocket(url, `${GET}\r\n`);
    expect(readResponse(await until((text) => text.endsWith('late'))).status).toBe(200);
    socket.destroy();
  });

  it.concurrent('to come again may stay for as long as the response says', async () => {
    const short = async ({ url }: Request) =>
      new Response('fine', { headers: url.endsWith('/short') ? { 'keep-alive': 'timeout=1' } : {} });
    const { url } = await listen(short);
    const [unknown, known] = [
      await openSocket(url, 'GET /short HTTP/1.1\r\nhost: localhost\r\n\r\n'),
      await openSocket(url, `${GET}\r\n`),
    ];
    expect(readResponse(await unknown.ended).headers['keep-alive']).toBe('timeout=1');
    expect(readResponse(await known.until((text) => text.endsWith('fine'))).headers['keep-alive']).toBe(
      'timeout=75',
    );
    known.socket.write(`${GET}\r\n`);
    await known.until((text) => text.match(/fine/g)?.length === 2);
    known.socket.destroy();
  });

  it.concurrent('only between its requests may stay', async () => {
    const { url } = await listen(undefined, { limits: STALLED });
    const { socket, until } = await openSocket(url, `${GET}\r\n`);
    await until((text) => text.endsWith('fine'));
    await defaultEnvironment.sleep(3 * STALLED.stalledTimeout);
    socket.write(`${GET}\r\n`);
    expect((await until((text) => text.match(/fine/g)?.length === 2)).match(/200 OK/g)?.length).toBe(2);
    socket.destroy();
  });
});

describe('what is no request', () => {
  const malformed = { status: 400, code: 'MALFORMED_REQUEST' };
  const host = 'host: localhost\r\n';
  const close = 'connection: close\r\n\r\n';
  const rows: [title: string, words: string, expected: { status: number; code: string }][] = [
    ['bytes', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', malformed],
    ['words', 'hello there\r\n\r\n', malformed],
    ['another version', `GET / HTTP/3.0\r\n${host}\r\n`, malformed],
    ['a method that is none', `GE(T / HTTP/1.1\r\n${host}\r\n`, malformed],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', malformed],
    ['two hosts', `GET / HTTP/1.1\r\n${host}${host}${close}`, malformed],
    ['a host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', malformed],
    ['an empty host', 'GET /localhost/pool HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n', malformed],
    ['a host in disguise', 'GET / HTTP/1.1\r\nhost: %6cocalhost\r\nconnection: close\r\n\r\n', malformed],
    ['a host without its port', 'GET / HTTP/1.1\r\nhost: localhost:\r\nconnection: close\r\n\r\n', malformed],
    ['a host with a tab', 'GET / HTTP/1.1\r\nhost: local\thost\r\nconnection: close\r\n\r\n', malformed],
    ['a host with a path', 'GET / HTTP/1.1\r\nhost: a/b?c\r\nconnection: close\r\n\r\n', malformed],
    ['a host with a path as long as its address', `GET / HTTP/1.1\r\nhost: 127.1/a?b\r\n${close}`, malformed],
    ['a host with a user', 'GET / HTTP/1.1\r\nhost: a@localhost\r\nconnection: close\r\n\r\n', malformed],
    ['a path that is none', `GET nowhere HTTP/1.1\r\n${host}connection: close\r\n\r\n`, malformed],
    ['an address that is none', `GET http://[ HTTP/1.1\r\n${host}connection: close\r\n\r\n`, malformed],
    ['the star', `OPTIONS * HTTP/1.1\r\n${host}connection: close\r\n\r\n`, malformed],
    ['a header without a name', `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`, malformed],
    ['a header with a NUL', `GET / HTTP/1.1\r\n${host}x: a\0b\r\n\r\n`, malformed],
    ['a header that goes on', `GET / HTTP/1.1\r\n${host}x: a\r\n b: c\r\n\r\n`, malformed],
    ['a space before a colon', `GET / HTTP/1.1\r\n${host}x : a\r\n\r\n`, malformed],
    ['a length that is none', `POST / HTTP/1.1\r\n${host}content-length: x\r\n\r\n`, malformed],
    ['a length below 0', `POST / HTTP/1.1\r\n${host}content-length: -1\r\n\r\n`, malformed],
    ['two lengths', `POST / HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, malformed],
    [
      'a length and pieces',
      `POST / HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      malformed,
    ],
    [
      'pieces of no size',
      `POST / HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nzz\r\n\r\n`,
      malformed,
    ],
    [
      'an encoding that is not known',
      `POST / HTTP/1.1\r\n${host}transfer-encoding: gzip\r\n\r\nabc`,
      malformed,
    ],
    [
      'an expectation',
      `GET / HTTP/1.1\r\n${host}expect: a miracle\r\n\r\n`,
      { status: 417, code: 'EXPECTATION_FAILED' },
    ],
    [
      'too much in its headers',
      `GET / HTTP/1.1\r\n${host}${'x-long: 0123456789\r\n'.repeat(1000)}\r\n`,
      { status: 431, code: 'HEADERS_TOO_LARGE' },
    ],
    [
      'a path that is too long',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
      { status: 431, code: 'HEADERS_TOO_LARGE' },
    ],
  ];
  it.concurrent.each(rows)('because of %s is refused in plain words', async (_title, words, expected) => {
    const { url } = await listen(readBody);
    const { status, headers, body } = readResponse(await exchange(url, words));
    expect(status).toBe(expected.status);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    expect(JSON.parse(body)).toMatchObject(expected);
  });

  it.concurrent('but asks for a tunnel gets no response at all', async () => {
    const { url } = await listen();
    expect(await exchange(url, `CONNECT localhost:22 HTTP/1.1\r\n${host}\r\n`)).toBe('');
  });

  it.concurrent('leaves the server as it was', async () => {
    const { url } = await listen();
    for (const [, words] of rows) await exchange(url, words);
    expect(await (await fetch(url)).text()).toBe('fine');
  });
});

describe('what the handler reads', () => {
  const rows: [title: string, head: string, url: string][] = [
    [
      'a path and a query',
      'GET /pool?pool=a%20b HTTP/1.1\r\nhost: localhost:7420',
      'http://localhost:7420/pool?pool=a%20b',
    ],
    ['dots in a path', 'GET /a/../lease HTTP/1.1\r\nhost: localhost', 'http://localhost/lease'],
    ['a host in capitals', 'GET / HTTP/1.1\r\nhost: LOCALHOST', 'http://localhost/'],
    ['a number of IPv6', 'GET / HTTP/1.1\r\nhost: [::1]:7420', 'http://[::1]:7420/'],
    [
      'a whole address, as proxies send it',
      'GET http://elsewhere/x HTTP/1.1\r\nhost: localhost',
      'http://elsewhere/x',
    ],
  ];
  it.concurrent.each(rows)('is the URL of %s', async (_title, head, expected) => {
    const { url } = await listen(async (request) => fine(request.url));
    expect(readResponse(await exchange(url, `${head}\r\nconnection: close\r\n\r\n`)).body).toBe(expected);
  });

  it.concurrent('is both values of a header that comes twice, also where HTTP knows only one', async () => {
    const { url } = await listen(async ({ headers }) => fine(`${headers.get('authorization')}`));
    const twice = 'authorization: Bearer a\r\nauthorization: Bearer b\r\n';
    const response = await exchange(url, `${GET}${twice}connection: close\r\n\r\n`);
    expect(readResponse(response).body).toBe('Bearer a, Bearer b');
  });

  it.concurrent('is a body in many pieces, without the mark of its byte order', async () => {
    const { url } = await listen(readBody);
    const body = `\ufeff${'風花'.repeat(5000)}`;
    expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(body.slice(1));
  });
});

describe('a request that gets its response before its end', () => {
  const refuse = async () => new Response('too much', { status: 413 });
  /** As the app does it: no further than to a limit. */
  const readSome = async ({ body }: Request) => {
    let size = 0;
    for await (const piece of body ?? []) {
      size += piece.length;
      if (size > 16_384) return refuse();
    }
    return fine('fine');
  };
  const POST = 'POST / HTTP/1.1\r\nhost: localhost\r\n';
  const NEXT = `${GET}\r\n`;

  it.concurrent('goes on with the next one when the rest has come', async () => {
    const { url } = await listen(readSome);
    const { socket, until } = await openSocket(url, `${POST}transfer-encoding: chunked\r\n\r\n`);
    const piece = `2800\r\n${'x'.repeat(0x2800)}\r\n`;
    socket.write(piece.repeat(2));
    await until((text) => text.endsWith('too much'));
    socket.write(`${piece.repeat(4)}0\r\n\r\n${NEXT}`);
    const responses = await until((text) => text.endsWith('fine'));
    expect(responses.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
    socket.destroy();
  });

  it.concurrent.each([
    ['a length', `${POST}content-length: 20480\r\n\r\n`, refuse],
    ['pieces', `${POST}transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n`, refuse],
    [
      'pieces that are too much at once',
      `${POST}transfer-encoding: chunked\r\n\r\n200000\r\n${'x'.repeat(0x200000)}\r\n`,
      readSome,
    ],
  ])('and does not end is let go, with its one response: %s', async (_title, words, handle) => {
    const { url, listener } = await listen(handle);
    const { ended } = await openSocket(url, words);
    expect((await ended).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413']);
    await listener.close(60_000);
  });
});

describe('a stream', () => {
  it.concurrent.each([
    ['what is no request', 'garbage\r\n\r\n'],
    ['what is no request, behind one that waits', `${GET}\r\ngarbage\r\n\r\n`],
  ])('is broken off by %s, and nothing is written into it', async (_title, words) => {
    const { url } = await listen(async () => {
      const start = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new TextEncoder().encode('event'));
      return fine(new ReadableStream({ start }));
    });
    const { socket, until, ended } = await openSocket(url, `${GET}\r\n`);
    await until((text) => text.endsWith('event\r\n'));
    socket.write(words);
    expect((await ended).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });
});

describe('a handler that fails', () => {
  it('is 500, and the server goes on', async () => {
    const { url } = await listen(async (request) => {
      if (request.url.endsWith('/bad')) throw new Error('hush');
      return fine('fine');
    });
    const bad = await fetch(`${url}/bad`);
    expect([bad.status, await bad.text()]).toEqual([500, expect.not.stringContaining('hush')]);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('connections', () => {
  it('are no more than allowed: the next is not taken, and those that are open go on', async () => {
    const { url } = await listen(undefined, { maxConnections: 3 });
    const open = await Promise.all([1, 2, 3].map(() => openSocket(url)));
    expect(await exchange(url, `${GET}\r\n`).catch((error) => error.code)).toMatch(/^(?:ECONNRESET)?$/);
    for (const { socket, until } of open) {
      socket.write(`${GET}\r\n`);
      expect(await until((text) => text.endsWith('fine'))).toContain('200 OK');
    }
    open[0]?.socket.destroy();
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    for (const { socket } of open) socket.destroy();
  });
});

describe('the end of a listener', () => {
  it('lets a request end that is under way, and then its connection', async () => {
    const finishers: ((response: Response) => void)[] = [];
    const { url, listener } = await listen(() => new Promise((resolve) => finishers.push(resolve)));
    const { until, ended } = await openSocket(url, `${GET}\r\n`);
    const idle = await openSocket(url);
    await expect.poll(() => finishers.length).toBe(1);
    const closed = listener.close(60_000);
    expect(await idle.ended).toBe('');
    finishers[0]?.(fine('late'));
    expect(await until((text) => text.endsWith('late'))).toContain('200 OK');
    await ended;
    await closed;
  });

  it('ends what takes longer than it has patience', async () => {
    const { url, listener } = await listen(() => new Promise(() => {}));
    const { ended } = await openSocket(url, `${GET}\r\n`);
    await listener.close(50);
    expect(await ended).toBe('');
  });

  it('takes no more connections', async () => {
    const { url, listener } = await listen();
    await listener.close(1000);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

describe('a port that is taken', () => {
  it('is an error that says so', async () => {
    const { url } = await listen();
    await expect(listen(undefined, { port: Number(new URL(url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    listeners.pop();
  });
});
