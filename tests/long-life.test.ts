// Whether `npm run long-life` would notice what grows; the lives themselves take minutes.
import { describe, expect, it } from 'vitest';
import { isFlat, quarters, type Sample } from './long-life/samples.ts';

const lifeOf = (records: (i: number) => number): Sample[] =>
  Array.from({ length: 40 }, (_, i) => ({ at: i, heap: 1e7, handles: 5, renewals: i, records: records(i) }));

describe('the second half of a life', () => {
  it('is flat when it stays where it is, moves about, or falls', () => {
    expect(
      isFlat(
        lifeOf(() => 500),
        'records',
      ),
    ).toBe(true);
    expect(
      isFlat(
        lifeOf((i) => 500 + 40 * (i % 2)),
        'records',
      ),
    ).toBe(true);
    expect(
      isFlat(
        lifeOf((i) => 1000 - i),
        'records',
      ),
    ).toBe(true);
    // What grows at first, as a pool that fills.
    expect(
      isFlat(
        lifeOf((i) => 50 * Math.min(i, 15)),
        'records',
      ),
    ).toBe(true);
  });

  it('is not when it goes on growing: a row for each renewal, a hundred bytes for each', () => {
    expect(
      isFlat(
        lifeOf((i) => 500 + 20 * i),
        'records',
      ),
    ).toBe(false);
    const leaking = lifeOf(() => 1).map((sample, i) => ({ ...sample, heap: 1e7 + 100 * 2000 * i }));
    expect(isFlat(leaking, 'heap')).toBe(false);
    expect(quarters(leaking, 'heap')).toEqual([1e7 + 200_000 * 25, 1e7 + 200_000 * 35]);
  });
});
