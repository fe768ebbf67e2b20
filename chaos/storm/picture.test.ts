// The picture has an area for each kind, a bar for each fault and a line for each warning.
import { describe, expect, it } from 'vitest';
import { drawStorm, niceCeiling } from './picture.ts';

describe('the picture of a storm', () => {
  const seconds = [5, 7, 3].map((leased) => ({ leased, fenced: 1, random: 0, stray: 0 }));
  const ids = { attempted: 20, made: 18, checked: 18, leased: 15, fenced: 3, random: 0, stray: 0 };
  const faults = [{ name: 'cut & <swap>', lane: 'network', from: 500, to: 1500 }];
  const warnings = [{ at: 700, kind: 'fenced' }];
  const svg = drawStorm({
    ...{ setUp: 'sqlite', seed: 7, timeline: { began: 0, seconds, faults, warnings } },
    ids: { ...ids, fallbackShare: 0.1, randomMeetings: 0 },
  });

  it('has an area for each kind', () => {
    expect(svg.match(/<polygon /g)).toHaveLength(3);
  });

  it('names its lanes, faults and warnings, as text and not as markup', () => {
    expect(svg).toContain('>network</text>');
    expect(svg).toContain('<title>cut &amp; &lt;swap&gt;</title>');
    expect(svg).toContain('>warning: fenced</text>');
  });

  it('says what it shows', () => {
    expect(svg).toContain('<title>Storm on sqlite, seed 7: 18 IDs</title>');
  });
});

it.each([
  [0, 1],
  [1, 1],
  [1.5, 2],
  [4999, 5000],
  [5001, 10_000],
])('an axis for values up to %d ends at %d', (most, end) => {
  expect(niceCeiling(most)).toBe(end);
});
