import fc from 'fast-check';
import { formatUuid } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { integerOf, readId } from './read-id.js';

const words = new Uint32Array(4);
/** The bits and the value that a line reads as; undefined when it is no ID. */
function read(text: string): [bits: number, value: bigint] | undefined {
  // Somewhere within a larger portion, as lines are.
  const bytes = new TextEncoder().encode(`x${text}5`);
  const bits = readId(bytes, 1, bytes.length - 1, words);
  return bits === 0 ? undefined : [bits, integerOf(words, bits)];
}

describe('an ID on a line', () => {
  it('is a number below 2^64, as BigInt reads it', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (value) => {
        expect(read(String(value))).toEqual([64, value]);
      }),
    );
    expect(read('0')).toEqual([64, 0n]);
    expect(read('00000000000000000007')).toEqual([64, 7n]);
    expect(read('18446744073709551615')).toEqual([64, 2n ** 64n - 1n]);
  });

  it('is no number from 2^64 on', () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 64n, 10n ** 21n), (value) => {
        expect(read(String(value))).toBeUndefined();
      }),
    );
  });

  it('is a UUID in any form', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const property = fc.property(
      bytes,
      fc.boolean(),
      fc.boolean(),
      fc.nat(2),
      (drawn, upper, bare, wrapping) => {
        const uuid = formatUuid(drawn);
        const value = BigInt(`0x${uuid.replaceAll('-', '')}`);
        const body = bare ? uuid.replaceAll('-', '') : uuid;
        const cased = upper ? body.toUpperCase() : body;
        const text = [cased, `{${cased}}`, `urn:uuid:${cased}`][wrapping] ?? '';
        expect(read(text)).toEqual([128, value]);
      },
    );
    fc.assert(property);
  });

  for (const text of [
    ...['', ' ', '-1', '1.5', '0x10', '1e5', '12345678901234567890123', '٣', 'abc', '1 '],
    '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaag',
    '01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa',
    '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa',
    '{01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa)',
    '-1941f297c007aaaaaaaaaaaaaaaaaaa',
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => expect(read(text)).toBeUndefined());
  }
});
