import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitsOf, branchOf, changeLevel, encode, isAllowed, LEVELS, slidersOf } from './estelle-fields.js';

const anyLevel = fc.constantFrom(...LEVELS);

describe('an Estelle ID', () => {
  it('is the same through sliders and back', () => {
    fc.assert(
      fc.property(anyLevel, fc.nat(2 ** 24 - 1), (level, number) => {
        const id = number % 2 ** bitsOf(level);
        fc.pre(isAllowed(level, id));
        const values = Object.fromEntries(slidersOf(level, id).map(({ name, value }) => [name, value]));
        expect(encode(level, values)).toBe(id);
      }),
    );
  });

  it('has a branch from its environment down to itself', () => {
    expect(branchOf('conversation', 8786953)).toEqual([
      { title: 'environment', label: 'dev', id: 2 },
      { title: 'pylon', label: '3', id: 67 },
      { title: 'workspace', label: '5', id: 8581 },
      { title: 'conversation', label: '9', id: 8786953 },
    ]);
    expect(
      branchOf('client', encode('client', { envId: 1, deviceIndex: 0 })).map(({ title }) => title),
    ).toEqual(['environment', 'client']);
  });

  it('goes to another level and is allowed there', () => {
    fc.assert(
      fc.property(anyLevel, anyLevel, (from, to) => {
        expect(isAllowed(to, changeLevel(from, encode(from, {}), to))).toBe(true);
      }),
    );
    expect(changeLevel('conversation', 8786953, 'workspace')).toBe(8581);
  });
});
