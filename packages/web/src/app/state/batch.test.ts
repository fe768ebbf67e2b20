import { generateMany } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { analyse, arrange, MAX_ROWS, toCsv, toNdjson } from './batch.js';

const now = Date.UTC(2026, 10, 16);
const early = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
const late = '01941f29-7c01-7aaa-aaaa-aaaaaaaaaaaa';
const big = '9223372036854775807';

describe('a log', () => {
  const log = `start\nGET /users/${late} 200\nsame {${late.toUpperCase()}}\nthen ${early}; id=${big}\n`;
  const batch = analyse(log, now);

  it('gives its IDs with their lines, in every form', () => {
    expect(batch.rows.map(({ line, title }) => [line, title])).toEqual([
      [2, 'UUID v7'],
      [3, 'UUID v7'],
      [4, 'UUID v7'],
      [4, expect.any(String)],
    ]);
    expect(batch.found).toBe(4);
  });

  it('has its repeats and order breaks marked', () => {
    expect(batch.rows.map(({ isRepeat, isBreak }) => [isRepeat, isBreak])).toEqual([
      [false, false],
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect([batch.repeats, batch.breaks]).toEqual([1, 1]);
  });

  it('is sorted and filtered', () => {
    expect(arrange(batch.rows, 'id', false, 'all').map(({ number }) => number)).toEqual([3, 1, 4, 2]);
    expect(arrange(batch.rows, 'time', true, 'repeats').map(({ number }) => number)).toEqual([2]);
    expect(arrange(batch.rows, 'number', false, 'breaks').map(({ number }) => number)).toEqual([3]);
  });

  it('comes out as CSV and NDJSON, no number rounded', () => {
    expect(toCsv(batch.rows).split('\r\n')[1]).toBe(
      `1,2,${late},UUID v7,2025-01-01T00:00:00.001Z,false,false`,
    );
    expect(JSON.parse(toNdjson(batch.rows).split('\n')[3] ?? '')).toMatchObject({ id: big });
  });
});

it('v4 have no order to break', () => {
  expect(analyse(generateMany('v4', { count: 50 }).join('\n'), now).breaks).toBe(0);
});

it('what is beyond ten thousand is counted', () => {
  const batch = analyse(generateMany('v7', { count: MAX_ROWS + 5 }).join('\n'), now);
  expect([batch.rows.length, batch.found, batch.breaks, batch.repeats]).toEqual([
    MAX_ROWS,
    MAX_ROWS + 5,
    0,
    0,
  ]);
});
