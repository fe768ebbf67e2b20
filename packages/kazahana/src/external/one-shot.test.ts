import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KazahanaId } from '../id/index.js';
import {
  createExternalIdCodec,
  type ExternalId,
  type ExternalIdOptions,
  InvalidArgumentError,
  toExternalId,
  toInternalId,
} from './index.js';

describe('the one-shot functions', () => {
  const anyOptions = fc.constantFrom<ExternalIdOptions | undefined>(
    undefined,
    {},
    { algorithm: 'none' },
    { algorithm: 'mix' },
    { secret: 'kazahana' },
    { secret: 'none' },
    { secret: 'mix', algorithm: 'xtea' },
    { secret: Uint8Array.of(0xe9) },
    { secret: 'é' },
  );

  it('give branded types, which are taken as plain ones and not made of them', () => {
    const text: string = toExternalId(42n) satisfies ExternalId;
    const id: bigint = toInternalId(text) satisfies KazahanaId;
    // @ts-expect-error: any text could be one
    const fromText: ExternalId = text;
    // @ts-expect-error: any number could be one
    const fromNumber: KazahanaId = id;
    expect([fromText, fromNumber]).toEqual([text, 42n]);
  });

  it('agree with a codec of the same options', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), anyOptions, (id, options) => {
        const text = createExternalIdCodec(options).toExternalId(id);
        expect(toExternalId(id, options)).toBe(text);
        expect(toInternalId(text, options)).toBe(id);
      }),
    );
  });

  it('notice that the bytes of a secret have changed', () => {
    const secret = Uint8Array.of(1, 2, 3);
    const before = toExternalId(1n, { secret });
    secret[2] = 4;
    expect(toExternalId(1n, { secret })).toBe(toExternalId(1n, { secret: Uint8Array.of(1, 2, 4) }));
    expect(toExternalId(1n, { secret })).not.toBe(before);
    secret[2] = 3;
    expect(toExternalId(1n, { secret })).toBe(before);
  });

  it('give the same with more secrets than they remember', () => {
    const made = Array.from({ length: 200 }, (_, i) => toExternalId(1n, { secret: `secret ${i}` }));
    expect(new Set(made).size).toBe(200);
    made.forEach((text, i) => {
      expect(toInternalId(text, { secret: `secret ${i}` })).toBe(1n);
    });
  });

  it('refuse what a codec refuses, also the second time', () => {
    const wrong: unknown[] = [
      { secret: '' },
      { secret: 'a\ud800' },
      { algorithm: 'xtea' },
      { secret: 's', algorithm: 'mix' },
      // `ids.map(toExternalId)` hands over an index where the options belong.
      0,
    ];
    for (const options of [...wrong, ...wrong]) {
      expect(() => toExternalId(1n, options as ExternalIdOptions)).toThrow(InvalidArgumentError);
      expect(() => toInternalId('AAAAAAAAAAA', options as ExternalIdOptions)).toThrow(InvalidArgumentError);
    }
  });
});
