import { randomFillSync } from 'node:crypto';
import { formatUuid, isUuid, UuidV7Generator } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { V7Lines } from './v7-lines.js';

const linesOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd().split('\n');

describe('lines of UUIDv7s', () => {
  it('are the bytes of the generator, as formatUuid writes them', () => {
    const filled: Uint8Array[] = [];
    const generator = {
      fill(bytes: Uint8Array) {
        randomFillSync(bytes);
        filled.push(bytes.slice());
      },
    };
    const lines = new V7Lines(100, generator);
    for (const count of [100, 1, 37]) {
      const text = linesOf(lines.next(count));
      const bytes = filled.at(-1) ?? new Uint8Array();
      expect(text).toEqual(
        Array.from({ length: count }, (_, i) => formatUuid(bytes.slice(16 * i, 16 * i + 16))),
      );
    }
  });

  it('rise from portion to portion', () => {
    const lines = new V7Lines(1000, new UuidV7Generator());
    const all = [1000, 1000, 5, 1000].flatMap((count) => linesOf(lines.next(count)));
    expect(all).toHaveLength(3005);
    expect(all).toEqual(all.toSorted());
    expect(new Set(all).size).toBe(3005);
    expect(all.every(isUuid)).toBe(true);
  });
});
