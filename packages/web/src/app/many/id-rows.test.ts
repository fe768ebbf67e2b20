import { generateMany } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { type Arrangement, analyse, arrange, MAX_ROWS, toCsv, toNdjson } from './id-rows.js';

const now = Date.UTC(2026, 10, 16);
const early = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
const late = '01941f29-7c01-7aaa-aaaa-aaaaaaaaaaaa';
const big = '9223372036854775807';
const PLAIN: Arrangement = { sort: 'number', isDescending: false, filter: 'all', search: '' };

describe('a log', () => {
  const log = `start\nGET /users/${late} 200\nsame {${late.toUpperCase()}}\nthen ${early}; id=${big}\n`;
  const found = analyse(log, now);

  it('gives its IDs with their lines, in every form', () => {
    expect(found.rows.map(({ line, title }) => [line, title])).toEqual([
      [2, 'UUID v7'],
      [3, 'UUID v7'],
      [4, 'UUID v7'],
      [4, expect.any(String)],
    ]);
    expect(found.found).toBe(4);
  });

  it('says of a number that it is only possibly what its first reading says', () => {
    const sure = analyse(`${early} 175928847299117063 1735689600000`, now).rows;
    expect(sure.map(({ title, certainty }) => [title, certainty])).toEqual([
      ['UUID v7', 'likely'],
      ['Discord snowflake', 'possible'],
      ['Unix time in milliseconds', 'likely'],
    ]);
  });

  it('has its repeats and order breaks marked', () => {
    expect(found.rows.map(({ isRepeat, isBreak }) => [isRepeat, isBreak])).toEqual([
      [false, false],
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect([found.repeats, found.breaks]).toEqual([1, 1]);
  });

  it('is sorted and filtered', () => {
    const numbers = (wanted: Partial<Arrangement>) =>
      arrange(found.rows, { ...PLAIN, ...wanted }).map(({ number }) => number);
    expect(numbers({ sort: 'id' })).toEqual([3, 1, 4, 2]);
    expect(numbers({ sort: 'time', isDescending: true, filter: 'repeats' })).toEqual([2]);
    expect(numbers({ filter: 'breaks' })).toEqual([3]);
    expect(numbers({ search: ' 01941F297C01 ' })).toEqual([1, 2]);
    expect(numbers({ search: '2025-01-01T00:00:00.000' })).toEqual([3]);
    expect(numbers({ search: 'uuid v7' })).toEqual([1, 2, 3]);
    expect(numbers({ search: 'nothing' })).toEqual([]);
  });

  it('comes out as CSV and NDJSON, no number rounded', () => {
    expect(toCsv(found.rows).split('\r\n')[1]).toBe(
      `1,2,${late},UUID v7,likely,2025-01-01T00:00:00.001Z,false,false`,
    );
    const [row] = found.rows;
    const titled = row ? [{ ...row, title: 'a "b", c' }] : [];
    expect(toCsv(titled)).toContain(',"a ""b"", c",');
    expect(JSON.parse(toNdjson(found.rows).split('\n')[3] ?? '')).toMatchObject({ id: big });
  });
});

it('v4 have no order to break', () => {
  expect(analyse(generateMany('v4', { count: 50 }).join('\n'), now).breaks).toBe(0);
});

it('what is beyond ten thousand is counted', () => {
  const found = analyse(generateMany('v7', { count: MAX_ROWS + 5 }).join('\n'), now);
  expect([found.rows.length, found.found, found.breaks, found.repeats]).toEqual([
    MAX_ROWS,
    MAX_ROWS + 5,
    0,
    0,
  ]);
});
