import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/index.js';
import { LeaseError, PoolExhaustedError, TooManyLeasesError } from '../lease/errors.js';
import { type HeldLease, holdLease } from './held-lease.js';
import {
  attemptLimit,
  chooseWish,
  claimsOf,
  type Failure,
  failureOf,
  isSlotOf,
  mostLeases,
  newestOfSlots,
  nextLookAt,
  readyToLeave,
  replacedBy,
  retryPause,
  throughputWithin,
} from './lease-choices.js';

/** From `created` to 100 later, with a grace of 50; due at 90 of 100. */
function lease(id: number, created = 0, pool: string | undefined = 'p'): HeldLease {
  const window = { created, expired: created + 100, fallbackUntil: created + 150 };
  return holdLease({ ...DEFAULT_ID_LAYOUT, id, secret: `${id}@${created}`, ...window }, pool, 0.9, 0);
}

describe('what to request', () => {
  const [first, second, early] = [lease(0), lease(1), lease(2, 50)];
  const rows: [title: string, held: HeldLease[], now: number, throughput: number, due: HeldLease[]][] = [
    ['everything, with nothing in hand', [], 0, 512, []],
    ['what is missing, with one of two', [first], 10, 256, []],
    ['at least one, with all in hand', [first, second], 10, 1, []],
    ['§4.3: all of it, when all is due', [first, second], 95, 512, [first, second]],
    ['what replaces the one that is due', [first, early], 95, 256, [first]],
    ['what replaces one in the millisecond in which it is due', [first, early], 90, 256, [first]],
    // One that is due on arrival is looked after later than it expires.
    ['what replaces one that has expired before it is due', [{ ...first, dueAt: 1000 }], 100, 512, []],
  ];
  for (const [title, held, now, throughputPerMs, due] of rows) {
    it(title, () => expect(chooseWish(held, now, 512)).toMatchObject({ throughputPerMs, due }));
  }

  it('renewal, of leases whose provider names its pool, 32 at a time', () => {
    const held = Array.from({ length: 40 }, (_, id) => lease(id));
    expect(chooseWish([...held, lease(50, 0, undefined)], 95, 1)).toMatchObject({
      due: { length: 41 },
      renewed: { length: 32 },
    });
    const simple = holdLease(
      { ...DEFAULT_ID_LAYOUT, id: 1, created: 0, expired: 100, secret: 's' },
      undefined,
      0.9,
      0,
    );
    expect(chooseWish([simple], 95, 1).renewed).toEqual([]);
    expect(claimsOf(held.slice(0, 1), -5)[0]).toMatchObject({ pool: 'p', id: 0, timestamp: 0 });
    expect(claimsOf([simple], 95)).toEqual([]);
  });
});

describe('a provider that allows fewer leases', () => {
  const rows: [title: string, error: unknown, requested: number, expected: number | undefined][] = [
    ['gets a request for as many', new TooManyLeasesError('s', 16, 32), 8192, 4096],
    [
      'gets a request for no more, when leases were rounded up',
      new TooManyLeasesError('s', 16, 32),
      8000,
      4000,
    ],
    ['refuses, when that is none', new TooManyLeasesError('s', 0, 32), 8192, undefined],
    ['refuses, when what it says makes no sense', new TooManyLeasesError('s', 32, 32), 8192, undefined],
    // 7 × (61 / 7) is a little less than 61 for a computer: the client would ask again, for 60, 59 …, without a pause.
    ['refuses, when it allows as many', new TooManyLeasesError('s', 7, 7), 61, undefined],
    ['refuses, when that is more', new TooManyLeasesError('s', -64, -32), 8192, undefined],
    ['refuses, when that is as many', new TooManyLeasesError('s', -1_000_001, -1_000_000), 10, undefined],
    ['gets a request for one, when it allows no more', new TooManyLeasesError('s', 1, 2), 2, 1],
    ['is another matter otherwise', new LeaseError('UNREACHABLE', 'away'), 8192, undefined],
    ['is another matter, whatever else has such fields', { allowed: 16, requested: 32 }, 8192, undefined],
  ];
  for (const [title, error, requested, expected] of rows) {
    it(title, () => expect(throughputWithin(error, requested)).toBe(expected));
  }
});

describe('new leases', () => {
  const [old, other] = [lease(0), lease(1)];
  const wish = { throughputPerMs: 512, due: [old, other], renewed: [old, other] };

  it('replace all that were due, when they cover what was requested', () =>
    expect(replacedBy([lease(5, 90), lease(6, 90)], wish)).toEqual([old, other]));
  it('replace what they renew, when they are fewer', () =>
    expect(replacedBy([lease(1, 90)], wish)).toEqual([other]));
  it('replace all that they renew, when one is missing', () =>
    expect(
      replacedBy([lease(0, 90), lease(1, 90)], {
        ...wish,
        throughputPerMs: 768,
        due: [old, other, lease(2)],
      }),
    ).toEqual([old, other]));
  it('replace nothing, when they are fewer and of other slots', () =>
    expect(replacedBy([lease(7, 90)], wish)).toEqual([]));

  const rows: [title: string, now: number, leaving: HeldLease[]][] = [
    ['let the old ones serve until all have begun', 94, []],
    ['let the old ones go when the last has begun', 95, [old]],
  ];
  const [soon, later] = [lease(0, 90), lease(3, 95)];
  for (const [title, now, leaving] of rows) {
    it(title, () => expect(readyToLeave([old, soon, later], [old], now)).toEqual(leaving));
  }
  it('must be there: without one, nothing goes', () => expect(readyToLeave([old], [old], 500)).toEqual([]));
});

describe('the next look', () => {
  const [old, renewed] = [lease(0), lease(0, 80)];
  const rows: [title: string, held: HeldLease[], outgoing: HeldLease[], now: number, at: number][] = [
    ['is never, without leases', [], [], 0, Number.POSITIVE_INFINITY],
    ['is when the first is due', [lease(1, 20), old], [], 0, 90],
    ['is soon, when one is due and not replaced', [old], [], 95, 1095],
    ['is not at once, in the millisecond in which one is due', [old], [], 90, 1090],
    ['is when the new one begins, when it is to replace another', [old, lease(0, 120)], [old], 95, 120],
    ['is when the new one is due, when the old one can go', [old, renewed], [old], 95, 170],
    ['is not at once, in the millisecond in which the new one begins', [old, lease(0, 95)], [old], 95, 185],
  ];
  for (const [title, held, outgoing, now, at] of rows) {
    it(title, () => expect(nextLookAt(held, outgoing, now, 1000)).toBe(at));
  }
});

describe('how long an attempt may take', () => {
  const settings = { acquireTimeout: 5000, allowsFenced: true };
  const long = holdLease(
    { ...DEFAULT_ID_LAYOUT, id: 0, secret: 's', created: 0, expired: 20_000, fallbackUntil: 40_000 },
    'p',
    0.9,
    0,
  );
  const rows: [title: string, held: HeldLease[], now: number, settings: typeof settings, limit: number][] = [
    ['the time-out, without a lease', [], 18_000, settings, 5000],
    ['the time-out, when the lease lasts longer', [long], 10_000, settings, 5000],
    ['until the lease expires', [long], 18_000, settings, 2000],
    ['until the last of the leases expires', [long, { ...long, expired: 18_500 }], 18_000, settings, 2000],
    ['a second at least', [long], 19_990, settings, 1000],
    ['a shorter time-out all the same', [long], 19_990, { ...settings, acquireTimeout: 300 }, 300],
    ['the time-out, after the lease has expired', [long], 20_000, settings, 5000],
    [
      'the time-out, when fenced IDs are not allowed',
      [long],
      18_000,
      { ...settings, allowsFenced: false },
      5000,
    ],
    ['the time-out, without a grace', [{ ...long, fallbackUntil: 20_000 }], 18_000, settings, 5000],
  ];
  for (const [title, held, now, allowed, limit] of rows) {
    it(title, () => expect(attemptLimit(held, now, allowed)).toBe(limit));
  }
});

describe('the pause after a failure', () => {
  const intervals = { acquireRetryInterval: 1000, acquireRetryMaxInterval: 60_000 };
  const away = new LeaseError('UNREACHABLE', 'away');
  const wait = (ms: number) => new PoolExhaustedError('p', ms);
  const rows: [failures: number, error: unknown, chance: number, alone: number, withCallers: number][] = [
    [1, away, 0.5, 1000, 1000],
    [2, away, 0.5, 2000, 2000],
    [3, away, 0.5, 4000, 3000],
    [7, away, 0, 60_000, 2000],
    [7, away, 0.999, 60_000, 3998],
    [1e9, away, 0, 60_000, 2000],
    // What the provider asks for comes before the back-off, spread by chance.
    [7, wait(200), 0, 200, 200],
    [7, wait(200), 0.5, 700, 700],
    [1, wait(30_000), 0.25, 30_250, 2500],
    [1, wait(3_600_000), 0.25, 60_000, 2500],
  ];
  for (const [failures, error, chance, alone, withCallers] of rows) {
    it(`${failures}, ${(error as Error).message}: ${alone} ms, with callers ${withCallers} ms`, () =>
      expect(retryPause(failures, error, intervals, chance)).toEqual({ alone, withCallers }));
  }
});

describe('after a failed attempt', () => {
  const away = new LeaseError('UNREACHABLE', 'away');
  const refusal = Object.assign(new Error('no'), { isRefusal: true });
  const full = new PoolExhaustedError('p', 100);
  const refused: Failure = { error: refusal, isRefusal: true };
  const rows: [title: string, error: unknown, before: Failure | undefined, after: Failure][] = [
    ['a refusal is one', refusal, undefined, refused],
    ['an outage is one', away, undefined, { error: away, isRefusal: false }],
    ['an outage follows another', away, { error: full, isRefusal: false }, { error: away, isRefusal: false }],
    ['a refusal stands when the next request is lost', away, refused, refused],
    [
      'a refusal ends when the provider says when to come again',
      full,
      refused,
      { error: full, isRefusal: false },
    ],
    ['a refusal is replaced by the next one', refusal, { error: away, isRefusal: true }, refused],
  ];
  for (const [title, error, before, after] of rows)
    it(title, () => expect(failureOf(error, before)).toEqual(after));
});

describe('the most leases that a client takes', () => {
  it('are 16, or one for each ID a millisecond that it wants', () =>
    expect([1, 16, 512].map(mostLeases)).toEqual([16, 16, 512]));
});

describe('R8: a release', () => {
  it('is sent for the newest lease of a slot: one of an earlier lease would change nothing', () => {
    const [old, renewed, other] = [lease(0), lease(0, 50), lease(1)];
    expect(newestOfSlots([old, renewed, other])).toEqual([renewed, other]);
  });

  it('is sent for leases of two layouts that overlap: their slots are not the same', () => {
    const wide = { ...lease(0, 50), end: 512, throughput: 512 };
    for (const narrow of [lease(0), lease(1)]) expect(newestOfSlots([narrow, wide])).toEqual([narrow, wide]);
    expect([8, 9].map((bitSeq) => isSlotOf(wide, { ...DEFAULT_ID_LAYOUT, ...wide, bitSeq }))).toEqual([
      false,
      true,
    ]);
    expect(isSlotOf(wide, { ...DEFAULT_ID_LAYOUT, ...wide, id: 1, bitSeq: 9 })).toBe(false);
  });
});
