import { LIB_DEFAULT_EPOCH } from 'kazahana';
import { describe, expect, it } from 'vitest';
import { chosenLayout } from './layout-flags.js';

const WIDTHS = { bitReserve: 1, bitTs: 41, bitId: 10, bitSeq: 12 };

describe('the layout that flags name', () => {
  it.each([
    [{}, undefined],
    [{ epoch: 'Twitter' }, { preset: 'twitter', pool: {} }],
    [{ epoch: 'kazahana' }, { preset: 'kazahana', pool: {} }],
    [{ epoch: '2026-01-01T00:00:00Z' }, { preset: 'kazahana', pool: { customEpoch: LIB_DEFAULT_EPOCH } }],
    [{ bits: '1,41,10,12' }, { preset: 'kazahana', pool: WIDTHS }],
    // Own bits with a preset's epoch.
    [
      { epoch: 'unix', bits: '1,41,10,12' },
      { preset: 'kazahana', pool: { customEpoch: 0, ...WIDTHS } },
    ],
  ])('%j', (flags, expected) => expect(chosenLayout(flags)).toEqual(expected));

  it.each([
    [{ epoch: 'twiter' }, /^--epoch must be one of kazahana, twitter, discord, instagram, unix, or a time/],
    [{ epoch: '2026' }, /^--epoch must be one of/],
    [{ bits: '1,41,14' }, /^--bits must be four widths/],
    [{ bits: '1,41,14,8,1' }, /^--bits must be four widths/],
    [{ bits: '1,41,14,x' }, /^a width of --bits must be a whole number from 1 to 52, got "x"/],
    [{ bits: '1,41,14,9' }, /^bitReserve \+ bitTs \+ bitId \+ bitSeq must be/],
  ])('%j is refused', (flags, message) => expect(() => chosenLayout(flags)).toThrow(message));
});
