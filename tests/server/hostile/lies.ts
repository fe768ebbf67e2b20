// What a malicious lease server may send instead of its response, from a seed: wrong, huge, slow, endless, replayed, or not
// HTTP at all.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Random } from '../../../simulation/world.ts';

/** A response of the honest server. */
export interface Truth {
  readonly status: number;
  readonly body: string;
}

/** What a lie is told with. */
export interface Telling {
  readonly truth: Truth;
  /** Responses that the honest server has given before, to any client. */
  readonly earlier: readonly string[];
  readonly response: ServerResponse;
  readonly random: Random;
  /** Sends a whole response, and remembers what it says. */
  say(status: number, body: string, headers?: Readonly<Record<string, string>>): void;
}

type Lie = (telling: Telling) => void;

const JSON_TYPE = 'application/json';
const PROBLEM = { 'content-type': 'application/problem+json' };
const CODES = [
  ...['POOL_EXHAUSTED', 'POOL_MISSING', 'POOL_EXISTS', 'POOL_MISMATCH', 'TOO_MANY_LEASES', 'STALE_SIGNATURE'],
  ...[
    'LEASE_NOT_FOUND',
    'INVALID_SIGNATURE',
    'UNAUTHORIZED',
    'RATE_LIMITED',
    'STORE_UNAVAILABLE',
    '__proto__',
  ],
];
const PROBLEM_FIELDS = [
  ...['pool', 'reason', 'retryAfterMs', 'what', 'expected', 'got', 'serviceId', 'allowed', 'requested'],
  ...['now', 'toleranceMs', 'detail', 'status', 'toString', '__proto__'],
];
const PIECE = Buffer.alloc(64 * 1024, ' ');
/** Ten times what a client reads of a response. */
const HUGE_PIECES = 640;
/** A hundred megabytes in a hundred kilobytes. */
const BOMB = gzipSync(Buffer.alloc(100 * 2 ** 20, ' '));
const DRIP_MS = 20;

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** A value that does not belong where it is put. */
function wrongValue(random: Random, right: unknown): unknown {
  const near = typeof right === 'number' ? right + random.pick([-1, 1, -1000, 1000, 0.5, 3_600_000]) : 1;
  return random.pick<unknown>([
    ...[
      null,
      true,
      '',
      [],
      {},
      -1,
      0,
      1,
      near,
      -near,
      2 ** 31,
      2 ** 53,
      1e308,
      -1e308,
      4.5,
      `${String(right)}`,
    ],
    ...[
      'x'.repeat(random.integer(1, 100_000)),
      '\u0000',
      '\ud800',
      '1e3',
      [right],
      { right },
      undefined,
      near,
    ],
  ]);
}

/** The text with some of its fields changed, removed or doubled, anywhere in it. */
export function withWrongFields(text: string, random: Random): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  for (let changes = random.integer(1, 3); changes > 0; changes--) {
    let at: unknown = value;
    for (;;) {
      if (typeof at !== 'object' || at === null) break;
      const names = Object.keys(at);
      if (names.length === 0) break;
      const name = random.pick(names);
      const holder = at as Record<string, unknown>;
      const inner = holder[name];
      if (typeof inner === 'object' && inner !== null && random.chance(0.85)) {
        at = inner;
        continue;
      }
      if (Array.isArray(holder) && random.chance(0.5)) holder.push(inner);
      else holder[name] = wrongValue(random, inner);
      break;
    }
  }
  return JSON.stringify(value) ?? '';
}

/** The text with some of its bytes changed. */
export function withWrongBytes(text: string, random: Random): string {
  let bytes = text;
  for (let changes = random.integer(1, 4); changes > 0; changes--) {
    const at = random.integer(0, bytes.length);
    const piece = random.pick(['', '"', '}', '{', ',', '0', '9', '-', 'e', '\\', '\u0000', 'é', '__proto__']);
    bytes = bytes.slice(0, at) + piece + bytes.slice(at + random.integer(0, 2));
  }
  return bytes;
}

/** As many leases as fit into what a client reads. */
function crowd(text: string): string {
  try {
    const { leases, ...rest } = JSON.parse(text) as { leases: object[] };
    const [lease] = leases;
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      ...lease,
      id: i % 8192,
      secret: `secret-${i}`,
    }));
    return JSON.stringify({ ...rest, leases: many });
  } catch {
    return text;
  }
}

const hang = () => {};

/** Sends pieces as fast as the client takes them. */
function pour(response: ServerResponse, pieces: number, end: string): void {
  response.writeHead(200, { 'content-type': JSON_TYPE });
  let left = pieces;
  const more = () => {
    while (!response.destroyed && left > 0) {
      left--;
      if (!response.write(PIECE)) return;
    }
    if (left === 0) response.end(end);
  };
  response.on('drain', more);
  more();
}

export const LIES: Readonly<Record<string, Lie>> = {
  'wrong fields': ({ truth, random, say }) => say(truth.status, withWrongFields(truth.body, random)),
  'wrong bytes': ({ truth, random, say }) => say(truth.status, withWrongBytes(truth.body, random)),
  'a wrong status': ({ truth, random, say }) =>
    say(random.pick([201, 204, 206, 304, 400, 404, 500]), truth.body),
  'another time': ({ truth, random, say }) => {
    const now = random.pick([0, -1, 1, Date.now() + 3_600_000, Date.now() - 3_600_000, 2 ** 53 - 1]);
    say(truth.status, truth.body.replace(/"now":\d+/, `"now":${now}`));
  },
  'an earlier response': ({ earlier, random, say }) => say(200, random.pick(['{}', ...earlier])),
  'the same again': ({ earlier, say }) => say(200, earlier.at(-1) ?? '{}'),
  'a crowd of leases': ({ truth, say }) => say(truth.status, crowd(truth.body)),
  'a refusal': ({ random, say }) => {
    const fields = PROBLEM_FIELDS.filter(() => random.chance(0.5));
    const problem = Object.fromEntries(
      fields.map((name) => [name, wrongValue(random, random.integer(0, 9))]),
    );
    const status = random.pick([400, 401, 403, 404, 409, 422, 429, 500, 503]);
    const retryAfter = random.pick([
      '0',
      '1',
      '-1',
      '999999999',
      '1e9',
      'soon',
      new Date(8.64e15).toUTCString(),
    ]);
    const body = JSON.stringify({ ...problem, code: random.pick(CODES) }) ?? '';
    say(status, body, { ...PROBLEM, 'retry-after': retryAfter });
  },
  'a redirect': ({ random, say, response }) => {
    const port = response.socket?.localPort;
    const to = random.pick([
      `http://127.0.0.1:${port}/elsewhere`,
      'file:///etc/passwd',
      '//',
      'http://[::',
      '',
    ]);
    say(random.pick([301, 302, 307, 308]), '', { location: to });
  },
  nothing: ({ random, say }) => say(random.pick([200, 204]), ''),
  'no JSON': ({ random, say }) =>
    say(
      200,
      random.pick([
        '<html>',
        'null',
        '0',
        '"lease"',
        '[]',
        '[[]]',
        nested(100_000),
        '{"leases":',
        '\ufeff{}',
      ]),
    ),
  'a page of a proxy': ({ random, say }) =>
    say(random.pick([200, 502]), '<html>Bad Gateway</html>', { 'content-type': 'text/html' }),
  'a huge body': ({ truth, response }) => pour(response, HUGE_PIECES, truth.body),
  'a body without end': ({ response }) => pour(response, Number.POSITIVE_INFINITY, ''),
  'a bomb': ({ response }) => {
    response.writeHead(200, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' });
    response.end(BOMB);
  },
  'broken compression': ({ response, truth }) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(truth.body);
  },
  'one byte after the other': ({ response, truth }) => {
    response.writeHead(200, { 'content-type': JSON_TYPE });
    let at = 0;
    const drip = setInterval(() => response.write(truth.body[at++ % truth.body.length] ?? ' '), DRIP_MS);
    response.on('close', () => clearInterval(drip));
  },
  'headers and no body': ({ response }) => {
    response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': '100' });
    response.flushHeaders();
  },
  silence: hang,
  'a body that breaks off': ({ response, truth, random }) => {
    response.writeHead(truth.status, { 'content-length': String(truth.body.length + 1) });
    response.write(truth.body.slice(0, random.integer(0, truth.body.length)), () => response.destroy());
  },
  'a reset': ({ response }) => void response.socket?.resetAndDestroy(),
  'no HTTP': ({ response, random }) => {
    const words = [
      'SSH-2.0-OpenSSH_9.2\r\n',
      '\u0016\u0003\u0001',
      'HTTP/9.9 999 ?\r\n\r\n',
      '\r\n\r\n\r\n',
      'HTTP/1.1 200',
    ];
    response.socket?.end(random.pick(words));
  },
  'two responses': ({ response, truth }) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(truth.body)}\r\n\r\n`;
    response.socket?.write((head + truth.body).repeat(2));
  },
  'a length that lies': ({ response, random }) => {
    const length = random.pick(['-1', '1e3', '99999999999999999999', '5, 6', '0x10']);
    response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n{}`);
  },
  'a megabyte of headers': ({ response }) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'y'.repeat(1000)}\r\n`.repeat(1000)}\r\n`);
  },
  'a thousand hints': ({ response, truth }) => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1000);
    response.socket?.write(
      `${hints}HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(truth.body)}\r\n\r\n${truth.body}`,
    );
  },
};
