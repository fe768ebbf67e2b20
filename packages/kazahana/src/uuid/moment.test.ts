import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEFORE_ALL, type Moment, stepMoment } from './moment.js';

/** The counter of a v7. */
const MAX_COUNT = 0xfff;
const MAX_UNIX_MS = 2 ** 48 - 1;

describe('the step of time and count', () => {
  const rows: { title: string; last: Moment; now: number; expected: Moment }[] = [
    {
      title: 'starts a new millisecond with a fresh count',
      last: [1000, 7],
      now: 1001,
      expected: [1001, 42],
    },
    {
      title: 'counts up within a millisecond',
      last: [1000, 7],
      now: 1000,
      expected: [1000, 8],
    },
    {
      title: 'counts up when the clock stepped back',
      last: [1000, 7],
      now: 900,
      expected: [1000, 8],
    },
    {
      title: 'uses the last value of the count',
      last: [1000, 0xffe],
      now: 1000,
      expected: [1000, 0xfff],
    },
    {
      title: 'moves time on when the count is full',
      last: [1000, 0xfff],
      now: 1000,
      expected: [1001, 42],
    },
    {
      title: 'moves time on when the count is full and the clock stepped back',
      last: [1000, 0xfff],
      now: 3,
      expected: [1001, 42],
    },
    {
      title: 'follows the clock when it passed a full count',
      last: [1000, 0xfff],
      now: 5000,
      expected: [5000, 42],
    },
    {
      title: 'takes the first ID at the beginning of Unix time',
      last: BEFORE_ALL,
      now: 0,
      expected: [0, 42],
    },
  ];
  for (const { title, last, now, expected } of rows) {
    it(title, () => expect(stepMoment(last, now, 42, MAX_COUNT)).toEqual(expected));
  }

  it('always rises, for every state, clock and fresh count', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(MAX_UNIX_MS - 1), fc.nat(0xfff)),
        fc.nat(MAX_UNIX_MS),
        fc.nat(0x7ff),
        (last, now, fresh) => {
          const next = stepMoment(last, now, fresh, MAX_COUNT);
          // The two as one number: 60 bits, more than a double has.
          const order = ([unixMs, count]: Moment) => BigInt(unixMs) * 4096n + BigInt(count);
          expect(order(next) > order(last)).toBe(true);
          expect(next[0]).toBeGreaterThanOrEqual(now);
          expect(next[1]).toBeLessThanOrEqual(0xfff);
        },
      ),
    );
  });
});
