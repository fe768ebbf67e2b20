import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createExternalIdCodec,
  ExternalIdFormatError,
  type ExternalIdOptions,
  InvalidArgumentError,
  toExternalId,
  toInternalId,
} from './index.js';

const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const anyPrefix = fc.stringMatching(/^[a-z](?:[a-z0-9_]{0,30}[a-z0-9])?$/);
const anyLabel = fc.stringMatching(/^[A-Za-z0-9]$/);

describe('an external ID with a prefix', () => {
  // From an implementation in another language; links made with these must go on working for ever.
  const rows: [id: bigint, mixedUser: string, mixedOrder: string, user: string, order: string][] = [
    [0n, 'user_mNC9Ztt4LeY', 'order_-GBdzLG-UgA', 'user_ISAyJ5ThaXw', 'order_owZTt8jQsCo'],
    [1n, 'user_gtsQNUyWg_s', 'order_D9RaHgB34rg', 'user_FDdWprKp-po', 'order_bhTHjFAcn9k'],
    [0x0123456789abcdefn, 'user_7wuPLOxQXpM', 'order_JQ3DehsnYgY', 'user_5BqUspnLOgM', 'order_3uGKNv6ylT8'],
    [251658240000001280n, 'user_ZHsK48iCAxM', 'order_9dl2o4KrC1c', 'user_-QrY4FOEMSU', 'order_wMmdKSXdhAQ'],
    [2n ** 63n - 1n, 'user_wuTfzRL2Pew', 'order_XL2w53aGA9A', 'user_jYAnS8q-G6Y', 'order_1jmfVoUeUQo'],
    [2n ** 64n - 1n, 'user_7pPFNLRt2M8', 'order_HJIL6FnnXPQ', 'user_SObILZsdBEQ', 'order_PkmwxolQTnY'],
  ];
  for (const [id, ...texts] of rows) {
    const optionsOfTexts: ExternalIdOptions[] = [
      { prefix: 'user' },
      { prefix: 'order' },
      { prefix: 'user', secret: 'kazahana' },
      { prefix: 'order', secret: 'kazahana' },
    ];
    optionsOfTexts.forEach((options, i) => {
      it(`of ${id} is ${texts[i]} with ${JSON.stringify(options)}`, () => {
        const codec = createExternalIdCodec(options);
        expect(codec.toExternalId(id)).toBe(texts[i]);
        expect(codec.toInternalId(texts[i] ?? '')).toBe(id);
        expect(toExternalId(id, options)).toBe(texts[i]);
        expect(toInternalId(texts[i] ?? '', options)).toBe(id);
      });
    });
  }

  it('leads back to its ID, for every prefix, label and algorithm', () => {
    const anyOptions = fc.oneof(
      fc.record({ prefix: anyPrefix }),
      fc.record({ prefix: anyPrefix, algorithm: fc.constant('none' as const) }),
      fc.record({ prefix: anyPrefix, secret: fc.constantFrom('a', 'b') }),
      fc
        .record({ prefix: anyPrefix, label: anyLabel })
        .map(({ prefix, label }) => ({ prefix, secrets: { [label]: 's' }, current: label })),
    );
    fc.assert(
      fc.property(anyId, anyOptions, (id, options) => {
        const codec = createExternalIdCodec(options);
        const text = codec.toExternalId(id);
        expect(text.startsWith(`${options.prefix}_`)).toBe(true);
        expect(codec.toInternalId(text)).toBe(id);
      }),
    );
  });

  it('shows another body under another prefix, and under none', () => {
    fc.assert(
      fc.property(anyId, anyPrefix, anyPrefix, (id, one, other) => {
        fc.pre(one !== other);
        const bodyOf = (options: ExternalIdOptions) =>
          createExternalIdCodec(options).toExternalId(id).slice(-11);
        for (const secret of [{}, { secret: 's' }]) {
          const bodies = [{ prefix: one }, { prefix: other }, {}].map((prefix) =>
            bodyOf({ ...prefix, ...secret }),
          );
          expect(new Set(bodies).size).toBe(3);
        }
      }),
    );
  });

  it('is refused under every other prefix', () => {
    fc.assert(
      fc.property(anyId, anyPrefix, anyPrefix, (id, one, other) => {
        fc.pre(one !== other);
        const text = createExternalIdCodec({ prefix: one, secret: 's' }).toExternalId(id);
        for (const options of [{ prefix: other, secret: 's' }, { secret: 's' }]) {
          const codec = createExternalIdCodec(options);
          expect(() => codec.toInternalId(text)).toThrow(ExternalIdFormatError);
          expect(codec.parse(text, { notAfter: 8e15 })).toBeUndefined();
        }
      }),
    );
  });
});

describe('an external ID under one of several keys', () => {
  const old = createExternalIdCodec({ secrets: { a: 'alpha' }, current: 'a' });
  const both = createExternalIdCodec({ secrets: { a: 'alpha', b: 'beta' }, current: 'b' });

  it('is the plain text of its key, after the label', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(both.toExternalId(id)).toBe(`b${toExternalId(id, { secret: 'beta' })}`);
        const typed = { prefix: 'user', secrets: { b: 'beta' }, current: 'b' };
        const plain = toExternalId(id, { prefix: 'user', secret: 'beta' });
        expect(toExternalId(id, typed)).toBe(`user_b${plain.slice(5)}`);
      }),
    );
  });

  it('is read as long as its key is listed, whatever the current one is', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(both.toInternalId(old.toExternalId(id))).toBe(id);
        expect(both.toInternalId(both.toExternalId(id))).toBe(id);
        expect(() => old.toInternalId(both.toExternalId(id))).toThrow(
          'under the label of a known key (a), got "b" at position 0',
        );
      }),
    );
  });

  it('can follow texts of a single secret, or of none, which stay as they are', () => {
    const before: ExternalIdOptions[] = [{ secret: 'old' }, { algorithm: 'mix' }, { algorithm: 'none' }];
    for (const plain of before) {
      const reading = createExternalIdCodec({ ...plain, secrets: { b: 'beta' } });
      const writing = createExternalIdCodec({ ...plain, secrets: { b: 'beta' }, current: 'b' });
      const oldText = toExternalId(42n, plain);
      expect(reading.toExternalId(42n)).toBe(oldText);
      expect(writing.toExternalId(42n)).toBe(`b${toExternalId(42n, { secret: 'beta' })}`);
      for (const codec of [reading, writing]) {
        expect(codec.toInternalId(oldText)).toBe(42n);
        expect(codec.toInternalId(writing.toExternalId(42n))).toBe(42n);
      }
    }
  });

  it('without a label is refused where no secret stands beside the labelled ones', () => {
    expect(() => both.toInternalId(toExternalId(42n))).toThrow(
      'must be 12 characters long, got 11 characters',
    );
  });
});

describe('decoding names what is wrong around the 11 characters:', () => {
  const rows: [
    title: string,
    options: ExternalIdOptions,
    text: unknown,
    problem: string,
    position: number | undefined,
    message: string,
  ][] = [
    ['no string', { prefix: 'user' }, 5, 'NOT_A_STRING', undefined, 'must be a string, got 5'],
    [
      'another prefix',
      { prefix: 'user' },
      'order_AAAAAAAAAAA',
      'PREFIX',
      undefined,
      'must be one that starts with "user_", got 17 characters: "order_AAAAAAAAAAA"',
    ],
    ['no prefix', { prefix: 'user' }, 'AAAAAAAAAAA', 'PREFIX', undefined, 'starts with "user_"'],
    [
      'the prefix in capitals',
      { prefix: 'user' },
      'USER_AAAAAAAAAAA',
      'PREFIX',
      undefined,
      'starts with "user_"',
    ],
    ['nothing behind it', { prefix: 'user' }, 'user_', 'LENGTH', undefined, '16 characters long, got 5'],
    ['a character more', { prefix: 'user' }, 'user_AAAAAAAAAAAA', 'LENGTH', undefined, '16 characters long'],
    ['a bad character', { prefix: 'user' }, 'user_AA+AAAAAAAA', 'CHARACTER', 7, 'got "+" at position 7'],
    ['a spare bit', { prefix: 'user' }, 'user_AAAAAAAAAAB', 'SPARE_BITS', 15, 'got "B" at position 15'],
    [
      'neither length',
      { secret: 's', secrets: { a: 'x' }, current: 'a' },
      'AAA',
      'LENGTH',
      undefined,
      '11 or 12 characters long, got 3',
    ],
    [
      'an unknown label',
      { prefix: 'user', secrets: { a: 'x', b: 'y' }, current: 'a' },
      'user_cAAAAAAAAAAA',
      'LABEL',
      5,
      'under the label of a known key (a, b), got "c" at position 5',
    ],
    [
      'a label that objects inherit',
      { secrets: { a: 'x' }, current: 'a' },
      '_AAAAAAAAAAA',
      'LABEL',
      0,
      'got "_" at position 0',
    ],
  ];
  for (const [title, options, text, problem, position, message] of rows) {
    it(title, () => {
      const { toInternalId, parse } = createExternalIdCodec(options);
      let thrown: unknown;
      try {
        toInternalId(text as string);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(ExternalIdFormatError);
      expect(thrown).toMatchObject({ problem, value: text });
      expect((thrown as ExternalIdFormatError).position).toBe(position);
      expect((thrown as Error).message).toContain(message);
      expect(parse(text)).toBeUndefined();
    });
  }
});

describe('options of prefixes and labels are refused:', () => {
  const shape = 'a non-empty, well-formed string or a non-empty Uint8Array, got';
  const rows: [title: string, options: unknown, message: string][] = [
    ...['', '_', 'User', '1user', 'user_', '_user', 'us er', 'us-er', 'ü', 'a'.repeat(33), 5, null].map(
      (prefix): [string, unknown, string] => [
        `the prefix ${JSON.stringify(prefix)}`,
        { prefix },
        'prefix must be 1 to 32 characters of a–z, 0–9 and _, the first a letter, the last no _, got',
      ],
    ),
    ['no keys', { secrets: {}, current: 'a' }, 'secrets must be an object with a key, got "no key"'],
    [
      'keys that are undefined',
      { secrets: undefined, current: 'a' },
      'secrets must be an object, got undefined',
    ],
    ['a key for keys', { secrets: 'hunter2', current: 'a' }, 'secrets must be an object, got "a string"'],
    ['a list of keys', { secrets: ['hunter2'], current: '0' }, 'secrets must be an object, got "an array"'],
    ['a label of two', { secrets: { ab: 's' }, current: 'ab' }, 'must be one letter or digit, got "ab"'],
    ['a label of none', { secrets: { '': 's' }, current: '' }, 'must be one letter or digit, got ""'],
    ['a hyphen for a label', { secrets: { '-': 's' }, current: '-' }, 'must be one letter or digit, got "-"'],
    ['an empty key', { secrets: { a: '' }, current: 'a' }, `secrets.a must be ${shape} ""`],
    [
      'a key that is undefined',
      { secrets: { a: undefined }, current: 'a' },
      `secrets.a must be ${shape} undefined`,
    ],
    [
      'a key cut in a pair',
      { secrets: { a: 'x', b: 'hunter2\ud83c' }, current: 'a' },
      `secrets.b must be ${shape} "a string with a lone surrogate"`,
    ],
    ['no current key', { secrets: { a: 's', b: 't' } }, 'current must be one of a, b, got undefined'],
    ['an unknown current key', { secrets: { a: 's' }, current: 'b' }, 'current must be one of a, got "b"'],
    [
      'an empty current key',
      { secret: 's', secrets: { a: 's' }, current: '' },
      'current must be one of a, got ""',
    ],
    [
      'a secret for the current key',
      { secrets: { a: 's' }, current: 'hunter2' },
      'one of a, got "a longer text"',
    ],
    ['current without keys', { secret: 's', current: 'a' }, 'secrets must be an object, got undefined'],
    ['mix beside a secret', { secret: 's', algorithm: 'mix', secrets: { a: 's' } }, "must be 'xtea' when"],
  ];
  for (const [title, options, message] of rows) {
    it(title, () => {
      const create = () => createExternalIdCodec(options as ExternalIdOptions);
      expect(create).toThrow(InvalidArgumentError);
      expect(create).toThrow(message);
      expect(create).not.toThrow('hunter2');
    });
  }

  it('but xtea may be said beside labelled keys', () => {
    const codec = createExternalIdCodec({ algorithm: 'xtea', secrets: { a: 's' }, current: 'a' });
    expect(codec.toInternalId(codec.toExternalId(42n))).toBe(42n);
  });
});
