import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UuidPage, writeUuid, writeUuids } from './page.js';

type Words = [a: number, b: number, c: number, d: number];

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uuid: fc.Arbitrary<Words> = fc.tuple(word, word, word, word);

/** The plain twin: the same text by way of numbers as text. */
function plainText([a, b, c, d]: Words): string {
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
  const withVariant = hex((c & 0x3fffffff) | 0x80000000);
  return (hex(a) + hex(b) + withVariant + hex(d)).replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    '$1-$2-$3-$4-$5',
  );
}

const write = ([a, b, c, d]: Words, n: number) => writeUuid(n, a, b, c, d);

describe('a page', () => {
  it('gives what was written, in order, as a plain conversion would write it', () => {
    const page = new UuidPage();
    fc.assert(
      fc.property(fc.array(uuid, { minLength: 1, maxLength: 16 }), (uuids) => {
        uuids.forEach(write);
        page.render(uuids.length);
        expect(uuids.map(() => page.take())).toEqual(uuids.map(plainText));
        expect(page.isEmpty).toBe(true);
      }),
    );
  });

  it('writes several that share a word, each with one more in the next', () => {
    const page = new UuidPage();
    const twoWords = fc.tuple(word, word);
    fc.assert(
      fc.property(word, word, fc.array(twoWords, { minLength: 1, maxLength: 16 }), (a, b, tails) => {
        const first = b & ~0xf;
        const words = Int32Array.of(9, ...tails.flat());
        writeUuids(tails.length, a, first, words, 1);
        page.render(tails.length);
        const plain = tails.map(([c, d], i) => plainText([a, first + i, c, d]));
        expect(tails.map(() => page.take())).toEqual(plain);
      }),
    );
  });

  it('forgets what was left when the next one is rendered', () => {
    const page = new UuidPage();
    const texts: Words[] = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ];
    texts.forEach(write);
    page.render(2);
    page.take();
    page.render(1);
    expect(page.take()).toBe(plainText([1, 2, 3, 4]));
    expect(page.isEmpty).toBe(true);
    page.render(0);
    expect(page.isEmpty).toBe(true);
  });

  it('doubles from one to sixteen', () => {
    const page = new UuidPage();
    const sizes = Array.from({ length: 6 }, () => {
      const { size } = page;
      page.render(size);
      return size;
    });
    expect(sizes).toEqual([1, 2, 4, 8, 16, 16]);
  });
});
