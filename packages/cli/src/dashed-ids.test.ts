import { describe, expect, it } from 'vitest';
import { shieldDashedIds, unshield } from './dashed-ids.js';

describe('an ID that begins with a hyphen', () => {
  const rows: [words: string, dashed: number][] = [
    ['external decode -SNFZ4mrze8', 1],
    ['external decode --NFZ4mrze8 ASNFZ4mrze8 -SNFZ4mrze8 --json', 2],
    ['inspect -SNFZ4mrze8', 1],
    ['inspect -JhLeOlGIEjaIOFHR0xd --short', 1],
    ['inspect -V1StGXR8_Z5jdHi6B-my --external-algorithm none', 1],
    // Options stay options, the one of eleven characters, too.
    ['external decode ASNFZ4mrze8 --algorithm none', 0],
    ['inspect 5 --as kazahana --json', 0],
    ['uuid -SNFZ4mrze8', 0],
    ['external encode -SNFZ4mrze8', 0],
  ];
  for (const [line, dashed] of rows) {
    it(`${line}: ${dashed}`, () => {
      const words = line.split(' ');
      const shielded = shieldDashedIds(words);
      expect(shielded.filter((word, i) => word !== words[i]).length).toBe(dashed);
      expect(shielded.map(unshield)).toEqual(words);
    });
  }
});
