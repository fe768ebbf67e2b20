import { describe, expect, it } from 'vitest';
import { UsageError } from './terminal.js';
import { countOf, idOf, timeOf, wholeNumber } from './values.js';

describe('a whole number', () => {
  it('is what it says', () => {
    expect(wholeNumber('it', '0', 0, 5)).toBe(0);
    expect(wholeNumber('it', '-3', -5, 5)).toBe(-3);
    expect(countOf('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  });

  for (const text of ['', ' ', '6', '-1', '1.5', '1e3', '0x5', '１', '1_000', 'NaN', '1e9999', '5 ']) {
    it(`${JSON.stringify(text)} is refused from 0 to 5`, () => {
      expect(() => wholeNumber('it', text, 0, 5)).toThrow(
        new UsageError(`it must be a whole number from 0 to 5, got ${JSON.stringify(text)}`),
      );
    });
  }
});

describe('a time', () => {
  const rows: [text: string, unixMs: number][] = [
    ['2026-11-16', Date.UTC(2026, 10, 16)],
    ['2026-11-16T12:00Z', Date.UTC(2026, 10, 16, 12)],
    ['2026-11-16T12:00:05.25Z', Date.UTC(2026, 10, 16, 12, 0, 5, 250)],
    ['2026-11-16T12:00:00+09:00', Date.UTC(2026, 10, 16, 3)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1794787200000', 1_794_787_200_000],
    ['0001-01-01', Date.parse('0001-01-01')],
  ];
  for (const [text, unixMs] of rows) it(`${text}`, () => expect(timeOf('--at', text)).toBe(unixMs));

  it('now', () => {
    const before = Date.now();
    expect(timeOf('--at', 'now')).toBeGreaterThanOrEqual(before);
  });

  // What Date.parse takes, it guesses: 'hello 5' is a day in May 2001 to it, and February 30 one in March.
  for (const text of [
    ...['', 'yesterday', 'hello 5', '5', '2026', '1794787200', '-1794787200000', '2026-13-01', '2026-02-30'],
    ...[
      '2025-02-29',
      '2026-00-10',
      '2026-01-00',
      '2026-11-16T25:00Z',
      '2026-11-16 12:00',
      '16.11.2026',
      '1e15',
    ],
  ]) {
    it(`${JSON.stringify(text)} is refused`, () => {
      expect(() => timeOf('--at', text)).toThrow(/^--at must be a time like/);
    });
  }
});

describe('an ID', () => {
  const rows: [text: string, id: bigint][] = [
    ['0', 0n],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['0xFFFFFFFFFFFFFFFF', 2n ** 64n - 1n],
    ['007', 7n],
  ];
  for (const [text, id] of rows) it(text, () => expect(idOf(text)).toBe(id));
  for (const text of ['', '18446744073709551616', '-1', '1.5', '0x', '0x10000000000000000', 'ff', '1n'])
    it(`${JSON.stringify(text)} is refused`, () => expect(() => idOf(text)).toThrow(UsageError));
});
