import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { toRequest } from '../../../tests/server/requests.ts';
import { MAX_BODY_BYTES, readBody, validate } from './body.js';
import * as schemas from './schemas.js';

/** Must come back in no refusal. */
const SECRET = 'hush-hush';

async function refusalOf(reading: Promise<unknown>) {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason as { status: number; code: string; detail: string; members: object },
  );
  if (error) expect(`${error.detail} ${JSON.stringify(error.members)}`).not.toContain(SECRET);
  return error && { status: error.status, code: error.code };
}

async function read(body: unknown, headers = {}): Promise<unknown> {
  let reading: Promise<unknown> | undefined;
  const app = new Hono().post('/', async (context) => {
    reading = readBody(context, schemas.acquireRequest);
    await reading.catch(() => undefined);
    return context.body(null);
  });
  await app.fetch(toRequest('/', { body, headers }));
  return reading;
}

describe('a body is taken', () => {
  it.each([
    ['that is empty', {}],
    [
      'with all there can be',
      {
        serviceId: 'orders',
        meta: { host: 'h' },
        throughputPerMs: 2 ** 31,
        requestId: 'r',
        seen: { pool: 'p', serial: Number.MAX_SAFE_INTEGER },
        report: {
          leasedIds: 0,
          fencedIds: 1,
          randomIds: 2,
          exhaustedMs: 3,
          acquireFailures: 4,
          clockSteps: 5,
        },
      },
    ],
    [
      'with texts of any script, and of the longest',
      { serviceId: '風花'.repeat(100), requestId: '\u0000 ☃' },
    ],
  ])('%s', async (_title, body) => {
    expect(await read(body)).toEqual(body);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('of the type %s', async (type) => {
    expect(await read('{}', { 'content-type': type })).toEqual({});
  });

  it('of the greatest length, and in pieces', async () => {
    const text = '{}'.padEnd(MAX_BODY_BYTES);
    expect(await read(text, { 'content-length': String(text.length) })).toEqual({});
    expect(await read(text)).toEqual({});
    const pieces = new ReadableStream({
      start(controller) {
        for (const piece of ['{"service', 'Id":"orders', '"}']) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    });
    expect(await read(pieces)).toEqual({ serviceId: 'orders' });
  });
});

describe('a mark of the byte order', () => {
  it('before a body does not disturb, in one piece or in more', async () => {
    const marked = Buffer.from('\ufeff{}');
    expect(await read(marked, { 'content-length': String(marked.length) })).toEqual({});
    expect(await read(marked)).toEqual({});
  });
});

describe('a body is refused, without a word of it,', () => {
  const long = SECRET.padEnd(201, 'x');
  const invalid: [title: string, body: unknown][] = [
    ['a number', 5],
    ['a text', `"${SECRET}"`],
    ['null', 'null'],
    ['an array', '[]'],
    ['true', 'true'],
    ['a field that is not known', { serviceId: 'a', colour: SECRET }],
    ['a field of another case', { serviceid: SECRET }],
    ['a service that is a number', { serviceId: 9 }],
    ['a service that is empty', { serviceId: '' }],
    ['a service that is too long', { serviceId: long }],
    ['a service that is null', { serviceId: null }],
    ['a service that is an object', { serviceId: { toString: SECRET } }],
    ['a throughput as text', { throughputPerMs: '9' }],
    ['a throughput of 0', { throughputPerMs: 0 }],
    ['a throughput of -1', { throughputPerMs: -1 }],
    ['a throughput with a fraction', { throughputPerMs: 1.5 }],
    ['a throughput of 1e308', '{"throughputPerMs":1e308}'],
    ['a throughput beyond all numbers', '{"throughputPerMs":1e999}'],
    ['a throughput of 2^31 + 1', { throughputPerMs: 2 ** 31 + 1 }],
    ['a throughput of 2^53', { throughputPerMs: 2 ** 53 }],
    ['a throughput that is an array', { throughputPerMs: [1] }],
    ['metadata that is a text', { meta: SECRET }],
    ['metadata that is an array', { meta: [SECRET] }],
    ['metadata of numbers', { meta: { pid: 5 } }],
    ['metadata in depth', { meta: { a: { b: SECRET } } }],
    ['metadata without a name', { meta: { '': SECRET } }],
    [
      'metadata of 17 entries',
      { meta: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, ''])) },
    ],
    [
      'metadata of more than 1,024 bytes',
      { meta: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 'ä'.repeat(130)])) },
    ],
    ['metadata with a long name', { meta: { ['n'.repeat(65)]: SECRET } }],
    ['metadata with a long text', { meta: { n: SECRET.padEnd(257) } }],
    ['what was seen without its serial', { seen: { pool: SECRET } }],
    ['what was seen of a serial below 0', { seen: { pool: 'p', serial: -1 } }],
    ['what was seen of a serial that is none', { seen: { pool: 'p', serial: 2 ** 53 } }],
    ['a report that is incomplete', { report: { leasedIds: 1 } }],
    [
      'a report with a fraction',
      {
        report: {
          leasedIds: 0.1,
          fencedIds: 0,
          randomIds: 0,
          exhaustedMs: 0,
          acquireFailures: 0,
          clockSteps: 0,
        },
      },
    ],
    ['a constructor', { constructor: { prototype: SECRET } }],
    ['depth without end', `{"meta":${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}}`],
    ['brackets without end', '['.repeat(8000) + ']'.repeat(8000)],
  ];
  it.each(invalid)('for %s: INVALID_REQUEST', async (_title, body) => {
    expect(await refusalOf(read(body))).toEqual({ status: 400, code: 'INVALID_REQUEST' });
  });

  const notJson: [title: string, body: string | Uint8Array][] = [
    ['nothing at all', ''],
    ['a word', SECRET],
    ['what breaks off', `{"serviceId":"${SECRET}`],
    ['two values', '{}{}'],
    ['a comma too many', '{"serviceId":"a",}'],
    ['a comment', '{} // all'],
    ['single quotes', "{'serviceId':'a'}"],
    ['NaN', '{"throughputPerMs":NaN}'],
    ['a number with a leading 0', '{"throughputPerMs":01}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    [
      'half a character',
      Buffer.concat([Buffer.from('{"serviceId":"'), Buffer.from([0xe9, 0xa2]), Buffer.from('"}')]),
    ],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['__proto__', `{"__proto__":{"serviceId":"${SECRET}"}}`],
    ['__proto__ in depth', `{"meta":{"__proto__":"${SECRET}"}}`],
    ['brackets that never close', '['.repeat(16_000)],
  ];
  it.each(notJson)('for %s: INVALID_JSON', async (_title, body) => {
    expect(await refusalOf(read(body))).toEqual({ status: 400, code: 'INVALID_JSON' });
  });

  it('for the character that stands for broken text; as an escape it is a character like any other', async () => {
    expect(await refusalOf(read('{"serviceId":"\ufffd"}'))).toEqual({ status: 400, code: 'INVALID_JSON' });
    expect(await read('{"serviceId":"\\ufffd"}')).toEqual({ serviceId: '\ufffd' });
  });

  it('for __proto__ in other letters: it is a field that is not known', async () => {
    const refusal = await refusalOf(read('{"\\u005f_proto__":{"serviceId":"a"}}'));
    expect(refusal).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    expect(({} as Record<string, unknown>).serviceId).toBe(undefined);
  });

  it.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'multipart/form-data',
    'application/jsonp',
    'text/json',
    'application/json, text/plain',
    'application/problem+json',
  ])('for the type %j: UNSUPPORTED_MEDIA_TYPE', async (type) => {
    expect(await refusalOf(read('{}', { 'content-type': type }))).toEqual({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });

  const tooLarge = { status: 413, code: 'BODY_TOO_LARGE' };
  const large = '{}'.padEnd(MAX_BODY_BYTES + 1);

  it('for its length, said or not, true or not: BODY_TOO_LARGE', async () => {
    for (const length of [undefined, large.length, 2, 'much', 1e15]) {
      const headers = length === undefined ? {} : { 'content-length': String(length) };
      expect(await refusalOf(read(large, headers))).toEqual(tooLarge);
    }
  });

  it('without end, and is read no further than that', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 4096;
        controller.enqueue(new Uint8Array(4096).fill(0x20));
        // Long after the limit: without one, the test fails instead of reading for ever.
        if (sent > 100 * MAX_BODY_BYTES) controller.close();
      },
    });
    expect(await refusalOf(read(endless))).toEqual(tooLarge);
    expect(sent).toBeLessThan(2 * MAX_BODY_BYTES);
  });

  it('when it breaks off: INCOMPLETE_BODY', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error(SECRET)),
    });
    expect(await refusalOf(read(broken))).toEqual({ status: 400, code: 'INCOMPLETE_BODY' });
  });
});

describe('a refusal', () => {
  it('names what is wrong by its path, no more than eight of them, in few words', () => {
    const report = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`x${i}`.repeat(100), 1]));
    try {
      validate(schemas.acquireRequest, { seen: { pool: 5 }, report, serviceId: 3 });
      expect.unreachable();
    } catch (error) {
      const { detail, members } = error as {
        detail: string;
        members: { issues: { path: string; message: string }[] };
      };
      expect(detail).toMatch(/^serviceId: /);
      expect(members.issues.map(({ path }) => path)).toContain('seen.pool');
      expect(members.issues.length).toBeLessThanOrEqual(8);
      for (const { path, message } of members.issues) expect(path.length + message.length).toBeLessThan(400);
    }
  });
});
