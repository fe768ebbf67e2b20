import { describe, expect, it } from 'vitest';
import { generateV7 } from '../uuid/index.js';
import { findIds } from './index.js';

describe('findIds', () => {
  it('finds the IDs of a log, in order, with their places', () => {
    const uuid = generateV7();
    const log = `12:00 user=${uuid} order=137465797017601287 port=7420 {${uuid}} urn:uuid:${uuid}, x${uuid}`;
    const found = [...findIds(log)];
    expect(found.map(({ text }) => text)).toEqual([
      uuid,
      '137465797017601287',
      `{${uuid}}`,
      `urn:uuid:${uuid}`,
    ]);
    for (const { text, index } of found) expect(log.slice(index, index + text.length)).toBe(text);
  });

  it('does not take part of a longer word or number', () => {
    expect([
      ...findIds('a137465797017601287 1374657970176012871374657970176012870 abc-137465797017601287'),
    ]).toEqual([]);
  });

  it('takes no longer for a long line of digits and hyphens', () => {
    expect([...findIds('1-'.repeat(50_000))]).toEqual([]);
    expect([...findIds('f'.repeat(100_000))]).toEqual([]);
  });
});
