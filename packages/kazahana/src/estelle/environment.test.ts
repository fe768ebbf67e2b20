import { describe, expect, it } from 'vitest';
import { envName, isEnvId, MAX_ENV_ID, OutOfRangeError } from './index.js';

describe('an environment', () => {
  it('has the name that the seed gives it', () => {
    expect([0, 1, 2].map(envName)).toEqual(['release', 'stage', 'dev']);
    expect(MAX_ENV_ID).toBe(2);
  });

  for (const value of [3, -1, 0.5, Number.NaN, Infinity, '0', 0n, true, null, undefined, {}, [1]]) {
    it(`is not ${typeof value} ${String(value)}`, () => {
      expect(() => envName(value as number)).toThrow(OutOfRangeError);
      expect(() => envName(value as number)).toThrow(/^envId must be an integer from 0 to 2, got /);
      expect(isEnvId(value)).toBe(false);
    });
  }

  it('is recognised', () => {
    expect([0, 1, 2].every(isEnvId)).toBe(true);
  });
});
