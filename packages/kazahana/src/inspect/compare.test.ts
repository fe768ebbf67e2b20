import { describe, expect, it } from 'vitest';
import { minIdAt } from '../id/index.js';
import { compareIds } from './index.js';

const NOW = Date.UTC(2026, 10, 18);
const compare = (a: string, b: string) => compareIds(a, b, { now: NOW });

describe('two IDs', () => {
  it('of one node of UUID v1: the time between them, and the maker', () => {
    const a = 'c232ab00-9414-11ec-b3c8-9f6bdeced846';
    const b = 'c2332100-9414-11ec-b3c8-9f6bdeced846';
    expect(compare(a, b)).toMatchObject({
      isSameFormat: true,
      order: -1,
      msBetween: 3,
      differingBits: 4,
      equalFirstBits: 15,
      maker: 'same',
      makerNote: { text: 'Both carry node 9f:6b:de:ce:d8:46.' },
    });
  });

  it('of one process of MongoDB, and of two', () => {
    expect(compare('507f1f77bcf86cd799439011', '507c7f79bcf86cd7994f6c0e')).toMatchObject({
      msBetween: -(((2 * 24 - 1) * 60 + 47) * 60 + 10) * 1000,
      order: 1,
      maker: 'same',
    });
    expect(compare('507f1f77bcf86cd799439011', '6592008029c8c3e4dc76256c')).toMatchObject({
      order: -1,
      maker: 'different',
      makerNote: { text: 'They carry process bcf86cd799 and 29c8c3e4dc.' },
    });
  });

  it('of one machine ID of a pool: who held it when is not in the bits', () => {
    const [a, b] = [minIdAt(NOW - 5000) + 1280n, minIdAt(NOW - 1000) + 1281n];
    expect(compare(String(a), String(b))).toMatchObject({
      isSameFormat: true,
      msBetween: 4000,
      maker: 'unknown',
      makerNote: { key: 'maker-slot' },
    });
  });

  it('that are random say nothing of each other', () => {
    const [a, b] = ['919108f7-52d1-4320-9bac-f847db4148a8', '16fd2706-8baf-433b-82eb-8c7fada847da'];
    expect(compare(a, b)).toMatchObject({ isSameFormat: true, msBetween: null, maker: 'unknown' });
  });

  it('are read alike where they can be', () => {
    // Alone, the first is a Twitter ID only, the second more likely Discord's.
    const { readings } = compare('1777150623882019211', '1212092628029698048');
    expect(readings?.map(({ format }) => format)).toEqual(['twitter-snowflake', 'twitter-snowflake']);
  });

  it('of different kinds: the time between them, no order', () => {
    expect(compare('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', '1735689601000')).toMatchObject({
      isSameFormat: false,
      order: null,
      msBetween: 1000,
      differingBits: null,
      maker: 'unknown',
    });
  });

  it('of which one is none', () => {
    expect(compare('hello', '1735689601000')).toMatchObject({ readings: undefined, msBetween: null });
  });
});
