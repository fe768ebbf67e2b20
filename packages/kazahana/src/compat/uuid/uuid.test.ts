// What npm `uuid` publishes about itself, and what RFC 9562 does: through our functions. tests/compat-uuid.test.ts holds
// them against the package itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX,
  NIL,
  parse,
  stringify,
  v1,
  v1ToV6,
  v3,
  v4,
  v5,
  v6,
  v6ToV1,
  v7,
  validate,
  version,
} from './index.js';
import { stepState } from './v1.js';

type Maker = (options?: object, buf?: Uint8Array, offset?: number) => string;

const bytesOf = (...values: number[]) => Uint8Array.from(values);

describe('the vectors of RFC 9562, appendix A', () => {
  // 2022-02-22 14:22:22.00 GMT-05:00
  const time = { msecs: 1_645_557_742_000, nsecs: 0 };
  const origin = { clockseq: 0x33c8, node: bytesOf(0x9f, 0x6b, 0xde, 0xce, 0xd8, 0x46) };

  it('A.1: version 1', () => expect(v1({ ...time, ...origin })).toBe('c232ab00-9414-11ec-b3c8-9f6bdeced846'));
  it('A.2: version 3', () =>
    expect(v3('www.example.com', v3.DNS)).toBe('5df41881-3aed-3515-88a7-2f4a814cf09e'));
  it('A.3: version 4', () => {
    const random = parse('919108f7-52d1-4320-9bac-f847db4148a8');
    expect(v4({ random })).toBe('919108f7-52d1-4320-9bac-f847db4148a8');
  });
  it('A.4: version 5', () =>
    expect(v5('www.example.com', v5.DNS)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2'));
  it('A.5: version 6', () => expect(v6({ ...time, ...origin })).toBe('1ec9414c-232a-6b00-b3c8-9f6bdeced846'));
  it('A.6: version 7', () => {
    // The sequence is rand_a, 0xCC3, and the upper 20 of the 62 bits of rand_b, 0x18C4DC0C0C07398F; the rest is random.
    const seq = 0xcc3 * 2 ** 20 + Number(0x18c4dc0c0c07398fn >> 42n);
    const random = new Uint8Array(16);
    random.set([0x0c, 0x0c, 0x0c, 0x07, 0x39, 0x8f], 10);
    expect(v7({ msecs: time.msecs, seq, random })).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });
});

describe('the examples of the README of uuid', () => {
  const options = {
    node: bytesOf(0x01, 0x23, 0x45, 0x67, 0x89, 0xab),
    clockseq: 0x1234,
    msecs: new Date('2011-11-01').getTime(),
    nsecs: 5678,
  };
  const random = bytesOf(
    0x10,
    0x91,
    0x56,
    0xbe,
    0xc4,
    0xfb,
    0xc1,
    0xea,
    0x71,
    0xb4,
    0xef,
    0xe1,
    0x67,
    0x1c,
    0x58,
    0x36,
  );
  const bytes = bytesOf(110, 192, 189, 127, 17, 192, 67, 218, 151, 94, 42, 138, 217, 235, 174, 11);
  const rows: [call: string, result: unknown, expected: unknown][] = [
    ['NIL', NIL, '00000000-0000-0000-0000-000000000000'],
    ['MAX', MAX, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['parse', parse('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'), bytes],
    ['stringify', stringify(bytes), '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'],
    ['v1(options)', v1(options), '710b962e-041c-11e1-9234-0123456789ab'],
    ['v1ToV6', v1ToV6('92f62d9e-22c4-11ef-97e9-325096b39f47'), '1ef22c49-2f62-6d9e-97e9-325096b39f47'],
    ['v4(options)', v4({ random }), '109156be-c4fb-41ea-b1b4-efe1671c5836'],
    [
      'v5 of a namespace of one’s own',
      v5('Hello, World!', '1b671a64-40d5-491e-99b0-da01ff1f3341'),
      '630eb68f-e0fa-5ecc-887a-7c7a62614681',
    ],
    ['v5 of an URL', v5('https://www.w3.org/', v5.URL), 'c106a26a-21bb-5538-8bf2-57095d1976c1'],
    [
      'v6(options), with a plain array',
      v6({ ...options, node: [0x01, 0x23, 0x45, 0x67, 0x89, 0xab] as never }),
      '1e1041c7-10b9-662e-9234-0123456789ab',
    ],
    ['v6ToV1', v6ToV1('1ef22c49-2f62-6d9e-97e9-325096b39f47'), '92f62d9e-22c4-11ef-97e9-325096b39f47'],
    ['validate, no', validate('not a UUID'), false],
    ['validate, yes', validate('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'), true],
    ['version 1', version('45637ec4-c85f-11ea-87d0-0242ac130003'), 1],
    ['version 4', version('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'), 4],
    ['version of NIL', version(NIL), 0],
    ['version of MAX', version(MAX), 15],
  ];
  for (const [call, result, expected] of rows) it(call, () => expect(result).toEqual(expected));
});

describe('without options', () => {
  const makers = { v1, v4, v6, v7 } as Readonly<Record<string, Maker>>;
  for (const [name, make] of Object.entries(makers)) {
    it(`${name} gives different UUIDs of its version, as text and in a buffer`, () => {
      const target = new Uint8Array(20);
      const made = new Set<string>();
      for (let i = 0; i < 3000; i++) {
        made.add(make());
        expect(make(undefined, target, 3)).toBe(target);
        made.add(stringify(target, 3));
      }
      expect(made.size).toBe(6000);
      for (const uuid of made) expect(version(uuid)).toBe(Number(name.slice(1)));
      expect([target[0], target[1], target[2], target[19]]).toEqual([0, 0, 0, 0]);
    });
  }

  it('v7 strictly increases, as text and in buffers by turns', () => {
    let last = '';
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 100 }), (turns) => {
        for (const isText of turns) {
          const uuid = isText ? v7() : stringify(v7(undefined, new Uint8Array(16)));
          expect(uuid > last).toBe(true);
          last = uuid;
        }
      }),
    );
  });

  it('v7 carries the time of the clock, however many are made', () => {
    const before = Date.now();
    let uuid = '';
    for (let i = 0; i < 50_000; i++) uuid = v7();
    const time = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it('v1 has one origin, with the multicast bit, and v6 another each time', () => {
    const origin = (uuid: string) => uuid.slice(19);
    expect(origin(v1())).toBe(origin(v1()));
    expect(origin(v6())).not.toBe(origin(v6()));
    expect(Number.parseInt(v1().slice(24, 26), 16) & 1).toBe(1);
  });
});

describe('the state of v1', () => {
  const random = bytesOf(...Array.from({ length: 16 }, (_, i) => i * 16));
  const other = random.map((byte) => byte ^ 0xff);
  const begun = stepState(undefined, 1000, random);

  it('begins with a random origin', () => {
    expect(begun).toMatchObject({ msecs: 1000, nsecs: 0, clockseq: 0x8090 & 0x3fff });
    expect(begun.node).toEqual(bytesOf(0xa1, 0xb0, 0xc0, 0xd0, 0xe0, 0xf0));
  });
  it('counts ticks within a millisecond', () => {
    expect(stepState(begun, 1000, other)).toEqual({ ...begun, nsecs: 1 });
  });
  it('begins a later millisecond at its first tick', () => {
    expect(stepState({ ...begun, nsecs: 7 }, 1001, other)).toEqual({ ...begun, msecs: 1001 });
  });
  it('takes another origin when the ticks are used up', () => {
    const next = stepState({ ...begun, nsecs: 9999 }, 1000, other);
    expect(next).toMatchObject({ msecs: 1000, nsecs: 0 });
    expect(next.node).not.toEqual(begun.node);
  });
  it('takes another origin when the clock steps back', () => {
    const next = stepState(begun, 999, other);
    expect(next).toMatchObject({ msecs: 999, nsecs: 0 });
    expect(next.node).not.toEqual(begun.node);
  });
});

describe('what the caller passes', () => {
  it('stays as it is', () => {
    const random = bytesOf(...Array.from({ length: 16 }, () => 0xff));
    for (const make of [v1, v4, v6, v7] as Maker[]) make({ random });
    v5(random, random);
    v1ToV6(random);
    expect(random).toEqual(new Uint8Array(16).fill(0xff));
  });

  it('may be the arrays that the last result came in', () => {
    const first = parse(v4());
    const text = stringify(first);
    parse(v4());
    expect(stringify(first)).toBe(text);
  });
});
