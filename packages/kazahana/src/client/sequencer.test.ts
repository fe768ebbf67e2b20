import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeId } from '../id/index.js';
import { makeReport } from '../lease/report.js';
import type { HeldLease } from './held-lease.js';
import { type Allowed, NOTHING, Sequencer } from './sequencer.js';

/** Seven bits of suffix: 8 leased slots of 8, and as many for fallback. */
const LAYOUT = { customEpoch: 0, bitReserve: 16, bitTs: 41, bitId: 4, bitSeq: 3 };
const PINS = { customEpoch: 0, bitReserve: 16, bitTs: 41 };
const HALF = 64;
const FENCED: Allowed = { fenced: true, random: false };
const RANDOM: Allowed = { fenced: true, random: true };

function lease(id: number, created: number, expired: number, fallbackUntil = expired): HeldLease {
  const [start, end] = [id * 8, id * 8 + 8];
  return {
    id,
    secret: `${id}@${created}`,
    created,
    expired,
    fallbackUntil,
    layout: LAYOUT,
    claim: undefined,
    start,
    end,
    throughput: 8,
    dueAt: expired,
    isReleased: false,
  };
}

function sequencerWith(...leases: HeldLease[]): Sequencer {
  const sequencer = new Sequencer(
    PINS,
    8,
    makeReport(() => 0),
    () => 0.5,
  );
  sequencer.setLeases(leases, PINS, NOTHING);
  return sequencer;
}

/** Makes one ID of what is allowed, or says why not. */
function take(sequencer: Sequencer, now: number, leases: HeldLease[], allowed: Allowed): string {
  sequencer.setLeases(leases, PINS, allowed);
  const next = sequencer.next(now);
  return typeof next === 'bigint' ? 'made' : next;
}

/** A sequencer without leases that may make random IDs, of so many bits of machine ID and sequence. */
function randomSequencer(bits: number, cap: number, chance: number): Sequencer {
  const pins = { customEpoch: 0, bitReserve: 23 - bits, bitTs: 41 };
  const sequencer = new Sequencer(
    pins,
    cap,
    makeReport(() => 0),
    () => chance,
  );
  sequencer.setLeases([], pins, RANDOM);
  return sequencer;
}

/** Takes so many IDs at a time, as [t, suffix], and then the outcome that ended it. */
function takeAll(sequencer: Sequencer, now: number, most = 1000): { ids: [number, number][]; end: string } {
  const ids: [number, number][] = [];
  for (let i = 0; i < most; i++) {
    const next = sequencer.next(now);
    if (typeof next !== 'bigint') return { ids, end: next };
    ids.push([sequencer.t, sequencer.suffix]);
  }
  return { ids, end: 'enough' };
}

describe('R1: an ID is made inside its window only', () => {
  const rows: [title: string, now: number, outcome: string][] = [
    ['before the lease begins', 99, 'early'],
    ['when it begins', 100, 'made'],
    ['in its last millisecond', 199, 'made'],
    ['when it expires', 200, 'uncovered'],
  ];
  for (const [title, now, outcome] of rows) {
    it(title, () => expect(take(sequencerWith(), now, [lease(1, 100, 200)], NOTHING)).toBe(outcome));
  }

  it('the range of a lease is its machine ID and nothing else', () => {
    const { ids, end } = takeAll(sequencerWith(lease(3, 0, 100)), 50);
    expect(ids).toEqual([24, 25, 26, 27, 28, 29, 30, 31].map((suffix) => [50, suffix]));
    expect(end).toBe('exhausted');
  });

  it('before the first there is none to go on from', () => {
    const { t, suffix, randomMs, totals } = sequencerWith(lease(3, 0, 100));
    expect([t, suffix, randomMs]).toEqual([-1, -1, 0]);
    expect(totals).toEqual(makeReport(() => 0));
  });

  it('a range is not used on once its lease is gone', () => {
    const sequencer = sequencerWith(lease(3, 0, 100));
    sequencer.next(50);
    expect(take(sequencer, 50, [], NOTHING)).toBe('uncovered');
  });
});

describe('R5: a lease goes on in the fallback half', () => {
  it('from its expiry to the end of its grace, when that is allowed', () => {
    const sequencer = sequencerWith();
    const leases = [lease(1, 100, 200, 300)];
    expect(take(sequencer, 200, leases, NOTHING)).toBe('uncovered');
    expect(take(sequencer, 200, leases, FENCED)).toBe('made');
    expect(sequencer.suffix).toBe(HALF + 8);
    expect(take(sequencer, 299, leases, FENCED)).toBe('made');
    expect(take(sequencer, 300, leases, FENCED)).toBe('uncovered');
    expect(sequencer.totals).toMatchObject({ leasedIds: 0, fencedIds: 2, randomIds: 0 });
  });

  it('and is used up there like any other: callers wait for the next millisecond', () => {
    const sequencer = sequencerWith();
    sequencer.setLeases([lease(1, 100, 200, 300)], PINS, FENCED);
    expect(takeAll(sequencer, 250)).toMatchObject({ ids: { length: 8 }, end: 'exhausted' });
    expect(takeAll(sequencer, 251)).toMatchObject({ ids: { length: 8 }, end: 'exhausted' });
    expect(sequencer.randomMs).toBe(0);
  });

  it('but not while another lease is valid, even when that is used up', () => {
    const sequencer = sequencerWith();
    sequencer.setLeases([lease(1, 0, 40, 300), lease(2, 0, 100, 300)], PINS, FENCED);
    const { ids, end } = takeAll(sequencer, 50);
    expect(ids.every(([, suffix]) => suffix >= 16 && suffix < 24)).toBe(true);
    expect(end).toBe('exhausted');
  });

  it('random IDs are refused in a layout as narrow as this', () => {
    expect(take(sequencerWith(), 50, [], RANDOM)).toBe('uncovered');
  });
});

describe('R5: random IDs', () => {
  const randomSuffixes = (bits: number, cap: number, chance: number) =>
    takeAll(randomSequencer(bits, cap, chance), 50).ids.map(([, suffix]) => suffix);

  it('need 21 bits beside the one that says fallback, and are refused with fewer', () => {
    const canMake = (bits: number) => randomSequencer(bits, 8, 0).canMakeRandom;
    expect([21, 22].map(canMake)).toEqual([false, true]);
    expect([randomSuffixes(21, 8, 0).length, randomSuffixes(22, 8, 0).length]).toEqual([0, 8]);
  });

  it('start anywhere in the fallback half, and end inside it', () => {
    const half = 2 ** 21;
    const from = (first: number) => Array.from({ length: 8 }, (_, i) => first + i);
    expect(randomSuffixes(22, 8, 0)).toEqual(from(half));
    expect(randomSuffixes(22, 8, 1 - 2 ** -32)).toEqual(from(2 * half - 8));
    expect(randomSuffixes(22, 8, 0.5)).toEqual(from(half + half / 2 - 4));
  });

  it('are made without fenced ones, where only those are forbidden', () => {
    const sequencer = randomSequencer(22, 8, 0);
    sequencer.setLeases([], sequencer.pins, { fenced: false, random: true });
    expect(takeAll(sequencer, 50).ids).toHaveLength(8);
  });

  it('are made in the first milliseconds of an epoch, too', () => {
    for (const now of [0, 1]) expect(takeAll(randomSequencer(22, 8, 0), now).ids).toHaveLength(8);
  });

  const top = 2 ** 21;
  /** Uses a lease up to the end of its slot, in its grace; then the lease is gone, and random IDs are allowed. */
  function afterFenced(slotFromTheTop: number): Sequencer {
    const sequencer = randomSequencer(22, 8, 0.5);
    const held = lease(top / 8 - slotFromTheTop, 0, 40, 100);
    sequencer.setLeases([held], sequencer.pins, FENCED);
    expect(takeAll(sequencer, 50).ids).toHaveLength(8);
    sequencer.setLeases([], sequencer.pins, RANDOM);
    return sequencer;
  }

  it('R6: start above the fenced ones of their millisecond, if there is room for as many as it may have', () =>
    expect(takeAll(afterFenced(2), 50, 1).ids).toEqual([[50, 2 * top - 8]]));

  it('R6: wait for the next millisecond, if there is not', () => {
    const sequencer = afterFenced(1);
    expect(takeAll(sequencer, 50)).toEqual({ ids: [], end: 'exhausted' });
    expect(takeAll(sequencer, 51, 1).ids[0]?.[0]).toBe(51);
  });

  it('start once in a millisecond: what is used up is not drawn again', () => {
    const sequencer = randomSequencer(22, 8, 0);
    expect(takeAll(sequencer, 50)).toMatchObject({ ids: { length: 8 }, end: 'exhausted' });
    expect(takeAll(sequencer, 50)).toEqual({ ids: [], end: 'exhausted' });
    expect(takeAll(sequencer, 51).ids).toHaveLength(8);
  });
});

describe('R5: random IDs of a client that is not busy', () => {
  it('are exact where times are large', () => {
    const t = 2 ** 41 - 1;
    expect(randomSequencer(22, 8, 0.3).next(t)).toBe(
      (BigInt(t) << 22n) + BigInt(2 ** 21 + Math.floor(0.3 * (2 ** 21 - 7))),
    );
  });

  it('are not made unless they are allowed', () => {
    const sequencer = randomSequencer(22, 8, 0.5);
    sequencer.setLeases([], sequencer.pins, NOTHING);
    expect(sequencer.next(50)).toBe('uncovered');
  });

  it('carry the present, not the millisecond of the one before', () => {
    const sequencer = randomSequencer(22, 8, 0.5);
    expect([50, 51, 55, 90].map((now) => takeAll(sequencer, now, 1).ids[0]?.[0])).toEqual([50, 51, 55, 90]);
    expect(sequencer.randomMs).toBe(4);
  });
});

describe('an exhausted millisecond', () => {
  it('is counted once, however many callers it turns away', () => {
    const sequencer = sequencerWith(lease(1, 0, 100));
    for (const now of [1, 50, 50, 50, 50, 51, 51]) takeAll(sequencer, now);
    expect(sequencer.totals.exhaustedMs).toBe(3);
  });
});

describe('a time that no timestamp can carry', () => {
  it('leaves nothing behind: the range that was found for it is not used at another time', () => {
    const end = 2 ** 41;
    const sequencer = sequencerWith(lease(0, end, end + 100), lease(1, 0, 100));
    expect(takeAll(sequencer, 50, 1).ids).toEqual([[50, 8]]);
    expect(() => sequencer.next(end + 5)).toThrow('carries times from');
    expect(takeAll(sequencer, 50, 1).ids).toEqual([[50, 9]]);
    expect(sequencer.totals.leasedIds).toBe(2);
  });
});

describe('R6: within a millisecond, suffixes rise', () => {
  it('through all leases, in the order of their ranges', () => {
    const { ids } = takeAll(sequencerWith(lease(5, 0, 100), lease(2, 0, 100)), 50);
    expect(ids.map(([, suffix]) => suffix)).toEqual([
      16, 17, 18, 19, 20, 21, 22, 23, 40, 41, 42, 43, 44, 45, 46, 47,
    ]);
  });

  it('a lower slot that joins waits for the next millisecond', () => {
    const sequencer = sequencerWith(lease(5, 0, 100));
    sequencer.next(50);
    sequencer.setLeases([lease(2, 0, 100), lease(5, 0, 100)], PINS, NOTHING);
    expect(takeAll(sequencer, 50).ids.map(([, suffix]) => suffix)).toEqual([41, 42, 43, 44, 45, 46, 47]);
    expect(takeAll(sequencer, 51).ids[0]).toEqual([51, 16]);
  });

  it('a clock before the last ID makes none', () => {
    const sequencer = sequencerWith(lease(1, 0, 100));
    sequencer.next(50);
    expect(sequencer.next(49)).toBe('backward');
  });
});

describe('catching up', () => {
  const used = (now: number) => {
    const sequencer = sequencerWith(lease(1, 0, 1000));
    takeAll(sequencer, now);
    return sequencer;
  };

  it('goes through every millisecond that the clock has passed, up to 5', () => {
    expect([...new Set(takeAll(used(100), 103).ids.map(([t]) => t))]).toEqual([101, 102, 103]);
    expect([...new Set(takeAll(used(0), 2).ids.map(([t]) => t))]).toEqual([1, 2]);
    expect([...new Set(takeAll(used(100), 500).ids.map(([t]) => t))]).toEqual([495, 496, 497, 498, 499, 500]);
  });

  it('never goes ahead of the clock', () =>
    expect(takeAll(used(100), 100)).toEqual({ ids: [], end: 'exhausted' }));

  it('fills the present millisecond to its end, though the clock ticks meanwhile', () => {
    const sequencer = used(100);
    takeAll(sequencer, 101, 3);
    expect(takeAll(sequencer, 102, 6).ids.map(([t]) => t)).toEqual([101, 101, 101, 101, 101, 102]);
  });

  it('goes on with a millisecond for 50 more, and not for a caller that comes later', () => {
    const timeAt = (now: number) => {
      const sequencer = used(100);
      takeAll(sequencer, 103, 3);
      return takeAll(sequencer, now, 1).ids[0]?.[0];
    };
    expect([151, 152].map(timeAt)).toEqual([101, 152]);
  });

  it('goes on with a millisecond when leases have changed in the middle of it', () => {
    const sequencer = used(100);
    takeAll(sequencer, 103, 3);
    sequencer.setLeases([lease(1, 0, 1000), lease(2, 0, 1000)], PINS, NOTHING);
    expect(takeAll(sequencer, 103, 5).ids).toEqual([11, 12, 13, 14, 15].map((suffix) => [101, suffix]));
  });

  it('R6: a clock before the last ID makes none meanwhile', () => {
    const sequencer = used(100);
    takeAll(sequencer, 103, 3);
    expect(sequencer.next(100)).toBe('backward');
  });

  it('does not go back to a millisecond that was left unfinished', () => {
    const sequencer = sequencerWith(lease(1, 0, 1000));
    sequencer.next(100);
    expect(takeAll(sequencer, 103).ids[0]).toEqual([103, 8]);
  });

  it('moves up to the beginning of the lease when nothing covers the time before', () => {
    const sequencer = used(100);
    sequencer.setLeases([lease(1, 0, 101), lease(2, 103, 1000)], PINS, NOTHING);
    expect(takeAll(sequencer, 104, 1).ids).toEqual([[103, 16]]);
    // The clock has passed that, and it is filled to its end.
    expect(takeAll(sequencer, 105, 1).ids).toEqual([[103, 17]]);
  });

  it('fills no millisecond in which a lease has just begun: the client is not behind', () => {
    const sequencer = used(100);
    sequencer.setLeases([lease(1, 0, 101), lease(2, 103, 1000)], PINS, NOTHING);
    expect([103, 104].flatMap((now) => takeAll(sequencer, now, 1).ids)).toEqual([
      [103, 16],
      [104, 16],
    ]);
  });

  it('moves up to the first of several beginnings, whatever the order of their slots', () => {
    const sequencer = used(100);
    sequencer.setLeases([lease(1, 0, 101), lease(2, 104, 1000), lease(3, 103, 1000)], PINS, NOTHING);
    expect(takeAll(sequencer, 105, 1).ids).toEqual([[103, 24]]);
  });
});

describe('many IDs at a time', () => {
  const idsIn = (words: Uint32Array) => [...new BigUint64Array(words.buffer)];

  it('are those that come one by one, to the end of the range and no further', () => {
    const [many, single] = [sequencerWith(lease(3, 0, 100)), sequencerWith(lease(3, 0, 100))];
    for (const sequencer of [many, single]) sequencer.next(50);
    const words = new Uint32Array(2 * 10);
    expect([many.writeMore(3, words, 0), many.writeMore(99, words, 4), many.writeMore(1, words, 9)]).toEqual([
      3, 4, 0,
    ]);
    const expected = Array.from({ length: 7 }, () => single.next(50) as bigint);
    expect(idsIn(words)).toEqual([...expected.slice(0, 3), 0n, ...expected.slice(3), 0n, 0n]);
    expect([many.suffix, many.totals.leasedIds]).toEqual([31, 8]);
    expect(many.next(50)).toBe('exhausted');
  });

  it('are none before the first', () => {
    const sequencer = sequencerWith(lease(3, 0, 100));
    expect(sequencer.writeMore(5, new Uint32Array(10), 0)).toBe(0);
    expect(sequencer.suffix).toBe(-1);
  });

  it('have a high word, where times are large, and count from the epoch', () => {
    const t = 2 ** 40 + 12_345;
    const sequencer = sequencerWith();
    sequencer.setLeases([lease(3, 0, 2 ** 41)], { ...PINS, customEpoch: 1_000_000 }, NOTHING);
    const first = sequencer.next(t) as bigint;
    const words = new Uint32Array(4);
    expect(sequencer.writeMore(2, words, 0)).toBe(2);
    expect(idsIn(words)).toEqual([first + 1n, first + 2n]);
    expect(decodeId(first, { ...LAYOUT, customEpoch: 1_000_000 })).toMatchObject({
      ...{ unixMs: t, machineId: 3, sequence: 0 },
    });
  });
});

describe('for every history of clocks and leases', () => {
  const step = fc.record({
    clock: fc.integer({ min: -3, max: 12 }),
    leases: fc.option(
      fc.array(
        fc.record({
          id: fc.nat(7),
          created: fc.nat(150),
          length: fc.integer({ min: 1, max: 80 }),
          grace: fc.nat(40),
        }),
        { maxLength: 3 },
      ),
      { nil: undefined },
    ),
    takes: fc.nat(20),
    fenced: fc.boolean(),
  });

  it('IDs rise, each is in a window of a lease that is held, and none is ahead of the clock', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const sequencer = sequencerWith();
        let held: HeldLease[] = [];
        let now = 0;
        let last = -1n;
        for (const { clock, leases, takes, fenced } of steps) {
          now = Math.max(0, now + clock);
          if (leases) {
            held = leases.map(({ id, created, length, grace }) =>
              lease(id, created, created + length, created + length + grace),
            );
          }
          sequencer.setLeases(held, PINS, { fenced, random: false });
          for (let i = 0; i < takes; i++) {
            const id = sequencer.next(now);
            if (typeof id !== 'bigint') break;
            expect(id > last).toBe(true);
            last = id;
            const { unixMs, machineId, fallback } = decodeId(id, LAYOUT);
            expect(unixMs).toBeLessThanOrEqual(now);
            const isHeld = held.some(
              ({ id: slot, created, expired, fallbackUntil }) =>
                slot === machineId % 8 &&
                (fallback
                  ? expired <= unixMs && unixMs < fallbackUntil
                  : created <= unixMs && unixMs < expired),
            );
            expect(isHeld).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
