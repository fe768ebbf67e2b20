import { describe, expect, it } from 'vitest';
import { readTime } from './written-time.js';

describe('a time that a person writes', () => {
  const rows: [text: string, unixMs: number | undefined][] = [
    ['2025-01-01', 1_735_689_600_000],
    ['2025-01-01 00:00', 1_735_689_600_000],
    ['2025-01-01T09:00:00.000+09:00', 1_735_689_600_000],
    ['2025-01-01T00:00:00Z', 1_735_689_600_000],
    ['1735689600000', 1_735_689_600_000],
    ['2025-02-30', undefined],
    ['2025-13-01', undefined],
    ['yesterday', undefined],
    ['', undefined],
    ['1', undefined],
  ];
  for (const [text, unixMs] of rows) it(text || '(nothing)', () => expect(readTime(text)).toBe(unixMs));
});
