import { describe, expect, it } from 'vitest';
import { croppedSlots, mapOf, moveBy, slotAt } from './map-geometry.js';

describe('the map', () => {
  it('of the default pool has a cell for each of its 8,192 numbers', () => {
    expect(mapOf(8192)).toEqual({ columns: 128, rows: 64, cells: 8192, perCell: 1 });
  });

  it('of a small pool has large cells, of a huge one several numbers to a cell', () => {
    expect(mapOf(128)).toEqual({ columns: 32, rows: 4, cells: 128, perCell: 1 });
    expect(mapOf(2 ** 20)).toMatchObject({ cells: 8192, perCell: 128 });
    expect(mapOf(320, true)).toEqual({ columns: 32, rows: 10, cells: 320, perCell: 1 });
    expect(mapOf(1)).toEqual({ columns: 1, rows: 1, cells: 1, perCell: 1 });
  });

  it('is cropped to what is used, with room to grow, and never wider than the pool', () => {
    expect([0, 1, 63, 64, 278, 8192].map((used) => croppedSlots(used, 8192))).toEqual([
      64, 64, 64, 128, 320, 8192,
    ]);
    expect(croppedSlots(3, 4)).toBe(4);
  });

  it('finds the number under a point, and none beside it', () => {
    const map = mapOf(128);
    expect(slotAt(map, 0, 0)).toBe(0);
    expect(slotAt(map, 0.999, 0.999)).toBe(127);
    expect(slotAt(map, 0, 0.26)).toBe(32);
    expect(slotAt(map, 1, 0)).toBeUndefined();
    expect(slotAt(map, 0, -0.1)).toBeUndefined();
  });

  it('is walked by keys, and never left', () => {
    const map = mapOf(128);
    expect(moveBy('ArrowRight', 0, 128, map)).toBe(1);
    expect(moveBy('ArrowDown', 5, 128, map)).toBe(37);
    expect(moveBy('ArrowUp', 5, 128, map)).toBe(0);
    expect(moveBy('End', 5, 128, map)).toBe(127);
    expect(moveBy('x', 5, 128, map)).toBeUndefined();
  });
});
