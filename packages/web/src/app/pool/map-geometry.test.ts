import { describe, expect, it } from 'vitest';
import { croppedSlots, following, mapOf, moveBy, slotAt, zoomed } from './map-geometry.js';

const all = (slots: number) => ({ from: 0, slots });

describe('the map', () => {
  it('of the default pool has a cell for each of its 8,192 numbers', () => {
    expect(mapOf(all(8192))).toEqual({ from: 0, columns: 128, rows: 64, cells: 8192, perCell: 1 });
  });

  it('of a small pool has large cells, of a huge one several numbers to a cell', () => {
    expect(mapOf(all(128))).toEqual({ from: 0, columns: 32, rows: 4, cells: 128, perCell: 1 });
    expect(mapOf(all(2 ** 20))).toMatchObject({ cells: 8192, perCell: 128 });
    expect(mapOf(all(320), true)).toEqual({ from: 0, columns: 32, rows: 10, cells: 320, perCell: 1 });
    expect(mapOf(all(1))).toEqual({ from: 0, columns: 1, rows: 1, cells: 1, perCell: 1 });
  });

  it('is cropped to what is used, with room to grow, and never wider than the pool', () => {
    expect([0, 1, 63, 64, 278, 8192].map((used) => croppedSlots(used, 8192))).toEqual([
      64, 64, 64, 128, 320, 8192,
    ]);
    expect(croppedSlots(3, 4)).toBe(4);
  });

  it('is zoomed around a number, to no fewer than 64 and no more than all', () => {
    expect(zoomed(all(512), 'in', 300, 512)).toEqual({ from: 192, slots: 256 });
    expect(zoomed({ from: 192, slots: 256 }, 'in', 300, 512)).toEqual({ from: 256, slots: 128 });
    expect(zoomed({ from: 0, slots: 64 }, 'in', 5, 512)).toEqual({ from: 0, slots: 64 });
    expect(zoomed({ from: 256, slots: 128 }, 'out', 511, 512)).toEqual({ from: 256, slots: 256 });
    expect(zoomed({ from: 0, slots: 320 }, 'out', 0, 512)).toEqual(all(512));
    expect(zoomed(all(4), 'in', 0, 4)).toEqual(all(4));
  });

  it('follows a number that leaves the part in view', () => {
    const part = { from: 128, slots: 64 };
    expect(following(part, 128, 512)).toBe(part);
    expect(following(part, 192, 512)).toEqual({ from: 192, slots: 64 });
    expect(following(part, 5, 512)).toEqual({ from: 0, slots: 64 });
    // The pool has become smaller.
    expect(following(part, 130, 150)).toEqual({ from: 86, slots: 64 });
  });

  it('finds the number under a point, and none beside it', () => {
    const map = mapOf(all(128));
    expect(slotAt(map, 0, 0)).toBe(0);
    expect(slotAt(map, 0.999, 0.999)).toBe(127);
    expect(slotAt(map, 0, 0.26)).toBe(32);
    expect(slotAt(mapOf({ from: 64, slots: 128 }), 0, 0.26)).toBe(96);
    expect(slotAt(map, 1, 0)).toBeUndefined();
    expect(slotAt(map, 0, -0.1)).toBeUndefined();
  });

  it('is walked by keys, and never left', () => {
    const map = mapOf(all(128));
    expect(moveBy('ArrowRight', 0, 128, map)).toBe(1);
    expect(moveBy('ArrowDown', 5, 128, map)).toBe(37);
    expect(moveBy('ArrowUp', 5, 128, map)).toBe(0);
    expect(moveBy('End', 5, 128, map)).toBe(127);
    expect(moveBy('x', 5, 128, map)).toBeUndefined();
  });
});
