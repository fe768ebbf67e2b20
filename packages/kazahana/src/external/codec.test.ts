import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createExternalIdCodec,
  ExternalIdFormatError,
  type ExternalIdOptions,
  InvalidArgumentError,
  OutOfRangeError,
} from './index.js';

const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bytes = (...values: number[]) => Uint8Array.from(values);

describe('the external form of an ID', () => {
  // From an implementation in another language; links made with these must go on working for ever.
  const rows: [id: bigint, none: string, mix: string, kazahana: string, 風花: string][] = [
    [0n, 'AAAAAAAAAAA', 'ytWS-4AS3-s', 'ALQYQ6vNYD4', 'x91pLMUDhS4'],
    [1n, 'AAAAAAAAAAE', 'DhGUM1ELpG4', 'u9a_TBxPsvY', 'j-KkV91VZGA'],
    [2n, 'AAAAAAAAAAI', 'CJbqgeOxAvo', '5xoInTfe_uc', 'QVA2doFpRbE'],
    [0x0123456789abcdefn, 'ASNFZ4mrze8', 'xtr05K9fsrg', 'ukFz5WmG0ng', '60OxLYqlzIA'],
    [251658240000001280n, 'A34R1gAABQA', 'aaWuim-eZZM', 'q8SqkXD8Ubk', 'c_iiSFhtzuo'],
    [2n ** 63n - 1n, 'f_________8', '7TrksAN_Nj4', 'Le8ylcRywsA', 'vC1-6G04NoE'],
    [2n ** 64n - 1n, '__________8', 'M-dGChT8rGY', 'nEdEdONVpFQ', 'Qob2ssgb65A'],
  ];
  for (const [id, ...texts] of rows) {
    const optionsOfTexts: ExternalIdOptions[] = [
      { algorithm: 'none' },
      { algorithm: 'mix' },
      { secret: 'kazahana' },
      { secret: '風花', algorithm: 'xtea' },
    ];
    optionsOfTexts.forEach((options, i) => {
      it(`of ${id} is ${texts[i]} with ${JSON.stringify(options)}`, () => {
        const codec = createExternalIdCodec(options);
        expect(codec.toExternalId(id)).toBe(texts[i]);
        expect(codec.toInternalId(texts[i] ?? '')).toBe(id);
      });
    });
  }

  it('is mixed when there are no options', () => {
    expect(createExternalIdCodec().toExternalId(1n)).toBe('DhGUM1ELpG4');
    expect(createExternalIdCodec({}).toExternalId(1n)).toBe('DhGUM1ELpG4');
    const spelledOut: unknown = { algorithm: 'mix', secret: undefined };
    expect(createExternalIdCodec(spelledOut as ExternalIdOptions).toExternalId(1n)).toBe('DhGUM1ELpG4');
  });

  it('takes a string for its UTF-8 bytes', () => {
    const text = createExternalIdCodec({ secret: '風花' });
    const utf8 = createExternalIdCodec({ secret: bytes(0xe9, 0xa2, 0xa8, 0xe8, 0x8a, 0xb1) });
    fc.assert(
      fc.property(anyId, (id) => {
        expect(utf8.toExternalId(id)).toBe(text.toExternalId(id));
      }),
    );
  });

  it('differs from secret to secret', () => {
    const secrets = ['a', 'b', 'aa', 'a\0', '\0', ' a', 'A', bytes(0), bytes(0xff), bytes(0x61, 0xff)];
    const texts = secrets.map((secret) => createExternalIdCodec({ secret }).toExternalId(1n));
    // '\0' and bytes(0) are one secret.
    expect(new Set(texts).size).toBe(secrets.length - 1);
  });

  it('does not change when the bytes of the secret do', () => {
    const secret = bytes(1, 2, 3);
    const codec = createExternalIdCodec({ secret });
    const before = codec.toExternalId(1n);
    secret.fill(0);
    expect(codec.toExternalId(1n)).toBe(before);
  });

  it('is made by functions that need no object around them', () => {
    const { toExternalId, toInternalId } = createExternalIdCodec({ secret: 'kazahana' });
    expect(toInternalId(toExternalId(42n))).toBe(42n);
  });
});

describe('for every ID', () => {
  const codecs = {
    none: createExternalIdCodec({ algorithm: 'none' }),
    mix: createExternalIdCodec(),
    xtea: createExternalIdCodec({ secret: 'kazahana' }),
  };
  for (const [algorithm, codec] of Object.entries(codecs)) {
    it(`${algorithm} gives 11 characters that lead back to it`, () => {
      fc.assert(
        fc.property(anyId, (id) => {
          const text = codec.toExternalId(id);
          expect(text).toMatch(/^[A-Za-z0-9_-]{10}[AEIMQUYcgkosw048]$/);
          expect(codec.toInternalId(text)).toBe(id);
        }),
      );
    });
  }

  it('codecs do not disturb one another', () => {
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        const sealed = codecs.xtea.toExternalId(a);
        const mixed = codecs.mix.toExternalId(b);
        expect(codecs.xtea.toInternalId(sealed)).toBe(a);
        expect(codecs.mix.toInternalId(mixed)).toBe(b);
      }),
    );
  });

  it('what is not 64 bits is refused', () => {
    const notIds = [-1n, 2n ** 64n, -(2n ** 64n), 2n ** 128n];
    for (const codec of Object.values(codecs)) {
      for (const id of notIds) {
        expect(() => codec.toExternalId(id as bigint)).toThrow(OutOfRangeError);
      }
    }
    for (const id of [1, 0, '1', null, undefined, {}, true]) {
      expect(() => codecs.xtea.toExternalId(id as bigint)).toThrow(InvalidArgumentError);
    }
    expect(() => codecs.mix.toExternalId(-1n)).toThrow(
      'id must be an integer from 0 to 18446744073709551615, got -1n',
    );
  });

  it('what is not an external form is refused', () => {
    for (const codec of Object.values(codecs)) {
      for (const text of ['', 'ASNFZ4mrze', 'ASNFZ4mrze=', 'ASNFZ4mrze9', 1n, null]) {
        expect(() => codec.toInternalId(text as string)).toThrow(ExternalIdFormatError);
      }
    }
  });
});

describe('options are refused:', () => {
  const shape = 'secret must be a non-empty, well-formed string or a non-empty Uint8Array, got';
  const rows: [title: string, options: unknown, message: string][] = [
    ['an empty secret', { secret: '' }, `${shape} ""`],
    ['no bytes for a secret', { secret: bytes() }, `${shape} "no bytes"`],
    ['a secret that is undefined', { secret: undefined }, `${shape} undefined`],
    ['a secret that is null', { secret: null }, shape],
    ['a number for a secret', { secret: 123456 }, `${shape} "a value of type number"`],
    ['a list for a secret', { secret: [1, 2, 3] }, `${shape} "a value of type object"`],
    ['words for a secret', { secret: new Uint32Array(4) }, shape],
    ['a buffer for a secret', { secret: new ArrayBuffer(16) }, shape],
    ['a secret cut in a pair', { secret: 'a\ud83c' }, `${shape} "a string with a lone surrogate"`],
    ['a secret begun in a pair', { secret: '\udf38a' }, `${shape} "a string with a lone surrogate"`],
    ['xtea without a secret', { algorithm: 'xtea' }, `${shape} undefined`],
    [
      'mix with a secret',
      { secret: 's', algorithm: 'mix' },
      'algorithm must be \'xtea\' when there is a secret, got "mix"',
    ],
    [
      'none with a secret',
      { secret: 's', algorithm: 'none' },
      'algorithm must be \'xtea\' when there is a secret, got "none"',
    ],
    [
      'an algorithm we do not have',
      { algorithm: 'XTEA' },
      "algorithm must be 'none', 'mix' or 'xtea', got \"XTEA\"",
    ],
    ['an inherited name for an algorithm', { algorithm: 'toString' }, 'got "toString"'],
    ['null for an algorithm', { algorithm: null }, "algorithm must be 'none', 'mix' or 'xtea', got null"],
    [
      'an option we do not have',
      { secrt: 's' },
      'an option of external IDs must be one of secret, algorithm, prefix, secrets, current (did you mean secret?), got "secrt"',
    ],
    ['null for options', null, 'the options of external IDs must be an object'],
    ['a secret in place of options', 'secret', 'the options of external IDs must be an object'],
  ];
  for (const [title, options, message] of rows) {
    it(title, () => {
      const create = () => createExternalIdCodec(options as ExternalIdOptions);
      expect(create).toThrow(InvalidArgumentError);
      expect(create).toThrow(TypeError);
      expect(create).toThrow(message);
    });
  }

  it('and no error shows the secret', () => {
    for (const secret of ['hunter2\ud800', 31337, ['hunter2']]) {
      let thrown: unknown;
      try {
        createExternalIdCodec({ secret: secret as string });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(InvalidArgumentError);
      const { message, value } = thrown as InvalidArgumentError;
      expect(`${message} ${String(value)}`).not.toMatch(/hunter2|31337/);
    }
  });

  it('but a well-formed pair is fine', () => {
    expect(createExternalIdCodec({ secret: '🌸' }).toExternalId(1n)).toBe(
      createExternalIdCodec({ secret: bytes(0xf0, 0x9f, 0x8c, 0xb8) }).toExternalId(1n),
    );
  });
});
