// The schedule of a seed is the same every time, stays within the run, and keeps faults of a lane apart.
import { describe, expect, it } from 'vitest';
import { type Lane, schedule } from './schedule.ts';

const LANES: readonly Lane[] = [
  {
    ...{ name: 'store', gapMs: 5000 },
    faults: [
      { name: 'kill', lastsMs: [0, 1000] },
      { name: 'pause', lastsMs: [3000, 4000] },
    ],
  },
  { name: 'clients', gapMs: 1000, faults: [{ name: 'stop', lastsMs: [100, 200] }] },
];
const MINUTES = 10 * 60_000;

describe('a schedule', () => {
  it('is the same for the same seed, and another one for another', () => {
    expect(schedule(7, MINUTES, LANES)).toEqual(schedule(7, MINUTES, LANES));
    expect(schedule(7, MINUTES, LANES)).not.toEqual(schedule(8, MINUTES, LANES));
  });

  it('has every fault, in the order of their times, all within the run', () => {
    const faults = schedule(1, MINUTES, LANES);
    expect(new Set(faults.map(({ name }) => name))).toEqual(new Set(['kill', 'pause', 'stop']));
    expect(faults).toEqual(faults.toSorted((a, b) => a.at - b.at));
    for (const { at, lastsMs } of faults) expect(at + lastsMs).toBeLessThanOrEqual(MINUTES);
  });

  it('keeps the faults of a lane apart, and takes each in turn', () => {
    const ofStore = schedule(3, MINUTES, LANES).filter(({ lane }) => lane === 'store');
    ofStore.slice(1).forEach((fault, before) => {
      const { at, lastsMs } = ofStore[before] as (typeof ofStore)[number];
      expect(fault.at).toBeGreaterThanOrEqual(at + lastsMs - 1);
    });
    const kills = ofStore.filter(({ name }) => name === 'kill').length;
    expect(Math.abs(ofStore.length - 2 * kills)).toBeLessThanOrEqual(1);
  });

  it('of one lane does not depend on the others', () => {
    const alone = schedule(5, MINUTES, LANES.slice(0, 1));
    expect(schedule(5, MINUTES, LANES).filter(({ lane }) => lane === 'store')).toEqual(alone);
  });

  it('of no faults is empty', () => {
    expect(schedule(1, MINUTES, [{ name: 'none', gapMs: 10, faults: [] }])).toEqual([]);
  });
});
