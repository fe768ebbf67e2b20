import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT, LIB_DEFAULT_EPOCH, maxIdAt } from '../id/index.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { createExternalIdCodec, type ExternalIdOptions, type ParseOptions } from './index.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const NOON = Date.parse('2026-11-18T12:00:00Z');
const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const codecs = {
  none: createExternalIdCodec({ algorithm: 'none' }),
  mix: createExternalIdCodec(),
  xtea: createExternalIdCodec({ secret: 'kazahana' }),
  typed: createExternalIdCodec({ prefix: 'user', secret: 'kazahana' }),
  rotated: createExternalIdCodec({ secret: 'old', secrets: { a: 'alpha', b: 'beta' }, current: 'b' }),
};

describe('parse', () => {
  for (const [name, codec] of Object.entries(codecs)) {
    it(`gives the IDs that can exist by a time, and no others, with ${name}`, () => {
      const highest = maxIdAt(NOON);
      expect(codec.parse(codec.toExternalId(highest), { notAfter: NOON })).toBe(highest);
      expect(codec.parse(codec.toExternalId(highest), { notAfter: new Date(NOON) })).toBe(highest);
      expect(codec.parse(codec.toExternalId(highest + 1n), { notAfter: NOON })).toBeUndefined();
      expect(codec.parse(codec.toExternalId(0n), { notAfter: NOON })).toBe(0n);
      fc.assert(
        fc.property(anyId, (id) => {
          const text = codec.toExternalId(id);
          expect(codec.parse(text, { notAfter: NOON })).toBe(id <= highest ? id : undefined);
        }),
      );
    });

    it(`never throws, whatever the text, with ${name}`, () => {
      const anything = fc.oneof(
        fc.anything(),
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ minLength: 11, maxLength: 11 }),
        anyId.map(codec.toExternalId),
        anyId.map((id) => codec.toExternalId(id).slice(1)),
      );
      fc.assert(
        fc.property(anything, (text) => {
          const id = codec.parse(text);
          if (id !== undefined) expect(codec.toInternalId(text as string)).toBe(id);
        }),
      );
    });
  }

  it('refuses an ID whose time is more than a minute from now', () => {
    const { parse, toExternalId } = codecs.mix;
    const now = Date.now();
    for (const ahead of [-3_600_000, 0, 50_000]) {
      expect(parse(toExternalId(maxIdAt(now + ahead)))).toBe(maxIdAt(now + ahead));
    }
    expect(parse(toExternalId(maxIdAt(now + 3_600_000)))).toBeUndefined();
  });

  it('reads the layout of a pool: its epoch, its reserve, its widths', () => {
    const { parse, toExternalId } = codecs.xtea;
    const layouts = [
      { customEpoch: Date.parse('2020-01-01') },
      { bitReserve: 11, bitTs: 41, bitId: 6, bitSeq: 6 },
      { bitReserve: 1, bitTs: 38, bitId: 15, bitSeq: 10 },
    ];
    for (const layout of layouts) {
      const highest = maxIdAt(NOON, layout);
      expect(parse(toExternalId(highest), { layout, notAfter: NOON })).toBe(highest);
      expect(parse(toExternalId(highest + 1n), { layout, notAfter: NOON })).toBeUndefined();
    }
  });

  it('lets nothing through before the epoch, and no reserve bit after the end', () => {
    const { parse, toExternalId } = codecs.none;
    expect(parse(toExternalId(0n), { notAfter: LIB_DEFAULT_EPOCH - 1 })).toBeUndefined();
    expect(parse(toExternalId(0n), { notAfter: LIB_DEFAULT_EPOCH })).toBe(0n);
    const end = { notAfter: Number.MAX_SAFE_INTEGER };
    expect(parse(toExternalId(2n ** 63n - 1n), end)).toBe(2n ** 63n - 1n);
    expect(parse(toExternalId(2n ** 63n), end)).toBeUndefined();
  });

  const wrong: [options: unknown, message: string][] = [
    [5, 'the options of parse must be an object, got 5'],
    [{ notafter: 5 }, 'must be one of layout, notAfter (did you mean notAfter?), got "notafter"'],
    [{ notAfter: 'tomorrow' }, 'time must be a valid Date or whole Unix milliseconds, got "tomorrow"'],
    [{ notAfter: new Date('tomorrow') }, 'time must be a valid Date'],
    [{ notAfter: NOON + 0.5 }, 'time must be a valid Date'],
    [{ layout: { bitTs: 40 } }, 'must be an integer from 64 to 64, got 63'],
  ];
  for (const [options, message] of wrong) {
    it(`refuses the options ${JSON.stringify(options)}, whatever the text`, () => {
      for (const text of ['AAAAAAAAAAA', 'nonsense']) {
        const parse = () => codecs.none.parse(text, options as ParseOptions);
        expect(parse).toThrow(message);
      }
    });
  }
});

describe('made-up texts', () => {
  const TEXTS = 100_000;

  /** Texts of characters that are all in the alphabet: the best that a stranger can guess without knowing more. */
  function* madeUp(seed: number): Generator<string> {
    const { random } = virtualEnvironment({ seed });
    for (let i = 0; i < TEXTS; i++) {
      yield Array.from(random(new Uint8Array(11)), (byte) => ALPHABET.charAt(byte & 63)).join('');
    }
  }

  /** What docs/external-ids.md computes: spare bits, reserve bits, and times that have not come yet. */
  function share(notAfter: number): number {
    const { customEpoch, bitReserve, bitTs } = DEFAULT_ID_LAYOUT;
    return 2 ** -2 * 2 ** -bitReserve * ((notAfter + 1 - customEpoch) / 2 ** bitTs);
  }

  const rows: [algorithm: string, options: ExternalIdOptions, notAfter: string][] = [
    ['none', { algorithm: 'none' }, '2026-11-18T12:00:00Z'],
    ['mix', {}, '2026-11-18T12:00:00Z'],
    ['xtea', { secret: 'kazahana' }, '2026-11-18T12:00:00Z'],
    ['xtea', { secret: 'kazahana' }, '2060-01-01T00:00:00Z'],
  ];
  for (const [index, [algorithm, options, time]] of rows.entries()) {
    it(`pass as rarely as computed, and never from 2^63, with ${algorithm} at ${time}`, () => {
      const { parse } = createExternalIdCodec(options);
      const notAfter = Date.parse(time);
      let passed = 0;
      for (const text of madeUp(index)) {
        const id = parse(text, { notAfter });
        if (id === undefined) continue;
        passed += 1;
        expect(id).toBeLessThan(2n ** 63n);
      }
      const expected = TEXTS * share(notAfter);
      expect(Math.abs(passed - expected)).toBeLessThan(4 * Math.sqrt(expected));
    });
  }
});
