import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64Url, encodeBase64Url } from './base64url.js';
import { loadId, newBlock, readId } from './block.js';
import { ExternalIdFormatError } from './errors.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const anyId = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

function encode(id: bigint): string {
  const block = newBlock();
  loadId(block, id);
  return encodeBase64Url(block);
}

function decode(text: unknown): bigint {
  const block = newBlock();
  decodeBase64Url(text as string, block);
  return readId(block);
}

function refusal(text: unknown): ExternalIdFormatError {
  try {
    decode(text);
  } catch (error) {
    if (error instanceof ExternalIdFormatError) return error;
    throw error;
  }
  throw new Error(`${String(text)} was accepted`);
}

describe('the text of 64 bits', () => {
  const rows: [id: bigint, text: string][] = [
    [0n, 'AAAAAAAAAAA'],
    [1n, 'AAAAAAAAAAE'],
    [0x0123456789abcdefn, 'ASNFZ4mrze8'],
    [0x00000000ffffffffn, 'AAAAAP____8'],
    [0xffffffff00000000n, '_____wAAAAA'],
    [0xfbefbefbefbefbefn, '----------8'],
    [2n ** 63n - 1n, 'f_________8'],
    [2n ** 64n - 1n, '__________8'],
  ];
  for (const [id, text] of rows) {
    it(`of 0x${id.toString(16)} is ${text}`, () => {
      expect(encode(id)).toBe(text);
      expect(decode(text)).toBe(id);
    });
  }

  it('is the ID in base 64 with two zero bits behind it, whatever the ID', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        let rest = id << 2n;
        let text = '';
        for (let i = 0; i < 11; i++) {
          text = ALPHABET.charAt(Number(rest & 63n)) + text;
          rest >>= 6n;
        }
        expect(encode(id)).toBe(text);
        expect(decode(text)).toBe(id);
      }),
    );
  });
});

describe('decoding refuses', () => {
  const rows: [
    title: string,
    text: unknown,
    problem: string,
    position: number | undefined,
    message: string,
  ][] = [
    ['no string', 81985529216486895n, 'NOT_A_STRING', undefined, 'a string of 11 characters, got 81985529'],
    ['undefined', undefined, 'NOT_A_STRING', undefined, 'got undefined'],
    ['null', null, 'NOT_A_STRING', undefined, 'got null'],
    ['a list that reads like one', ['ASNFZ4mrze8'], 'NOT_A_STRING', undefined, 'got an'],
    ['a String object', Object('ASNFZ4mrze8'), 'NOT_A_STRING', undefined, 'got an'],
    ['the empty string', '', 'LENGTH', undefined, '11 characters long, got 0 characters: ""'],
    ['ten characters', 'ASNFZ4mrze', 'LENGTH', undefined, 'got 10 characters: "ASNFZ4mrze"'],
    ['twelve characters', 'ASNFZ4mrze8A', 'LENGTH', undefined, 'got 12 characters'],
    ['padding', 'ASNFZ4mrze8=', 'LENGTH', undefined, 'got 12 characters'],
    ['a space around', 'ASNFZ4mrze8 ', 'LENGTH', undefined, 'got 12 characters'],
    ['plus', 'AS+FZ4mrze8', 'CHARACTER', 2, 'got "+" at position 2 of "AS+FZ4mrze8"'],
    ['slash', '/SNFZ4mrze8', 'CHARACTER', 0, 'made of A–Z, a–z, 0–9, - and _, got "/" at position 0'],
    ['padding inside', 'ASNFZ4mrze=', 'CHARACTER', 10, 'got "=" at position 10'],
    ['a NUL', 'ASNFZ\0mrze8', 'CHARACTER', 5, 'got "\\u0000" at position 5'],
    ['a line break', 'ASNFZ4mrze\n', 'CHARACTER', 10, 'got "\\n" at position 10'],
    ['the first of two', 'A?NF?4mrze8', 'CHARACTER', 1, 'got "?" at position 1'],
    ['a full-width letter', 'ASNFＡ4mrze8', 'CHARACTER', 4, 'got "Ａ" at position 4'],
    // 0xC1 is 'A' plus 128, 0x141 is 'A' plus 256: what a table without a bounds check would take for an A.
    ['A plus 128', '\u00c1SNFZ4mrze8', 'CHARACTER', 0, 'at position 0'],
    ['A plus 256', '\u0141SNFZ4mrze8', 'CHARACTER', 0, 'at position 0'],
    ['an emoji', 'ASNF❄️mrze8', 'CHARACTER', 4, 'at position 4'],
    ['a character of two units', 'ASNF𝔸4mrze', 'CHARACTER', 4, 'got "𝔸" at position 4'],
    ['a lone surrogate', 'ASNF\ud8354mrze8', 'CHARACTER', 4, 'at position 4'],
    ['a spare bit', 'ASNFZ4mrze9', 'SPARE_BITS', 10, 'ended by one of AEIMQUYcgkosw048'],
  ];
  for (const [title, text, problem, position, message] of rows) {
    it(title, () => {
      const error = refusal(text);
      expect(error).toMatchObject({
        name: 'ExternalIdFormatError',
        code: 'EXTERNAL_ID_FORMAT',
        problem,
        value: text,
      });
      expect(error.position).toBe(position);
      expect(error.message).toContain(message);
      expect(error.message).toContain(error.allowed);
    });
  }

  it('every character outside the alphabet, at every position', () => {
    for (let position = 0; position < 11; position++) {
      for (let code = 0; code < 0x250; code++) {
        const character = String.fromCharCode(code);
        if (ALPHABET.includes(character)) continue;
        const text = `${'A'.repeat(position)}${character}${'A'.repeat(10 - position)}`;
        expect(refusal(text).position).toBe(position);
      }
    }
  });

  it('three of the four strings that would name one ID', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const text = encode(id);
        const last = ALPHABET.indexOf(text.charAt(10));
        expect(last % 4).toBe(0);
        for (const spare of [1, 2, 3]) {
          const alias = text.slice(0, 10) + ALPHABET.charAt(last + spare);
          expect(refusal(alias)).toMatchObject({ problem: 'SPARE_BITS', position: 10 });
        }
      }),
    );
  });

  it('whatever it does not give back letter for letter', () => {
    const letters = fc.constantFrom(...ALPHABET, '+', '/', '=', ' ', '\u0141');
    fc.assert(
      fc.property(fc.array(letters, { minLength: 9, maxLength: 13 }), (characters) => {
        const text = characters.join('');
        let id: bigint;
        try {
          id = decode(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ExternalIdFormatError);
          return;
        }
        expect(encode(id)).toBe(text);
      }),
    );
  });

  it('without touching the block', () => {
    const block = newBlock();
    loadId(block, 42n);
    expect(() => decodeBase64Url('ASNFZ4mrze9', block)).toThrow(ExternalIdFormatError);
    expect(readId(block)).toBe(42n);
  });
});
