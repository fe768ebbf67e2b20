import { describe, expect, it } from 'vitest';
import { boundsAt } from './bounds.js';

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
