import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareUuid, formatUuid, UuidFormatError, uuidToBytes } from './index.js';

const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

/** Every accepted way of writing a UUID. */
const FORMS: readonly ((uuid: string) => string)[] = [
  (uuid) => uuid,
  (uuid) => uuid.toUpperCase(),
  (uuid) => uuid.replaceAll('-', ''),
  (uuid) => `{${uuid}}`,
  (uuid) => `{${uuid.replaceAll('-', '')}}`,
  (uuid) => `urn:uuid:${uuid}`,
  (uuid) => `URN:UUID:${uuid.replaceAll('-', '')}`,
];

describe('formatUuid and uuidToBytes', () => {
  it('write and read the bytes in network order', () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i * 17);
    expect(formatUuid(bytes)).toBe('00112233-4455-6677-8899-aabbccddeeff');
    expect(uuidToBytes('00112233-4455-6677-8899-AABBCCDDEEFF')).toEqual(bytes);
  });

  it('undo each other, for any 128 bits and any form', () => {
    fc.assert(
      fc.property(sixteenBytes, fc.constantFrom(...FORMS), (bytes, form) => {
        expect(uuidToBytes(form(formatUuid(bytes)))).toEqual(bytes);
      }),
    );
  });

  it('fill and return a given target', () => {
    const target = new Uint8Array(16);
    expect(uuidToBytes('ffffffff-ffff-ffff-ffff-ffffffffffff', target)).toBe(target);
    expect(target).toEqual(new Uint8Array(16).fill(255));
  });

  it('leave the target as it was when the text is wrong', () => {
    const target = new Uint8Array(16).fill(7);
    expect(() => uuidToBytes('00112233-4455-6677-8899-aabbccddeefg', target)).toThrow(UuidFormatError);
    expect(target).toEqual(new Uint8Array(16).fill(7));
  });

  for (const value of [
    new Uint8Array(15),
    new Uint8Array(17),
    new Array(16).fill(0),
    new ArrayBuffer(16),
    null,
  ]) {
    it(`refuse ${Object.prototype.toString.call(value)} that is not 16 bytes`, () => {
      expect(() => formatUuid(value as Uint8Array)).toThrow('bytes must be a Uint8Array of 16 bytes');
      expect(() => uuidToBytes('00112233-4455-6677-8899-aabbccddeeff', value as Uint8Array)).toThrow(
        TypeError,
      );
    });
  }

  it('name the fault and its place', () => {
    const read = () => uuidToBytes('00112233-4455-6677-8899-aabbccddeefg');
    expect(read).toThrow(
      'not a UUID: "00112233-4455-6677-8899-aabbccddeefg": no hexadecimal digit, found "g" at index 35',
    );
    expect(() => uuidToBytes(5 as unknown as string)).toThrow('a UUID is a string, got 5');
  });
});

describe('compareUuid', () => {
  it('orders as 128-bit numbers, whatever the form', () => {
    const form = fc.constantFrom(...FORMS);
    fc.assert(
      fc.property(sixteenBytes, sixteenBytes, form, form, (a, b, formA, formB) => {
        const number = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
        const expected = number(a) < number(b) ? -1 : number(a) > number(b) ? 1 : 0;
        expect(compareUuid(formA(formatUuid(a)), formB(formatUuid(b)))).toBe(expected);
        expect(compareUuid(formA(formatUuid(a)), formB(formatUuid(a)))).toBe(0);
      }),
    );
  });

  it('takes Nil and Max', () => {
    expect(compareUuid('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe(
      -1,
    );
  });

  it('refuses what is no UUID, on either side', () => {
    expect(() => compareUuid('x', '00000000-0000-0000-0000-000000000000')).toThrow(UuidFormatError);
    expect(() => compareUuid('00000000-0000-0000-0000-000000000000', 'x')).toThrow(UuidFormatError);
  });
});
