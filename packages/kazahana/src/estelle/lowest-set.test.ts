import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LowestSet } from './lowest-set.js';

const member = fc.integer({ min: 0, max: 60 });
const step = fc.record({ add: fc.boolean(), member });

describe('a set that knows its lowest member', () => {
  it('is empty at first', () => {
    const set = new LowestSet();
    expect([set.size, set.lowest, [...set]]).toEqual([0, undefined, []]);
    expect(set.delete(1)).toBe(false);
  });

  it('holds what a plain set holds, and knows the lowest, after any steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const set = new LowestSet();
        const model = new Set<number>();
        for (const { add, member } of steps) {
          if (add) {
            set.add(member);
            model.add(member);
          } else {
            expect(set.delete(member)).toBe(model.delete(member));
          }
          expect(set.lowest).toBe(model.size === 0 ? undefined : Math.min(...model));
          expect(set.size).toBe(model.size);
          expect(set.has(member)).toBe(model.has(member));
        }
        expect(new Set(set)).toEqual(model);
      }),
    );
  });

  it('keeps its order when the leaf that fills a hole belongs above it', () => {
    // 11 leaves from under 10, and the last leaf, 4, comes from another branch into its place.
    const set = new LowestSet();
    for (const member of [1, 10, 2, 11, 12, 3, 4]) set.add(member);
    for (const member of [11, 1, 2, 3]) set.delete(member);
    expect(set.lowest).toBe(4);
  });

  it('gives its members up in order, also after some left from the middle', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { maxLength: 100 }), fc.nat(), (members, seed) => {
        const set = new LowestSet();
        for (const member of members) set.add(member);
        const leaving = members.filter((_, i) => (i * 7 + seed) % 3 === 0);
        for (const member of leaving) set.delete(member);
        const left = members.filter((member) => !leaving.includes(member)).sort((a, b) => a - b);
        const given: number[] = [];
        for (let lowest = set.lowest; lowest !== undefined; lowest = set.lowest) {
          given.push(lowest);
          set.delete(lowest);
        }
        expect(given).toEqual(left);
      }),
    );
  });
});
