import { DEFAULT_ID_LAYOUT } from 'kazahana/layout';
import { describe, expect, it } from 'vitest';
import { design, toConfiguration } from './layout-design.js';
import { oddsOfMeeting } from './odds.js';

describe('a design', () => {
  it('of the defaults', () => {
    const result = design(DEFAULT_ID_LAYOUT);
    if (!('design' in result)) throw new Error(result.problem);
    expect(result.design).toMatchObject({
      leasable: 8192,
      machines: 16384,
      idsPerMs: 256,
      randomPlaces: 2 ** 21,
    });
    expect(result.design.years).toBeCloseTo(69.7, 1);
    expect(new Date(result.design.endsAt).toISOString()).toBe('2095-09-07T15:47:35.551Z');
    expect(JSON.parse(toConfiguration(result.design))).toEqual({
      pools: { default: { ...DEFAULT_ID_LAYOUT } },
    });
  });

  it('whose bits are too many or too few says how many there are', () => {
    expect(design({ ...DEFAULT_ID_LAYOUT, bitTs: 42 })).toEqual({ problem: 'sum', sum: 65 });
  });

  it('that the library refuses is refused', () => {
    expect(design({ ...DEFAULT_ID_LAYOUT, bitReserve: 0, bitTs: 42 })).toEqual({ problem: 'range', sum: 64 });
  });

  it('too narrow for random fallback says so', () => {
    const result = design({ ...DEFAULT_ID_LAYOUT, bitTs: 43, bitId: 12 });
    expect(result).toMatchObject({ design: { randomPlaces: null } });
  });
});

it('odds rise with clients, and are certain when all places are taken', () => {
  expect(oddsOfMeeting(1, 256, 2 ** 21)).toBeCloseTo(0, 12);
  expect(oddsOfMeeting(2, 1, 2 ** 21)).toBeCloseTo(2 ** -21, 12);
  expect(oddsOfMeeting(100, 256, 2 ** 21)).toBeGreaterThan(oddsOfMeeting(50, 256, 2 ** 21));
  expect(oddsOfMeeting(3, 4, 8)).toBe(1);
});
