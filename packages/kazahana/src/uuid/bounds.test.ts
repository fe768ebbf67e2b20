import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxUuidV7At, minUuidV7At, OutOfRangeError, UuidV7Generator, uuidVersion } from './index.js';
import { uuidV7Layout } from './layouts.js';

const MAX_UNIX_MS = 2 ** 48 - 1;
const numberOf = (uuid: string) => BigInt(`0x${uuid.replaceAll('-', '')}`);

describe('minUuidV7At and maxUuidV7At', () => {
  it('are what the layout encodes, for every time', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(5), fc.nat(MAX_UNIX_MS), fc.constant(MAX_UNIX_MS)), (unixMs) => {
        const encode = (counter: number, random: bigint) =>
          uuidV7Layout.encode({ unixMs, version: 7, counter, random });
        expect(numberOf(minUuidV7At(unixMs))).toBe(encode(0, 0n));
        expect(numberOf(maxUuidV7At(unixMs))).toBe(encode(0xfff, 2n ** 62n - 1n));
      }),
    );
  });

  it('enclose every v7 of their millisecond, and none of the next', () => {
    const uuid = new UuidV7Generator().nextAt(1_735_689_600_000);
    const time = new Date('2025-01-01T00:00:00Z');
    expect(minUuidV7At(time) <= uuid && uuid <= maxUuidV7At(time)).toBe(true);
    expect(maxUuidV7At(time) < minUuidV7At(time.getTime() + 1)).toBe(true);
    expect([minUuidV7At(time), maxUuidV7At(time)].map(uuidVersion)).toEqual([7, 7]);
  });

  for (const time of [-1, 1.5, Number.NaN, 2 ** 48, new Date(Number.NaN), '2025-01-01', null, undefined]) {
    it(`refuse ${typeof time} ${String(time)}`, () => {
      for (const boundAt of [minUuidV7At, maxUuidV7At]) {
        expect(() => boundAt(time as number)).toThrow(OutOfRangeError);
        expect(() => boundAt(time as number)).toThrow('time must be an integer from 0 to 281474976710655');
      }
    });
  }
});
