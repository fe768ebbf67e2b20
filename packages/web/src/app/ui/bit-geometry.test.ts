import { conversationIdLayout, uuidV4Layout, uuidV7Layout } from 'kazahana/layout';
import { describe, expect, it } from 'vitest';
import { CELL, columnsFor, geometryOf, pairGeometry } from './bit-geometry.js';

const v7 = uuidV7Layout.describe(0x01941f297c007aaaaaaaaaaaaaaaaaaan);

describe('the picture of a v7', () => {
  for (const columns of [32, 16, 8]) {
    it(`at ${columns} bits a row covers each bit with one piece, once`, () => {
      const { bits, pieces } = geometryOf(v7, 128, columns);
      for (const { x, y } of bits) {
        const over = pieces.filter((piece) => piece.y === y && x >= piece.x && x < piece.x + piece.width);
        expect(over.length).toBe(1);
      }
    });
  }

  it('has 32 hex digits above 4 bits each', () => {
    const { hex } = geometryOf(v7, 128, 32);
    expect(hex.map(({ from, to }) => [from, to])).toEqual(
      Array.from({ length: 32 }, (_, i) => [4 * i, 4 * i + 4]),
    );
  });
});

describe('the picture of two IDs', () => {
  const v4 = uuidV4Layout.describe(0x2468843840e140d0997e084cfc8992c7n);
  for (const [what, other, labels] of [
    ['one kind', v7, 0],
    ['two kinds', v4, v7.length],
  ] as const) {
    it(`of ${what} has each bit right above the other, and nothing else meets`, () => {
      const [upper, lower] = pairGeometry([v7, other], 128, 32);
      expect([upper.height, upper.width]).toEqual([lower.height, lower.width]);
      for (const [index, { x, y }] of upper.bits.entries())
        expect(lower.bits[index]).toEqual({ x, y: y + CELL.height + 2 });
      expect(upper.labels.length).toBe(labels);
      const rows = new Set([...upper.bits, ...lower.bits].map(({ y }) => y));
      const texts = [...upper.labels, ...upper.hex, ...lower.labels, ...lower.hex];
      // A text stands on its y, and is no higher than ten pixels.
      for (const text of texts)
        for (const y of rows) expect(text.y <= y || text.y - 10 >= y + CELL.height - 1).toBe(true);
      expect(Math.max(...texts.map(({ y }) => y))).toBeLessThanOrEqual(upper.height);
      expect(Math.min(...texts.map(({ y }) => y))).toBeGreaterThanOrEqual(10);
    });
  }
});

it('labels never meet', () => {
  const fields = conversationIdLayout.describe(8786953);
  const { labels } = geometryOf(fields, 24, 24);
  for (const a of labels) {
    for (const b of labels) {
      if (a === b || a.y !== b.y || a.x > b.x) continue;
      expect(a.x + a.text.length * 6.4).toBeLessThanOrEqual(b.x);
    }
  }
});

it('cells stay wide enough to hit, whatever the width', () => {
  for (const pixels of [272, 400, 600, 800, 1200]) {
    const columns = columnsFor(pixels, 128);
    expect(pixels / columns).toBeGreaterThanOrEqual(24);
  }
  expect(columnsFor(1000, 7)).toBe(7);
  expect(CELL.width).toBeGreaterThanOrEqual(24);
});
