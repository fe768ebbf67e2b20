import { describe, expect, it } from 'vitest';
import { padEnd, pointAt, truncate, visible, widthOf, wrap } from './text-width.js';

describe('text in columns', () => {
  it('wide characters take two, combining ones none', () => {
    expect(['abc', '風花', 'e\u0301', '👩‍👩‍👧', '한글', 'ｶ'].map(widthOf)).toEqual([3, 4, 1, 2, 4, 1]);
    expect(['abc', '風花'].map((text) => `${padEnd(text, 6)}|`)).toEqual(['abc   |', '風花  |']);
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

  it('cannot steer the terminal', () => {
    expect(visible('a\u001b[31mb\r\n\u009bc\u202ed\ud800e')).toBe('a�[31mb���c�d�e');
    expect(visible('風花 👩‍👩‍👧 é')).toBe('風花 👩‍👩‍👧 é');
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
    ['a\u001b[0mb', 1, 20, 'a�[0mb', 1],
    [`${'a'.repeat(100)}x`, 100, 40, `…${'a'.repeat(20)}x`, 21],
    ['a'.repeat(100), 5, 40, `${'a'.repeat(39)}…`, 5],
  ];
  for (const [text, position, columns, shown, caret] of rows) {
    it(`at ${position} of ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(pointAt(text, position, columns)).toEqual({ text: shown, caret });
    });
  }
});
