// One violation of each kind, planted into a small run without any.
import { type IdLayout, LIB_DEFAULT_EPOCH, minIdAt } from 'kazahana';
import { describe, expect, it } from 'vitest';
import { windowsOf } from '../records.ts';
import { check, type Maker, RULES } from './check.ts';
import { piecesOf } from './id.ts';
import type { SlotWindow } from './kinds.ts';
import { repeatedIds } from './repeats.ts';

const LAYOUT: IdLayout = { customEpoch: LIB_DEFAULT_EPOCH, bitReserve: 1, bitTs: 41, bitId: 5, bitSeq: 17 };
const HALF = 2 ** (LAYOUT.bitId - 1);
const START = LIB_DEFAULT_EPOCH + 1000;
/** An ID of the millisecond `t` after the start. */
const id = (t: number, machineId: number, sequence = 0) =>
  minIdAt(START + t, LAYOUT) + BigInt(machineId * 2 ** LAYOUT.bitSeq + sequence);
const windowOf = (holder: string, slot: number, created: number, { bitSeq } = LAYOUT): SlotWindow => ({
  ...{ holder, slot, bitSeq, created: START + created, expired: START + created + 10 },
  end: START + created + 20,
});
const maker = (name: string, windows: readonly SlotWindow[], ...ids: readonly bigint[]): Maker => ({
  ...{ name, pieces: piecesOf(...ids), clients: [{ holder: name, from: 0, windows }] },
  marks: [
    { at: 100, ids: 1 },
    { at: 200, ids: ids.length },
  ],
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
const SECOND = [windowOf('b', 3, 28)];
const second = maker('b', SECOND, id(28, 3));
const random = maker('c', [], id(19, 4 + HALF));
/** Two clients, one after another: each has an order of its own. */
const twice: Maker = {
  ...maker('d', [], id(9, 5), id(8, 6)),
  clients: [
    { holder: 'd.0', from: 0, windows: [windowOf('d.0', 5, 0)] },
    { holder: 'd.1', from: 1, windows: [windowOf('d.1', 6, 0)] },
  ],
};
/** IDs of the clients in servers, in any order. */
const mixed: Maker = { ...maker('e', [windowOf('s', 7, 0)], id(9, 7), id(8, 7)), isMixed: true };
/** A layout with slots of half the width: two of them are one of the others. */
const NARROW = { ...LAYOUT, bitSeq: 16 };

const CASES: readonly (readonly [what: string, rules: readonly string[], makers: readonly Maker[]])[] = [
  ['nothing in a run without any', [], [first, second, random, twice, mixed]],
  [
    'no random IDs that meet others',
    [],
    [first, second, random, maker('d', [], id(19, 3 + HALF), id(19, 4 + HALF))],
  ],
  ['equal leased IDs', ['equal IDs', 'R2'], [first, second, maker('d', [windowOf('d', 3, 28)], id(28, 3))]],
  [
    'equal fenced IDs',
    ['equal IDs', 'R2', 'R2'],
    [first, maker('d', [windowOf('d', 3, 8)], id(19, 3 + HALF))],
  ],
  ['a client that makes an ID twice', ['R6', 'equal IDs'], [maker('a', SECOND, id(28, 3), id(28, 3))]],
  ['an ID before its window', ['R1'], [first, maker('b', SECOND, id(27, 3))]],
  ['a leased ID after its lease', ['R1'], [first, maker('b', SECOND, id(38, 3))]],
  ['an ID of a slot that it does not hold', ['R1'], [first, maker('b', SECOND, id(28, 4))]],
  ['an ID of the client before', ['R1'], [{ ...twice, pieces: piecesOf(id(8, 5), id(9, 5)) }]],
  ['a minted ID outside of every window', ['R1'], [{ ...mixed, pieces: piecesOf(id(12, 7)) }]],
  ['a slot with two holders', ['R2'], [first, maker('b', [windowOf('b', 3, 27)], id(28, 3))]],
  ['slots of two layouts that overlap', ['R2'], [first, maker('b', [windowOf('b', 7, 27, NARROW)])]],
  ['no slots of two layouts that are apart', [], [first, maker('b', [windowOf('b', 8, 27, NARROW)])]],
  ['IDs that do not rise', ['R6'], [maker('a', [windowOf('a', 3, 0)], id(9, 3), id(8, 3))]],
];

describe('the checker finds', () => {
  it.each(CASES)('%s', (_, rules, makers) => {
    const { broken, violations } = check(makers, LIB_DEFAULT_EPOCH);
    expect(RULES.flatMap((rule) => Array(broken[rule]).fill(rule)).sort()).toEqual(rules.toSorted());
    expect(violations).toHaveLength(rules.length);
  });

  it('windows of servers that other clients hold, too', () => {
    const { broken } = check([first], LIB_DEFAULT_EPOCH, [windowOf('server', 3, 21)]);
    expect(broken.R2).toBe(1);
  });

  it('of which kind each ID is, and when it was made', () => {
    const { ids, spans } = check([first, second, random], LIB_DEFAULT_EPOCH);
    expect(ids).toEqual({ leased: 4, fenced: 1, random: 1, stray: 0 });
    expect(spans.get('a')).toEqual([
      { at: 100, leased: 1, fenced: 0, random: 0, stray: 0 },
      { at: 200, leased: 2, fenced: 1, random: 0, stray: 0 },
    ]);
  });

  it('many violations, of which it shows ten and counts all', () => {
    const ids = Array.from({ length: 100 }, (_, at) => id(40 + at, 3));
    const { broken, violations } = check([maker('a', SECOND, ...ids)], LIB_DEFAULT_EPOCH);
    expect(broken.R1).toBe(100);
    expect(violations).toHaveLength(10);
  });
});

describe('repeats', () => {
  it('are found in passes as well as at once', () => {
    const ids = Array.from({ length: 5000 }, (_, at) => id(Math.floor(at / 3), at % 7, at % 11));
    const all = [piecesOf(...ids), piecesOf(...ids.slice(1000, 1100)), piecesOf(1n, 2n)];
    const count = ids.length + 102;
    const atOnce = repeatedIds(all, count);
    expect(atOnce).toEqual(new Set(ids.slice(1000, 1100)));
    expect(repeatedIds(all, count, 300)).toEqual(atOnce);
  });
});

describe('what a maker held', () => {
  const lease = (created: number) => ({
    ...{ kind: 'lease' as const, customEpoch: LAYOUT.customEpoch, ...windowOf('a', 3, created) },
  });
  const release = (timestamp: number) => ({
    ...{
      kind: 'release' as const,
      holder: 'a',
      slot: 3,
      bitSeq: LAYOUT.bitSeq,
      timestamp: START + timestamp,
    },
  });
  it('ends with the release, for all leases that were renewed', () => {
    const ends = windowsOf([lease(0), lease(8), { ...lease(8), slot: 4 }, release(9)]).map(
      ({ end }) => end - START,
    );
    expect(ends).toEqual([10, 10, 28]);
  });

  it('ends for slots of the same width only', () => {
    const narrow = { ...lease(0), bitSeq: NARROW.bitSeq };
    expect(windowsOf([lease(0), narrow, release(4)]).map(({ end }) => end - START)).toEqual([5, 20]);
  });

  it('is not held again when the response comes again after the release', () => {
    expect(windowsOf([lease(0), release(4), lease(0)]).map(({ end }) => end - START)).toEqual([5]);
  });
});
