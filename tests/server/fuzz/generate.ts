// Hostile requests from a seed: most of them nearly right, since those go deepest. What must come back in no refusal
// carries a marker.
import { REPORT_FIELDS } from 'kazahana/lease';
import type { Random } from '../../../simulation/world.ts';

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined: none at all. */
  readonly body: Uint8Array | undefined;
  /** Sent in pieces, without a length. */
  readonly isChunked: boolean;
}

/** What the generator may use of the world that it attacks. */
export interface Target {
  readonly token: string;
  /** Releases that would be right. */
  readonly releases: readonly {
    readonly id: number;
    readonly signature: string;
    readonly timestamp: number;
  }[];
}

export const MARKER = 'mark0mark';

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'MADEUP',
  'post',
  'M-SEARCH',
];

const PATHS = [
  ...['/', '//', '/.', '/..', '/lease/', '/lease//', '//lease', '/LEASE', '/lease/..%2fpool', '/lease/%00'],
  ...[
    '/lease/%',
    '/lease/%zz',
    '/lease/%c0%80',
    '/lease/١',
    '/lease/1e3',
    '/lease/0x10',
    '/lease/-1',
    '/lease/+1',
  ],
  ...['/lease/00', '/lease/1.0', '/lease/1073741824', '/lease/9999999999', '/lease/99999999999999999999'],
  ...[
    '/lease/NaN',
    '/lease/1/release/',
    '/lease/1/2',
    `/lease/${MARKER}`,
    `/${MARKER}`,
    '/%2e%2e/%2e%2e/etc/passwd',
  ],
  ...[
    `/pool?pool=${MARKER}`,
    '/pool?__proto__=1',
    '/pool?pool[]=x',
    '/pool?pool=default&pool=x',
    '/pool?',
    '/pool?%',
  ],
  ...[`/pool?pool=${'x'.repeat(300)}`, `/pool?x=${MARKER}`, '/pool/', '/pool/events?pool=', '/ids?count=5'],
  ...[
    '/constructor',
    '/__proto__',
    '/toString',
    '/livez',
    '/readyz',
    '/openapi.json',
    '/;',
    '/*',
    '/lease;x=1',
  ],
];

const CONTENT_TYPES = [
  ...[
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/json, application/json',
    'APPLICATION/JSON',
    'application/*',
  ],
  ...[`application/json; x=${MARKER}`, 'application/json;'.repeat(50), 'application/json ; charset=utf-8'],
];

/** JSON texts in the place of a value. */
const VALUES = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1.5',
    '1e308',
    '-1e308',
    '1e999',
    '9007199254740992',
    '1e-7',
    '"9"',
  ],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\u202e"',
    '[]',
    '{}',
    '[[]]',
    '[1]',
    '{"a":1}',
    '{"toString":1}',
  ],
  ...[
    `"${MARKER}"`,
    `["${MARKER}"]`,
    `{"a":"${MARKER}"}`,
    '{"__proto__":1}',
    '{"constructor":{"prototype":1}}',
  ],
  ...[
    '2147483649',
    '4503599627370497',
    '4294967296',
    '1073741824',
    '-2147483648',
    '1E400',
    '"1e308"',
    '"-1"',
  ],
];

/** Texts that are no JSON, in the place of one. */
const NOT_JSON = [
  'NaN',
  'undefined',
  'Infinity',
  "'a'",
  '0x10',
  '01',
  '+1',
  '.5',
  '1.',
  '{,}',
  '[1,]',
  '\u0000',
  '//',
];

const DEPTHS = [10, 200, 2000, 7000];

type Fields = Record<string, string>;

const hexOf = (random: Random, bytes: number) =>
  Buffer.from(random.fill(new Uint8Array(bytes))).toString('hex');

/** A route, and the fields of a body that would be right, as JSON texts. */
function rightRequest(
  random: Random,
  target: Target,
): { method: string; path: string; fields: Fields | undefined } {
  const known = target.releases.length > 0 ? random.pick(target.releases) : undefined;
  const release = {
    timestamp: String(known?.timestamp ?? 5),
    signature: `"${random.chance(0.5) ? known?.signature : hexOf(random, 32)}"`,
  };
  const id = known?.id ?? random.integer(0, 9000);
  const service = `"${random.pick(['default', 'orders', MARKER, '風花'])}"`;
  switch (random.integer(0, 9)) {
    case 0:
    case 1:
    case 2:
      return {
        method: 'POST',
        path: '/lease',
        fields: {
          serviceId: service,
          throughputPerMs: random.pick(['1', '256', '257', '4096', '4097', '2147483648']),
          requestId: `"${random.pick([MARKER, hexOf(random, 16), 'again'])}"`,
          meta: `{"host":"${MARKER}","pid":"1"}`,
          seen: `{"pool":"${MARKER}","serial":${random.integer(0, 100)}}`,
          report: `{${REPORT_FIELDS.map((name) => `"${name}":${random.integer(0, 5)}`).join(',')}}`,
        },
      };
    case 3:
      return { method: 'DELETE', path: `/lease/${id}`, fields: release };
    case 4:
      return { method: 'POST', path: `/lease/${id}/release`, fields: { ...release, serviceId: service } };
    case 5:
      return {
        method: 'POST',
        path: '/ids',
        fields: { count: random.pick(['1', '2', '300']), serviceId: service },
      };
    case 6:
      return {
        method: 'GET',
        path: random.pick(['/pool', '/pool?pool=default', '/pool/events', '/metrics']),
        fields: undefined,
      };
    case 7:
      return { method: 'POST', path: '/pool/revoke', fields: { id: String(id), pool: '"default"' } };
    case 8:
      return { method: 'POST', path: '/pool/layout', fields: { bitId: '14', bitSeq: '8', pool: service } };
    default:
      return { method: 'POST', path: '/pool/quarantine', fields: { pool: service } };
  }
}

/** Some of the fields, in some order, one or two of them wrong. */
function mutatedBody(random: Random, fields: Fields): string {
  const entries = Object.entries(fields).filter(() => random.chance(0.8));
  const dice = random.next();
  if (dice < 0.5 && entries.length > 0) {
    const at = random.integer(0, entries.length - 1);
    const value = random.chance(0.9) ? random.pick(VALUES) : random.pick(NOT_JSON);
    entries[at] = [entries[at]?.[0] ?? '', value];
  } else if (dice < 0.6) {
    const name = random.pick([
      '__proto__',
      'constructor',
      'toString',
      'serviceid',
      '',
      'x'.repeat(500),
      '\\u005f_proto__',
    ]);
    entries.push([name, random.pick(VALUES)]);
  } else if (dice < 0.65) {
    const depth = random.pick(DEPTHS);
    entries.push(['meta', '['.repeat(depth) + ']'.repeat(depth)]);
  } else if (dice < 0.7) {
    entries.push(...entries);
  } else if (dice < 0.73) {
    entries.push(['meta', `{"a":"${MARKER.repeat(random.pick([20, 60, 500, 2000, 5000]))}"}`]);
  }
  return `{${entries.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

/** Bytes that are, or nearly are, what the text says. */
function damagedBytes(random: Random, text: string): Uint8Array {
  const bytes = Buffer.from(text);
  switch (random.integer(0, 7)) {
    case 0:
      return bytes.subarray(0, random.integer(0, bytes.length));
    case 1:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 2: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[random.integer(0, copy.length - 1)] = random.integer(0, 255);
      return copy;
    }
    case 3:
      return Buffer.concat([bytes, Buffer.from(random.pick(['x', '{}', ' ', '\u0000', ']', '}']))]);
    case 4:
      return Buffer.from(text, 'utf16le');
    case 5:
      return Buffer.concat([bytes, Buffer.alloc(random.pick([1, 16_384, 20_000]), 0x20)]);
    case 6:
      return Buffer.from(random.pick([...VALUES, ...NOT_JSON]));
    default:
      return random.fill(new Uint8Array(random.integer(0, 64)));
  }
}

function someHeaders(random: Random, target: Target, hasBody: boolean): [string, string][] {
  const headers: [string, string][] = [];
  const authorization = random.chance(0.9)
    ? `Bearer ${target.token}`
    : random.pick([
        '',
        'Bearer',
        `Bearer ${MARKER}`,
        `Basic ${MARKER}`,
        `Bearer ${target.token}x`,
        'Bearer \u00e9',
      ]);
  headers.push(['authorization', authorization]);
  if (hasBody || random.chance(0.2)) {
    headers.push(['content-type', random.chance(0.9) ? 'application/json' : random.pick(CONTENT_TYPES)]);
  }
  if (random.chance(0.1)) {
    headers.push(['x-request-id', random.pick(['ok-1', MARKER.repeat(20), '"', '<script>', '\u00ff'])]);
  }
  if (random.chance(0.1)) {
    headers.push(
      random.pick([
        ['cookie', `a=${MARKER}`],
        ['origin', `http://${MARKER}.example`],
        ['accept', 'text/html'],
        ['accept-encoding', 'br;q=1e308'],
        ['x-http-method-override', 'DELETE'],
        ['x-forwarded-host', MARKER],
        ['range', 'bytes=0-'],
        ['if-none-match', '*'],
        ['x-long', 'x'.repeat(3000)],
      ]),
    );
  }
  return headers;
}

export function hostileRequest(random: Random, target: Target): HostileRequest {
  const { method, path, fields } = rightRequest(random, target);
  const text = fields && mutatedBody(random, fields);
  const isDamaged = random.chance(0.15);
  const isAbsent = fields !== undefined && random.chance(0.02);
  const body =
    text === undefined || isAbsent ? undefined : isDamaged ? damagedBytes(random, text) : Buffer.from(text);
  return {
    method: random.chance(0.06) ? random.pick(METHODS) : method,
    path: random.chance(0.08) ? random.pick(PATHS) : path,
    headers: someHeaders(random, target, body !== undefined),
    body,
    isChunked: random.chance(0.2),
  };
}
