import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RepeatedKeys } from './repeated-keys.js';

function add(keys: RepeatedKeys, key: bigint): void {
  keys.add(Number(key >> 32n), Number(key & 0xffffffffn));
}

/** How often each key comes again. */
function repeatedOf(keys: readonly bigint[]): Map<bigint, number> {
  const times = new Map<bigint, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? -1) + 1);
  return new Map([...times].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('repeated keys', () => {
  it('are found, with as many runs on disk as it takes', () => {
    const key = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, 2n ** 64n - 1n));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 100 }), fc.integer({ min: 1, max: 40 }), (keys, runKeys) => {
        const found = new RepeatedKeys({ runKeys });
        for (const one of keys) add(found, one);
        const expected = repeatedOf(keys);
        const { count, keys: told } = found.find(1000);
        expect([...told]).toEqual([...expected]);
        expect(count).toBe([...expected.values()].reduce((sum, times) => sum + times, 0));
        expect(found.runs).toBe(keys.length > runKeys ? Math.ceil(keys.length / runKeys) : 0);
        found.dispose();
      }),
    );
  });

  it('are all counted, though not all are told', () => {
    const keys = new RepeatedKeys({ runKeys: 64 });
    for (let round = 0; round < 3; round++) for (let key = 0n; key < 100n; key++) add(keys, key * 2n ** 57n);
    const { count, keys: told } = keys.find(5);
    expect(count).toBe(200);
    expect([...told]).toEqual([0n, 1n, 2n, 3n, 4n].map((key) => [key * 2n ** 57n, 2]));
    keys.dispose();
  });

  it('are found among more runs than one window has keys', () => {
    const keys = new RepeatedKeys({ runKeys: 1000 });
    for (let key = 0; key < 60_000; key++) add(keys, BigInt((key * 7919) % 60_000));
    add(keys, 12_345n);
    expect(keys.runs).toBe(60);
    expect(keys.find(10)).toEqual({ count: 1, keys: new Map([[12_345n, 1]]) });
    keys.dispose();
  });
});
