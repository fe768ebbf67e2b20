import { describe, expect, it } from 'vitest';
import { relativeTime } from './index.js';

const NOW = Date.UTC(2026, 10, 16);

describe('relativeTime', () => {
  const rows: [ms: number, value: number, unit: string][] = [
    [0, 0, 'second'],
    [-59_999, -59, 'second'],
    [-60_000, -1, 'minute'],
    [3_600_000, 1, 'hour'],
    [-86_400_000 * 40, -1, 'month'],
    [86_400_000 * 800, 2, 'year'],
  ];
  for (const [ms, value, unit] of rows) {
    it(`${ms} ms: ${value} ${unit}`, () => {
      const relative = relativeTime(NOW + ms, NOW);
      expect([Math.abs(relative.value), relative.unit]).toEqual([Math.abs(value), unit]);
      expect(Math.sign(relative.value)).toBe(Math.sign(value));
    });
  }
});
