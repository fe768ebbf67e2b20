import { describe, expect, it } from 'vitest';
import { padEnd, padStart, pointAt, truncate, widthOf, wrap } from './text-width.js';

describe('text in columns', () => {
  it('wide characters take two, combining ones none', () => {
    expect(['abc', '風花', 'e\u0301', '👩‍👩‍👧', '한글', 'ｶ'].map(widthOf)).toEqual([3, 4, 1, 2, 4, 1]);
    expect(['abc', '風花'].map((text) => `${padEnd(text, 6)}|`)).toEqual(['abc   |', '風花  |']);
    expect(['abc', '風花'].map((text) => padStart(text, 6))).toEqual(['   abc', '  風花']);
  });

  it('is cut between characters, and what is left out is marked', () => {
    expect(truncate('風花は雪', 8)).toBe('風花は雪');
    expect(truncate('風花は雪', 7)).toBe('風花は…');
    expect(truncate('風花は雪', 6)).toBe('風花…');
    expect(truncate('a👩‍👩‍👧b', 3)).toBe('a…');
  });

  it('is wrapped between words', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('風花 は 雪', 5)).toEqual(['風花', 'は 雪']);
    expect(wrap('averylongword', 5)).toEqual(['averylongword']);
  });

  it('costs what it is long, not the square of that', () => {
    const length = 16_000;
    const before = process.cpuUsage().user;
    for (const character of ['\u200b', 'e\u0301', '風']) {
      const text = character.repeat(length);
      truncate(text, length - 1);
      wrap(text, 80);
      pointAt(text, length, 80);
    }
    // Of this process alone, in microseconds: some hundred thousand; it was a hundred million and more.
    expect(process.cpuUsage().user - before).toBeLessThan(4_000_000);
  });
});

describe('a caret', () => {
  const rows: [
    text: string,
    position: number | undefined,
    columns: number,
    shown: string,
    caret: number | undefined,
  ][] = [
    ['abc', 1, 20, 'abc', 1],
    ['abc', 3, 20, 'abc', 3],
    ['abc', undefined, 20, 'abc', undefined],
    ['', 0, 20, '', 0],
    // Under the column, not under the index.
    ['風花x', 2, 20, '風花x', 4],
    ['a\u001b[0mb', 1, 20, 'a\\u001b[0mb', 1],
    ['\u001b\u200bx', 2, 40, '\\u001b\\u200bx', 12],
    // Escapes are wide, and the caret stays on the screen.
    ['\u200b'.repeat(50), 25, 20, '…\\u200b\\u200b\\u200b…', 7],
    [`${'🎉'.repeat(30)}x`, 60, 20, `…${'🎉'.repeat(5)}x`, 11],
    [`${'a'.repeat(100)}x`, 100, 40, `…${'a'.repeat(20)}x`, 21],
    ['a'.repeat(100), 5, 40, `${'a'.repeat(39)}…`, 5],
  ];
  for (const [text, position, columns, shown, caret] of rows) {
    it(`at ${position} of ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(pointAt(text, position, columns)).toEqual({ text: shown, caret });
    });
  }
});
