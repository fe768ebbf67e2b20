import { describe, expect, it } from 'vitest';
import { generateV4, validateUuid } from './index.js';
import { uuidV4Layout } from './layouts.js';

describe('generateV4', () => {
  it('is valid, every time', () => {
    for (let i = 0; i < 5000; i++) {
      const uuid = generateV4();
      expect(validateUuid(uuid)).toMatchObject({ isValid: true, version: 'v4', normalized: uuid });
    }
  });

  it('does not repeat itself', () => {
    expect(new Set(Array.from({ length: 50_000 }, generateV4)).size).toBe(50_000);
  });

  it('has chance in all of its 122 bits', () => {
    const ones = [0n, 0n, 0n];
    const zeros = [0n, 0n, 0n];
    for (let i = 0; i < 200; i++) {
      const fields = uuidV4Layout.decode(BigInt(`0x${generateV4().replaceAll('-', '')}`));
      [BigInt(fields.randomA), BigInt(fields.randomB), fields.randomC].forEach((value, field) => {
        ones[field] = (ones[field] ?? 0n) | value;
        zeros[field] = (zeros[field] ?? 0n) | ~value;
      });
    }
    // Every bit is seen set and seen clear; the odds of failing by chance are 122 × 2 × 2^-200.
    [48, 12, 62].forEach((bits, field) => {
      expect(BigInt.asUintN(bits, ones[field] ?? 0n)).toBe(2n ** BigInt(bits) - 1n);
      expect(BigInt.asUintN(bits, zeros[field] ?? 0n)).toBe(2n ** BigInt(bits) - 1n);
    });
  });
});
