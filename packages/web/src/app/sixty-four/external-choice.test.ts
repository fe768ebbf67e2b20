import { describe, expect, it } from 'vitest';
import {
  addKey,
  changeKey,
  codecOf,
  DEFAULT_CHOICE,
  type ExternalChoice,
  removeKey,
} from './external-choice.js';

const ID = 115892101120000263n;

function written(choice: ExternalChoice): string {
  const found = codecOf(choice);
  if ('problem' in found) throw new Error(found.problem);
  const text = found.codec.toExternalId(ID);
  expect(found.codec.toInternalId(text)).toBe(ID);
  return text;
}

describe('a choice of external IDs', () => {
  const keyed: ExternalChoice = { ...DEFAULT_CHOICE, algorithm: 'xtea', secret: 'one' };

  it('without a prefix and with one key is 11 characters', () => {
    for (const choice of [DEFAULT_CHOICE, { ...DEFAULT_CHOICE, algorithm: 'none' as const }, keyed])
      expect(written(choice)).toMatch(/^[\w-]{11}$/);
  });

  it('with a prefix begins with it', () => {
    expect(written({ ...keyed, prefix: 'user' })).toMatch(/^user_[\w-]{11}$/);
    expect(written({ ...keyed, prefix: 'user' }).slice(5)).not.toBe(
      written({ ...keyed, prefix: 'order' }).slice(6),
    );
  });

  it('with keys has the label of the newest, and the older one still reads', () => {
    const rotated = changeKey(addKey(keyed), 'b', 'two');
    expect(written(rotated)).toMatch(/^b[\w-]{11}$/);
    const old = written({ ...rotated, current: 'a' });
    const found = codecOf(rotated);
    expect('codec' in found && found.codec.toInternalId(old)).toBe(ID);
  });

  it('goes back to one key when the others are removed', () => {
    const rotated = addKey(keyed);
    expect(removeKey(rotated, 'b')).toEqual(keyed);
    expect(removeKey(addKey(rotated), 'c')).toMatchObject({
      current: 'b',
      keys: [{ label: 'a' }, { label: 'b' }],
    });
  });

  it('that cannot be is said, never guessed', () => {
    expect(codecOf({ ...keyed, secret: '' })).toEqual({ problem: 'secret' });
    expect(codecOf(addKey(keyed))).toEqual({ problem: 'secret' });
    expect(codecOf({ ...DEFAULT_CHOICE, prefix: 'User!' })).toEqual({ problem: 'prefix' });
  });
});
