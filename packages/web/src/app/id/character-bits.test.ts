import { describe, expect, it } from 'vitest';
import { bitsOfCharacters } from './character-bits.js';

describe('the bits of the characters', () => {
  it('of a UUID are four each, and hyphens have none', () => {
    const places = bitsOfCharacters('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', 128);
    expect([places[0], places[7], places[8], places[14], places[35]]).toEqual([
      [0, 4],
      [28, 32],
      undefined,
      [48, 52],
      [124, 128],
    ]);
  });

  it('of a UUID of decimal digits only are the same', () => {
    expect(bitsOfCharacters('11111111-1111-1111-8111-111111111111', 128)[9]).toEqual([32, 36]);
  });

  it('of a ULID are five each, three in the first', () => {
    const places = bitsOfCharacters('01ARZ3NDEKTSV4RRFFQ69G5FAV', 128);
    expect([places[0], places[1], places[25]]).toEqual([
      [0, 3],
      [3, 8],
      [123, 128],
    ]);
  });

  it('of a TypeID begin behind its prefix', () => {
    const places = bitsOfCharacters('user_01h455vb4pex5vsknk084sn02q', 128);
    expect([places[0], places[5], places[6]]).toEqual([undefined, [0, 3], [3, 8]]);
  });

  it('of a number or a base64 text are not told', () => {
    for (const [text, bits] of [
      ['115892101120000263', 64],
      ['9223372036854775807', 64],
      ['AZQfKXwAeqqqqqqqqqqqqg', 128],
      ['dQw4w9WgXcQ', 64],
      ['0', 24],
    ] as const) {
      expect(bitsOfCharacters(text, bits), text).toEqual([]);
    }
  });
});
