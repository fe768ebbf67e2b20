import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import { creation, NOTHING_WANTED, noChanges } from './new-pool.js';
import { encodePool } from './records.js';
import { newPool } from './rules.js';

const NO_CHANGES = {
  ...{ grants: 0, serialAtLeast: 0 },
  ...{ slots: [], responses: [], forget: [], quotas: [] },
};

describe('a pool that is made', () => {
  it('must not be there, and is written as its record alone', () => {
    const like = { layout: DEFAULT_ID_LAYOUT, share: { index: 0, of: 1 }, maxWindow: 1000 };
    const pool = newPool('p', 'g', like);
    expect(creation(pool)).toEqual({ ...NO_CHANGES, poolVersion: null, pool: encodePool(pool) });
  });
});

describe('what changes nothing', () => {
  it('rests on the version of the pool that was read', () => {
    expect(noChanges({ pool: { data: '', version: '7' } })).toEqual({ ...NO_CHANGES, poolVersion: '7' });
    expect(noChanges({ pool: null })).toEqual({ ...NO_CHANGES, poolVersion: null });
  });

  it('wants the record of the pool alone', () =>
    expect(NOTHING_WANTED).toEqual({ slots: [], requests: [], quotas: [] }));
});
