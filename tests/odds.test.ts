import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { meanMsUntilMeeting, oddsOfMeeting, oddsTable, outageTable } from '../scripts/odds.ts';

/** Every way to place the runs, counted. */
function countMeetings(clients: number, each: number, places: number): number {
  let met = 0;
  for (let way = 0; way < places ** clients; way++) {
    const starts = Array.from({ length: clients }, (_, i) => Math.floor(way / places ** i) % places);
    const made = new Set(starts.flatMap((start) => Array.from({ length: each }, (_, i) => start + i)));
    if (made.size < clients * each) met++;
  }
  return met / places ** clients;
}

describe('the odds of random fallback', () => {
  for (const [clients, each, places] of [
    [1, 3, 5],
    [2, 1, 9],
    [2, 3, 11],
    [3, 2, 12],
    [4, 2, 9],
    [3, 4, 8],
    [5, 1, 4],
  ] as const) {
    it(`are exact for ${clients} clients with ${each} each on ${places} places`, () => {
      expect(oddsOfMeeting(clients, each, places)).toBeCloseTo(countMeetings(clients, each, places), 12);
    });
  }

  it('are at most those of the simple formula, and nearly equal while they are small', () => {
    for (const clients of [2, 5, 10, 50, 100]) {
      for (const each of [1, 4, 16, 64, 256]) {
        let apart = 1;
        for (let i = 1; i < clients; i++) apart *= 1 - (i * (2 * each - 1)) / 2 ** 21;
        const [exact, simple] = [oddsOfMeeting(clients, each), 1 - apart];
        expect(exact).toBeLessThanOrEqual(simple + 1e-9);
        if (simple < 0.1) expect(exact / simple).toBeGreaterThan(0.99);
      }
    }
  });

  it('do not jump where every millisecond begins to have an ID of every client', () => {
    expect(meanMsUntilMeeting(10, 999.99) / meanMsUntilMeeting(10, 1000)).toBeCloseTo(1, 3);
  });

  it('stand in the document as they are computed', () => {
    const text = readFileSync(new URL('../docs/uniqueness.md', import.meta.url), 'utf8');
    expect(text).toContain(`\n\n${oddsTable()}\n\n`);
    expect(text).toContain(`\n\n${outageTable()}\n\n`);
  });
});
