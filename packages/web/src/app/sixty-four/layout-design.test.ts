import { oddsOfMeeting } from 'kazahana';
import { DEFAULT_ID_LAYOUT } from 'kazahana/layout';
import { describe, expect, it } from 'vitest';
import { isAllowed } from './dividers.js';
import { designOf, fromLink, PRESETS, toConfiguration, toLink } from './layout-design.js';

describe('a design', () => {
  it('of the defaults', () => {
    const design = designOf(DEFAULT_ID_LAYOUT);
    expect(design).toMatchObject({ leasable: 8192, machines: 16384, idsPerMs: 256, randomPlaces: 2 ** 21 });
    expect(design.years).toBeCloseTo(69.7, 1);
    expect(new Date(design.endsAt).toISOString()).toBe('2095-09-07T15:47:35.551Z');
    expect(JSON.parse(toConfiguration(DEFAULT_ID_LAYOUT))).toEqual({
      pools: { default: { ...DEFAULT_ID_LAYOUT } },
    });
  });

  it('too narrow for random fallback says so', () => {
    expect(designOf({ ...DEFAULT_ID_LAYOUT, bitTs: 43, bitId: 12 }).randomPlaces).toBeNull();
  });

  it('of every preset is one that the library takes', () => {
    for (const preset of Object.values(PRESETS)) expect(isAllowed(preset)).toBe(true);
  });
});

describe('a link to a layout', () => {
  it('comes back as it was written', () => {
    for (const layout of Object.values(PRESETS)) expect(fromLink(toLink(layout))).toEqual({ layout });
    expect(fromLink({})).toEqual({ layout: DEFAULT_ID_LAYOUT });
  });

  it.each([
    [{ epoch: '9999999999999999' }, 'epoch'],
    [{ epoch: '-1' }, 'epoch'],
    [{ epoch: 'soon' }, 'epoch'],
    [{ ts: '42' }, 'bits'],
    [{ reserve: '0', ts: '42' }, 'bits'],
    [{ machine: '1e1' }, 'bits'],
  ])('%j is refused for its %s', (values, problem) => {
    expect(fromLink(values as Record<string, string>)).toEqual({ problem });
  });
});

it('odds rise with clients, and are certain when all places are taken', () => {
  expect(oddsOfMeeting(1, 256, 2 ** 21)).toBeCloseTo(0, 12);
  expect(oddsOfMeeting(2, 1, 2 ** 21)).toBeCloseTo(2 ** -21, 12);
  expect(oddsOfMeeting(100, 256, 2 ** 21)).toBeGreaterThan(oddsOfMeeting(50, 256, 2 ** 21));
  expect(oddsOfMeeting(3, 4, 8)).toBe(1);
});
