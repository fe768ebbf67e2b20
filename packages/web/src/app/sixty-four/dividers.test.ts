import fc from 'fast-check';
import { DEFAULT_ID_LAYOUT, kazahanaIdLayout } from 'kazahana/layout';
import { describe, expect, it } from 'vitest';
import { DIVIDERS, isAllowed, moveDivider, placeOf } from './dividers.js';
import { PRESETS } from './layout-design.js';

describe('a divider', () => {
  it('moves bits to the neighbour', () => {
    expect(moveDivider(DEFAULT_ID_LAYOUT, 2, -2)).toMatchObject({ bitTs: 41, bitId: 12, bitSeq: 10 });
    expect(moveDivider(DEFAULT_ID_LAYOUT, 1, 1)).toMatchObject({ bitTs: 42, bitId: 13, bitSeq: 8 });
  });

  it('goes as far as it may, and no further', () => {
    expect(moveDivider(DEFAULT_ID_LAYOUT, 0, -5)).toEqual(DEFAULT_ID_LAYOUT);
    expect(moveDivider(DEFAULT_ID_LAYOUT, 2, 100)).toMatchObject({ bitId: 21, bitSeq: 1 });
    expect(moveDivider(DEFAULT_ID_LAYOUT, 1, -100)).toMatchObject({ bitTs: 32, bitId: 23 });
  });

  it('stands behind the bits before it', () => {
    expect(DIVIDERS.map((divider) => placeOf(DEFAULT_ID_LAYOUT, divider))).toEqual([1, 42, 56]);
  });

  it('never breaks a layout, however it is moved', () => {
    const moves = fc.array(fc.tuple(fc.constantFrom(...DIVIDERS), fc.integer({ min: -70, max: 70 })));
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(PRESETS)), moves, (start, steps) => {
        const layout = steps.reduce((before, [divider, by]) => moveDivider(before, divider, by), start);
        expect(isAllowed(layout)).toBe(true);
        // The library says the same.
        expect(kazahanaIdLayout(layout).bits).toBe(64);
      }),
    );
  });
});

it('what is allowed here is what the library allows', () => {
  const layouts = fc.record({
    customEpoch: fc.oneof(fc.integer({ min: 0, max: 9e15 }), fc.constant(1767225600000)),
    bitReserve: fc.integer({ min: 0, max: 34 }),
    bitTs: fc.integer({ min: 0, max: 54 }),
    bitId: fc.integer({ min: 0, max: 31 }),
    bitSeq: fc.integer({ min: 0, max: 31 }),
  });
  const summed = layouts.map((layout) => ({
    ...layout,
    bitReserve: 64 - layout.bitTs - layout.bitId - layout.bitSeq,
  }));
  fc.assert(
    fc.property(fc.oneof(layouts, summed), (layout) => {
      const isRefused = (() => {
        try {
          kazahanaIdLayout(layout);
          return false;
        } catch {
          return true;
        }
      })();
      expect(isAllowed(layout)).toBe(!isRefused);
    }),
  );
});
