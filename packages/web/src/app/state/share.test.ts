import { describe, expect, it } from 'vitest';
import { ROOMS, readFragment, writeFragment } from './share.js';

describe('a link', () => {
  it('says again what it was told', () => {
    const shared = { room: 'inspect', values: { id: '9223372036854775807', as: 'kazahana' } } as const;
    expect(writeFragment(shared)).toBe('#inspect?id=9223372036854775807&as=kazahana');
    expect(readFragment(writeFragment(shared))).toEqual(shared);
  });

  it('holds any text', () => {
    const values = { id: '<img src=x onerror=alert(1)> & #?=風花' };
    expect(readFragment(writeFragment({ room: 'inspect', values }))).toEqual({ room: 'inspect', values });
  });

  it('never holds a key, whoever asks for it', () => {
    const values = { id: '42', secret: 'hush', token: 'hush', key: 'hush' };
    for (const room of ROOMS) expect(writeFragment({ room, values })).not.toContain('hush');
    expect(readFragment('#public?id=42&secret=hush&token=hush')?.values).toEqual({ id: '42' });
  });

  it('of another kind is none of ours', () => {
    for (const fragment of ['', '#', '#x', '#__proto__?id=1', '#inspector']) {
      expect(readFragment(fragment)).toBeUndefined();
    }
    expect(readFragment(`#inspect?id=${'1'.repeat(5000)}`)?.values).toEqual({});
  });
});
