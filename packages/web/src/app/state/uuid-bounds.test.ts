import { describe, expect, it } from 'vitest';
import { boundsAt, readTime } from './uuid-bounds.js';

describe('a time that a person writes', () => {
  const rows: [text: string, unixMs: number | undefined][] = [
    ['2025-01-01', 1_735_689_600_000],
    ['2025-01-01 00:00', 1_735_689_600_000],
    ['2025-01-01T09:00:00.000+09:00', 1_735_689_600_000],
    ['2025-01-01T00:00:00Z', 1_735_689_600_000],
    ['1735689600000', 1_735_689_600_000],
    ['2025-02-30', undefined],
    ['2025-13-01', undefined],
    ['yesterday', undefined],
    ['', undefined],
    ['1', undefined],
  ];
  for (const [text, unixMs] of rows) it(text || '(nothing)', () => expect(readTime(text)).toBe(unixMs));
});

describe('the bounds of an instant', () => {
  it('of v7', () => {
    expect(boundsAt('v7', '2025-01-01')).toEqual({
      bounds: {
        lowest: '01941f29-7c00-7000-8000-000000000000',
        highest: '01941f29-7c00-7fff-bfff-ffffffffffff',
      },
    });
  });

  it('of v7, for a time that 48 bits do not hold', () => {
    expect(boundsAt('v7', '1969-12-31')).toEqual({ problem: 'range' });
    expect(boundsAt('v7', '281474976710656')).toEqual({ problem: 'range' });
  });

  it('of kazahana IDs, which begin with 2026', () => {
    expect(boundsAt('kazahana', '2026-01-01')).toEqual({ bounds: { lowest: '0', highest: '4194303' } });
    expect(boundsAt('kazahana', '2025-01-01')).toEqual({ problem: 'range' });
  });

  it('of nothing', () => expect(boundsAt('v7', 'soon')).toEqual({ problem: 'time' }));
});
