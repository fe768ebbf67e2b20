import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeClientId,
  decodeConversationId,
  decodeDeviceId,
  decodePylonId,
  decodeWorkspaceId,
  encodeWorkspaceId,
  isClientId,
  isConversationId,
  isDeviceId,
  isPylonId,
  isWorkspaceId,
} from './index.js';

function decodes(decode: (id: number) => unknown, value: unknown): boolean {
  try {
    decode(value as number);
    return true;
  } catch {
    return false;
  }
}

const PAIRS: [guard: (value: unknown) => boolean, decode: (id: number) => unknown, bits: number][] = [
  [isPylonId, decodePylonId, 7],
  [isClientId, decodeClientId, 7],
  [isDeviceId, decodeDeviceId, 7],
  [isWorkspaceId, decodeWorkspaceId, 14],
  [isConversationId, decodeConversationId, 24],
];

describe('a guard says yes to exactly what its decoder takes', () => {
  for (const [guard, decode, bits] of PAIRS) {
    it(guard.name, () => {
      if (bits <= 14) {
        const differing = Array.from({ length: 2 ** bits + 2 }, (_, i) => i - 1).filter(
          (id) => guard(id) !== decodes(decode, id),
        );
        expect(differing).toEqual([]);
      }
      const ids = fc.oneof(fc.integer({ min: -1, max: 2 ** bits }), fc.anything());
      fc.assert(
        fc.property(ids, (id) => guard(id) === decodes(decode, id)),
        { numRuns: 1000 },
      );
    });
  }
});

describe('a guard', () => {
  it('counts 45 pylons, 48 clients and 93 devices', () => {
    const ids = Array.from({ length: 128 }, (_, i) => i);
    expect([isPylonId, isClientId, isDeviceId].map((guard) => ids.filter(guard).length)).toEqual([
      45, 48, 93,
    ]);
  });

  const strangers = ['1', 1n, Number.NaN, Infinity, 1.5, -1, -0, 2 ** 24, true, null, undefined, {}, [1]];
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const value of [...strangers, { valueOf: () => 1 }, Symbol('1'), () => 1, revoked]) {
    it(`says no, and does not throw, for ${value === revoked ? 'a revoked proxy' : `${typeof value} ${String(value)}`}`, () => {
      expect(PAIRS.map(([guard]) => guard(value))).toEqual([false, false, false, false, false]);
    });
  }

  it('turns a number from a database into an ID that the encoders take', () => {
    const stored: number = 67;
    expect(isPylonId(stored) && encodeWorkspaceId(stored, 5)).toBe(8581);
  });
});
