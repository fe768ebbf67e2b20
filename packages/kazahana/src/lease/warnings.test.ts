import { describe, expect, it } from 'vitest';
import { checkOnWarning } from './warnings.js';

describe('where warnings go', () => {
  it('is the function that is given', () => {
    const told: string[] = [];
    checkOnWarning((message) => told.push(message))('look');
    expect(told).toEqual(['look']);
  });

  it('is nothing but a function', () => {
    for (const onWarning of [null, 'console', 5, {}]) {
      expect(() => checkOnWarning(onWarning as never)).toThrow('onWarning must be a function');
    }
  });
});
