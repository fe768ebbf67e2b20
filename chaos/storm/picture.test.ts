// The picture has an area for each kind, a row for each lane of faults and for each kind of warning.
import { describe, expect, it } from 'vitest';
import { drawStorm, niceCeiling } from './picture.ts';

describe('the picture of a storm', () => {
  const seconds = [5, 7, 3].map((leased) => ({ leased, fenced: 1, random: 0, stray: 0 }));
  const ids = { attempted: 20, made: 18, checked: 18, leased: 15, fenced: 3, random: 0, stray: 0 };
  const faults = [{ name: 'cut', lane: 'network & <more>', from: 500, to: 1500 }];
  const warnings = [{ at: 700, kind: 'fenced' }];
  const svg = drawStorm({
    ...{ setUp: 'sqlite', seed: 7, timeline: { began: 0, seconds, faults, warnings } },
    ids: { ...ids, fallbackShare: 0.1, randomMeetings: 0 },
  });

  it('has an area for each kind', () => {
    expect(svg.match(/<polygon /g)).toHaveLength(3);
  });

  it('names its lanes and warnings, as text and not as markup', () => {
    expect(svg).toContain('>network &amp; &lt;more&gt;</text>');
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
