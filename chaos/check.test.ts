// One violation of each kind, planted into a small run without any.
import { type IdLayout, LIB_DEFAULT_EPOCH, minIdAt } from 'kazahana';
import { describe, expect, it } from 'vitest';
import { check, type Maker, type Violation } from './check.ts';
import { windowsOf } from './records.ts';

const LAYOUT: IdLayout = { customEpoch: LIB_DEFAULT_EPOCH, bitReserve: 1, bitTs: 41, bitId: 5, bitSeq: 17 };
const HALF = 2 ** (LAYOUT.bitId - 1);
const START = LIB_DEFAULT_EPOCH + 1000;
/** An ID of the millisecond `t` after the start. */
const id = (t: number, machineId: number, sequence = 0) =>
  minIdAt(START + t, LAYOUT) + BigInt(machineId * 2 ** LAYOUT.bitSeq + sequence);
const windowOf = (holder: string, slot: number, created: number) => ({
  ...{ holder, slot, created: START + created, expired: START + created + 10, end: START + created + 20 },
});
const maker = (name: string, windows: Maker['windows'], ...ids: readonly bigint[]): Maker => ({
  ...{ name, windows, ids: BigUint64Array.from(ids) },
});

/** A client that renews and falls back, and the next holder of its slot. */
const first = maker(
  'a',
  [windowOf('a', 3, 0), windowOf('a', 3, 8)],
  id(0, 3),
  id(0, 3, 1),
  id(9, 3),
  id(19, 3 + HALF),
);
const second = maker('b', [windowOf('b', 3, 28)], id(28, 3));
const random = maker('c', [], id(19, 4 + HALF));

const CASES: readonly (readonly [
  what: string,
  rules: readonly Violation['rule'][],
  makers: readonly Maker[],
])[] = [
  ['nothing in a run without any', [], [first, second, random]],
  [
    'no random IDs that meet others',
    [],
    [first, second, random, maker('d', [], id(19, 3 + HALF), id(19, 4 + HALF))],
  ],
  ['equal leased IDs', ['R2', 'equal IDs'], [first, second, maker('d', [windowOf('d', 3, 28)], id(28, 3))]],
  [
    'equal fenced IDs',
    ['R2', 'R2', 'equal IDs'],
    [first, maker('d', [windowOf('d', 3, 8)], id(19, 3 + HALF))],
  ],
  ['an ID before its window', ['R1'], [first, maker('b', second.windows, id(27, 3))]],
  ['a leased ID after its lease', ['R1'], [first, maker('b', second.windows, id(38, 3))]],
  ['a slot with two holders', ['R2'], [first, maker('b', [windowOf('b', 3, 27)], id(28, 3))]],
  ['IDs that do not rise', ['R6'], [maker('a', first.windows, id(9, 3), id(8, 3))]],
];

describe('the checker finds', () => {
  it.each(CASES)('%s', (_, rules, makers) => {
    const { violations } = check(makers, LAYOUT);
    expect(violations.map(({ rule }) => rule)).toEqual(rules);
  });

  it('of which kind each ID is', () => {
    expect(check([first, second, random], LAYOUT).ids).toEqual({ leased: 4, fenced: 1, random: 1, stray: 0 });
  });
});

describe('what a maker held', () => {
  const lease = (created: number) => ({
    ...{ kind: 'lease' as const, customEpoch: LAYOUT.customEpoch, ...windowOf('a', 3, created) },
  });
  it('ends with the release, for all leases that were renewed', () => {
    const release = { kind: 'release' as const, holder: 'a', slot: 3, timestamp: START + 9 };
    const ends = windowsOf([lease(0), lease(8), { ...lease(8), slot: 4 }, release]).map(
      ({ end }) => end - START,
    );
    expect(ends).toEqual([10, 10, 28]);
  });

  it('is not held again when the response comes again after the release', () => {
    const release = { kind: 'release' as const, holder: 'a', slot: 3, timestamp: START + 4 };
    expect(windowsOf([lease(0), release, lease(0)]).map(({ end }) => end - START)).toEqual([5]);
  });
});
