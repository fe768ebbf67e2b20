import { describe, expect, it } from 'vitest';
import { generateUuids, MAX_COUNT, readCount } from './generating.js';

describe('a count', () => {
  const rows: [text: string, count: number | undefined][] = [
    ['1', 1],
    [' 10000 ', MAX_COUNT],
    ['10001', undefined],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['ten', undefined],
  ];
  for (const [text, count] of rows) it(JSON.stringify(text), () => expect(readCount(text)).toBe(count));
});

it('v7s of one page rise, and repeat none of their random bits', () => {
  const ids = [...generateUuids('v7', 5000), ...generateUuids('v7', 5000)];
  expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? ''))).toBe(true);
  expect(new Set(ids.map((id) => id.slice(19))).size).toBe(10_000);
});

it('v7s with a session tail rise and share a session', () => {
  const ids = [...generateUuids('v7', 5000, 'session'), ...generateUuids('v7', 5000, 'session')];
  expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? ''))).toBe(true);
  expect(new Set(ids.map((id) => id.slice(19, 32))).size).toBe(1);
});
