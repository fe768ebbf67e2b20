import { describe, expect, it } from 'vitest';
import { virtualEnvironment } from '../virtual-environment.js';
import { CorrectedClock } from './corrected-clock.js';

const NOW = 1_800_000_000_000;

/** A request is sent at NOW, and its response comes three seconds later. */
const ROUND_TRIP = 3000;
const RECEIVED = NOW + ROUND_TRIP;

function clockOf(offset = 0): CorrectedClock {
  const clock = new CorrectedClock(virtualEnvironment({ at: RECEIVED }));
  clock.offset = offset;
  return clock;
}

describe('a clock', () => {
  const rows: [title: string, storeNow: number, offsetBefore: number, offset: number][] = [
    ['is left alone when the store responded at once', NOW, 0, 0],
    ['is left alone when the response took its time on the way back', NOW + 3000, 0, 0],
    ['is left alone a second behind the store, beyond the round trip', NOW + 4000, 0, 0],
    ['is corrected when it is further behind', NOW + 4001, 0, 1001],
    ['is left alone a second ahead of the store, beyond the round trip', NOW - 1000, 0, 0],
    ['is corrected when it is further ahead', NOW - 1001, 0, -4001],
    ['is corrected by an hour forward', NOW + 3_603_000, 0, 3_600_000],
    ['is corrected by an hour back', NOW - 3_597_000, 0, -3_600_000],
    ['that was corrected is left alone within a second of the store', NOW + 3_604_000, 3_600_000, 3_600_000],
    ['that was corrected is corrected again, from its own time', NOW + 3_604_001, 3_600_000, 3_601_001],
    ['that was corrected too far is put back', NOW + 2000, 3_600_000, -1000],
    ['that is right by now loses its correction', NOW + 3000, -3_600_000, 0],
  ];
  for (const [title, storeNow, offsetBefore, offset] of rows) {
    it(title, () => {
      const clock = clockOf(offsetBefore);
      expect(clock.correct(storeNow, ROUND_TRIP)).toBe(offset !== offsetBefore);
      expect(clock.offset).toBe(offset);
      expect(clock.now()).toBe(RECEIVED + offset);
    });
  }

  it('that stepped while the request was under way is corrected by all of the step', () => {
    const environment = virtualEnvironment({ at: NOW });
    const clock = new CorrectedClock(environment);
    environment.set(NOW + 3_600_000);
    expect(clock.correct(NOW, 5)).toBe(true);
    expect(clock.now()).toBe(NOW);
  });

  it('tells how much time has passed, whatever it is set to', async () => {
    const environment = virtualEnvironment({ at: NOW });
    const clock = new CorrectedClock(environment);
    const before = clock.monotonic();
    await environment.advance(100);
    environment.set(NOW - 3_600_000);
    clock.correct(NOW + 3_600_000, 0);
    expect(clock.monotonic() - before).toBe(100);
  });

  for (const storeNow of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 60]) {
    it(`is not put to ${storeNow}`, () => {
      const clock = clockOf();
      expect(clock.correct(storeNow, ROUND_TRIP)).toBe(false);
      expect(clock.offset).toBe(0);
    });
  }
});
