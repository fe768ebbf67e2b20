// The rules of a pool's record: what may be configured, what a store that forgot looks like, and what a change of layout
// does. The rules of its leases are in `rules-leases.test.ts`.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import type { ConfiguredPool } from './config.js';
import type { Incarnation } from './driver.js';
import {
  checkConfigured,
  hasForgotten,
  mayHaveForgotten,
  newPool,
  type PoolRecord,
  quarantine,
  relayout,
  relayoutSlots,
  roomLeft,
  STORE_CLOCK_MARGIN_MS,
  slotCount,
  slotRange,
  slotsFor,
} from './rules.js';
import type { PoolConfig, SeenPool, Share } from './types.js';

const NOW = 1_800_000_000_000;
const WHOLE: Share = { index: 0, of: 1 };
const CONFIGURED: ConfiguredPool = { layout: DEFAULT_ID_LAYOUT, share: WHOLE, stated: {}, maxWindow: 1000 };
const POOL: PoolRecord = newPool('pool-1', 'generation-1', CONFIGURED);
const SERIAL = 7;

describe('a new pool', () => {
  it('has the layout and the share that are configured, and grants at once', () => {
    const share = { index: 1, of: 4 };
    expect(newPool('pool-1', 'generation-1', { ...CONFIGURED, share })).toEqual({
      id: 'pool-1',
      generation: 'generation-1',
      floors: null,
      layout: DEFAULT_ID_LAYOUT,
      share,
      former: [],
      knownBitIds: [14],
      quarantinedUntil: 0,
      pausedUntil: 0,
      quarantinedFrom: 0,
      nextGeneration: null,
      lostIds: [],
      maxWindow: 1000,
      incarnation: null,
    });
  });
});

describe('R4: a configuration', () => {
  const pool: PoolRecord = { ...POOL, knownBitIds: [12, 14], share: { index: 1, of: 4 } };
  const rows: [stated: PoolConfig, mismatch: string | null][] = [
    [{}, null],
    [DEFAULT_ID_LAYOUT, null],
    [{ bitId: 14 }, null],
    [{ bitId: 12, bitSeq: 10 }, null],
    [{ bitSeq: 10 }, null],
    [{ share: { index: 1, of: 4 } }, null],
    [{ bitId: 14, bitSeq: 10 }, 'bitId + bitSeq is 14 + 8 for this pool and cannot be 14 + 10'],
    [{ bitId: 13 }, 'bitId + bitSeq is 14 + 8 for this pool and cannot be 13 + ?'],
    [{ bitSeq: 9 }, 'bitId + bitSeq is 14 + 8 for this pool and cannot be ? + 9'],
    [{ customEpoch: 0 }, `customEpoch is ${DEFAULT_ID_LAYOUT.customEpoch} for this pool and cannot be 0`],
    [{ bitReserve: 2 }, 'bitReserve is 1 for this pool and cannot be 2'],
    [{ bitTs: 40 }, 'bitTs is 41 for this pool and cannot be 40'],
    [{ share: { index: 0, of: 4 } }, 'share is 1 of 4 for this pool and cannot be 0 of 4'],
    [{ share: { index: 1, of: 2 } }, 'share is 1 of 4 for this pool and cannot be 1 of 2'],
  ];
  for (const [stated, mismatch] of rows) {
    it(`${JSON.stringify(stated)} ${mismatch === null ? 'fits' : 'is refused'}`, () => {
      const call = () => checkConfigured(pool, { stated });
      if (mismatch === null) expect(call).not.toThrow();
      else expect(call).toThrow(mismatch);
    });
  }
});

describe('R7: a store has forgotten when a client, or this process,', () => {
  const pool: PoolRecord = { ...POOL, lostIds: ['pool-0'] };
  const rows: [title: string, seen: SeenPool, forgotten: boolean][] = [
    ['is behind', { pool: 'pool-1', serial: 6 }, false],
    ['is level', { pool: 'pool-1', serial: 7 }, false],
    ['is ahead', { pool: 'pool-1', serial: 8 }, true],
    ['knows another pool', { pool: 'pool-9', serial: 1 }, true],
    ['knows a pool that is known to be lost', { pool: 'pool-0', serial: 99 }, false],
  ];
  for (const [title, seen, forgotten] of rows) {
    it(`${title}: ${forgotten ? 'yes' : 'no'}`, () =>
      expect(hasForgotten(pool, SERIAL, seen)).toBe(forgotten));
  }

  it('and what it has seen raises no second alarm, whatever it is', () => {
    const anySeen = fc.record({ pool: fc.constantFrom('pool-1', 'pool-9', 'x'), serial: fc.nat() });
    fc.assert(
      fc.property(anySeen, (seen) => {
        const stopped = quarantine(pool, NOW, 1000, seen);
        // The serial goes on above what was seen of this pool.
        const serial = seen.pool === 'pool-1' ? Math.max(SERIAL, seen.serial) : SERIAL;
        expect(hasForgotten(stopped, serial, seen)).toBe(false);
      }),
    );
  });
});

describe('R7: a store may have forgotten when its incarnation', () => {
  const mayLose = (id: string): Incarnation => ({ id, mayLose: true });
  const keeps = (id: string): Incarnation => ({ id, mayLose: false });
  const rows: [title: string, before: Incarnation | null, now: Incarnation | undefined, mayHave: boolean][] =
    [
      ['is the same', mayLose('a'), mayLose('a'), false],
      ['is another, and both keep what they acknowledge', keeps('a'), keeps('b'), false],
      ['is another, and the one before may lose', mayLose('a'), keeps('b'), true],
      ['is another, and the present one may lose', keeps('a'), mayLose('b'), true],
      ['is told for the first time', null, mayLose('a'), false],
      ['is told no longer', mayLose('a'), undefined, false],
    ];
  for (const [title, before, now, mayHave] of rows) {
    it(`${title}: ${mayHave ? 'yes' : 'no'}`, () => {
      expect(mayHaveForgotten({ ...POOL, incarnation: before }, now)).toBe(mayHave);
    });
  }
});

describe('a quarantine', () => {
  it('lasts as long as the longest window that was ever granted or is configured', () => {
    const until = (granted: number, configured: number) =>
      quarantine({ ...POOL, maxWindow: granted }, NOW, configured);
    const expected = { maxWindow: 700, quarantinedUntil: NOW + 700 + STORE_CLOCK_MARGIN_MS };
    expect(until(500, 700)).toMatchObject(expected);
    expect(until(700, 500)).toMatchObject(expected);
  });

  it('is never shortened by a later one', () => {
    const first = quarantine(POOL, NOW, 1000);
    expect(quarantine(first, NOW - 500, 1000).quarantinedUntil).toBe(first.quarantinedUntil);
  });

  it('remembers each lost pool once, and not itself', () => {
    const losses = ['pool-2', 'pool-1', 'pool-3', 'pool-2'];
    const pool = losses.reduce((kept, id) => quarantine(kept, NOW, 1000, { pool: id, serial: 1 }), POOL);
    expect(pool.lostIds).toEqual(['pool-2', 'pool-3']);
  });

  it('remembers the last 32 lost pools, however many are named', () => {
    const names = Array.from({ length: 100 }, (_, i) => `lost-${i}`);
    const pool = names.reduce((kept, id) => quarantine(kept, NOW, 1000, { pool: id, serial: 1 }), POOL);
    expect(pool.lostIds).toEqual(names.slice(-32));
  });
});

describe('how many slots', () => {
  const rows: [throughputPerMs: number | undefined, bitSeq: number, slots: number][] = [
    [undefined, 8, 1],
    [1, 8, 1],
    [256, 8, 1],
    [257, 8, 2],
    [1024, 8, 4],
    [1024, 10, 1],
    [2 ** 31, 1, 2 ** 30],
  ];
  for (const [throughputPerMs, bitSeq, slots] of rows) {
    it(`${throughputPerMs} IDs a millisecond need of 2^${bitSeq} each: ${slots}`, () => {
      expect(slotsFor(throughputPerMs === undefined ? {} : { throughputPerMs }, { bitSeq })).toBe(slots);
    });
  }

  it('a pool has: half of its machine IDs', () => {
    expect([1, 3, 14, 30].map((bitId) => slotCount({ bitId }))).toEqual([1, 4, 8192, 2 ** 29]);
  });
});

describe('what quotas leave to a call', () => {
  const NOW = 1_800_000_000_000;
  const quota = (limit: number, count: number, firstEnd = NOW + 50) => ({
    quota: 'q',
    limit,
    count,
    firstEnd,
  });

  it('is the least that any of them leaves', () => {
    expect(roomLeft([quota(5, 2), quota(9, 8)], [], NOW).room).toBe(1);
    expect(roomLeft([], [], NOW).room).toBe(Number.POSITIVE_INFINITY);
  });

  it('is more when the first slot of one that is used up ends; otherwise in the next millisecond', () => {
    expect(roomLeft([quota(2, 1)], [], NOW).nextAt).toBe(NOW + 1);
    expect(roomLeft([quota(2, 2)], [], NOW)).toEqual({ room: 0, nextAt: NOW + 50 });
    expect(roomLeft([quota(1, 2), quota(1, 1, NOW + 70)], [], NOW)).toEqual({ room: -1, nextAt: NOW + 70 });
  });
});

describe('a share', () => {
  const rangeOf = (bitId: number, share: Share) =>
    slotRange({ layout: { ...DEFAULT_ID_LAYOUT, bitId }, share });

  it('of the whole is all slots', () => expect(rangeOf(14, WHOLE)).toEqual({ from: 0, to: 8192 }));

  it('is one of equal parts that follow each other', () => {
    const parts = [0, 1, 2, 3].map((index) => rangeOf(4, { index, of: 4 }));
    expect(parts).toEqual([
      { from: 0, to: 2 },
      { from: 2, to: 4 },
      { from: 4, to: 6 },
      { from: 6, to: 8 },
    ]);
  });

  it('can be a single slot', () => expect(rangeOf(3, { index: 3, of: 4 })).toEqual({ from: 3, to: 4 }));

  it('has the same suffixes in every layout, so that a change moves no border between regions', () => {
    const share = { index: 2, of: 4 };
    const suffixes = [4, 9, 14, 20].map((bitId) => {
      const { from, to } = rangeOf(bitId, share);
      return [from * 2 ** (22 - bitId), to * 2 ** (22 - bitId)];
    });
    expect(new Set(suffixes.map(String)).size).toBe(1);
  });
});

describe('R4: a change of layout', () => {
  const WIDER = { bitId: 12, bitSeq: 10 };

  it('moves bits between machine ID and sequence, and remembers what was', () => {
    expect(relayout(POOL, WIDER, { generation: 'generation-2', floors: null, until: NOW + 5 })).toEqual({
      ...POOL,
      layout: { ...DEFAULT_ID_LAYOUT, ...WIDER },
      generation: 'generation-2',
      former: [{ generation: 'generation-1', bitId: 14, bitSeq: 8, until: NOW + 5 }],
      knownBitIds: [14, 12],
    });
  });

  it('puts the latest former layout first, and knows each width once', () => {
    const there = relayout(POOL, WIDER, { generation: 'generation-2', floors: null, until: 1 });
    const back = relayout(
      there,
      { bitId: 14, bitSeq: 8 },
      { generation: 'generation-3', floors: null, until: 2 },
    );
    expect(back.former.map(({ generation, until }) => [generation, until])).toEqual([
      ['generation-2', 2],
      ['generation-1', 1],
    ]);
    expect(back.knownBitIds).toEqual([14, 12]);
  });

  it('moves no bit to or from the timestamp', () => {
    const change = (bitId: number, bitSeq: number) => () =>
      relayout(POOL, { bitId, bitSeq }, { generation: 'g', floors: null, until: 0 });
    expect(change(14, 9)).toThrow('must be an integer from 64 to 64, got 65');
    expect(change(22, 0)).toThrow('bitSeq must be an integer');
  });

  it('leaves every share a slot or more', () => {
    const pool: PoolRecord = { ...POOL, share: { index: 3, of: 8 } };
    expect(
      relayout(pool, { bitId: 4, bitSeq: 18 }, { generation: 'g', floors: null, until: 0 }).layout.bitId,
    ).toBe(4);
    expect(() =>
      relayout(pool, { bitId: 3, bitSeq: 19 }, { generation: 'g', floors: null, until: 0 }),
    ).toThrow('share is 3 of 8 for this pool and cannot be bitId 3');
  });

  const rows: [
    title: string,
    from: number,
    to: number,
    before: [number, number][],
    after: [number, number][],
  ][] = [
    ['splits slots', 10, 8, [[1, 50]], [4, 5, 6, 7].map((slot): [number, number] => [slot, 50])],
    [
      'joins slots, the last to end decides',
      8,
      10,
      [
        [4, 50],
        [6, 70],
        [7, 60],
        [9, 5],
      ],
      [
        [1, 70],
        [2, 5],
      ],
    ],
    ['keeps slots of the same size', 8, 8, [[4, 50]], [[4, 50]]],
    ['leaves unused slots unused', 8, 10, [], []],
  ];
  for (const [title, from, to, before, after] of rows) {
    it(title, () => {
      expect([...relayoutSlots(before, { bitSeq: from }, { bitSeq: to })]).toEqual(after);
    });
  }

  it('frees no suffix earlier than it was free, and holds none that did not share a slot', () => {
    const anyBits = fc.integer({ min: 1, max: 6 });
    const anySlots = fc.dictionary(fc.nat(3).map(String), fc.integer({ min: 1, max: 99 }));
    fc.assert(
      fc.property(anyBits, anyBits, anySlots, (from, to, used) => {
        const before = new Map(Object.entries(used).map(([slot, freeFrom]) => [Number(slot), freeFrom]));
        const after = new Map(relayoutSlots(before, { bitSeq: from }, { bitSeq: to }));
        const suffixes = Array.from({ length: 4 * 2 ** from }, (_, suffix) => suffix);
        for (const suffix of suffixes) {
          const slot = Math.floor(suffix / 2 ** to);
          // Every suffix of the new slot, one by one: what no arithmetic on slots can have wrong.
          const shared = suffixes.filter((other) => Math.floor(other / 2 ** to) === slot);
          const ends = shared.map((other) => before.get(Math.floor(other / 2 ** from)) ?? 0);
          expect(after.get(slot) ?? 0).toBe(Math.max(...ends));
        }
      }),
    );
  });
});
