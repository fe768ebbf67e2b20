import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/index.js';
import type { AcquireResponse, LeaseInfo } from '../lease/types.js';
import { holdLease, leasesIn } from './held-lease.js';

const LEASE: LeaseInfo = {
  ...DEFAULT_ID_LAYOUT,
  id: 1,
  created: 100,
  expired: 200,
  fallbackUntil: 300,
  secret: 's',
};

const hold = (changes: object = {}, pool?: string) => holdLease({ ...LEASE, ...changes }, pool, 0.9, 0);

describe('R8: a lease is refused when', () => {
  const rows: [title: string, changes: object, message: string][] = [
    ['it ends when it begins', { created: 200 }, 'a lease from 200 to 200'],
    ['it ends before it begins', { created: 201 }, 'has no window'],
    ['its fallback ends before it does', { fallbackUntil: 199 }, 'with fallback until 199, has no window'],
    [
      'its machine ID is of the fallback half',
      { id: 2 ** 13 },
      'machine ID 8192 is not in the leased half of 14 bits',
    ],
    ['its machine ID is negative', { id: -1 }, 'id of a lease must be a whole number, got -1'],
    ['a time is no whole number', { expired: 200.5 }, 'expired of a lease must be a whole number'],
    ['a time is a text', { fallbackUntil: '300' }, 'fallbackUntil of a lease must be a whole number'],
    ['its widths do not sum to 64', { bitSeq: 9 }, 'must be an integer from 64 to 64, got 65'],
    ['it has no secret', { secret: '' }, 'secret of a lease must be a string'],
    [
      'its secret is no text: no client could sign with it',
      { secret: 7 },
      'secret of a lease must be a string',
    ],
  ];
  for (const [title, changes, message] of rows) {
    it(title, () => expect(() => hold(changes)).toThrow(message));
  }
});

describe('a lease that is just right', () => {
  it('may last a millisecond, have no grace, and be the last of its half', () => {
    expect(hold({ created: 199, fallbackUntil: 200, id: 2 ** 13 - 1 })).toMatchObject({
      created: 199,
      fallbackUntil: 200,
    });
    expect(hold({ fallbackUntil: undefined }).fallbackUntil).toBe(200);
  });

  it('is a range of suffixes with a window', () => {
    expect(hold({ id: 3 })).toEqual({
      ...{ id: 3, secret: 's', created: 100, expired: 200, fallbackUntil: 300 },
      ...{ layout: DEFAULT_ID_LAYOUT, claim: undefined, isReleased: false },
      ...{ start: 768, end: 1024, throughput: 256, dueAt: 190 },
    });
  });

  it('is due at the threshold of its time, or up to a tenth earlier by chance', () => {
    expect([0, 0.5, 1].map((chance) => holdLease(LEASE, undefined, 0.9, chance).dueAt)).toEqual([
      190, 185, 181,
    ]);
  });

  it('can be claimed from a provider that names its pool, with the proof that came with it', () => {
    const window = { pool: 'p', id: 1, bitId: 14, bitSeq: 8, created: 100, expired: 200, fallbackUntil: 300 };
    expect(hold({}, 'p').claim).toStrictEqual(window);
    expect(hold({ proof: 'ab' }, 'p').claim).toEqual({ ...window, proof: 'ab' });
    expect(hold({ proof: 'ab' }).claim).toBeUndefined();
  });
});

describe('R8: of a response, those are leases', () => {
  const [first, second] = [LEASE, { ...LEASE, id: 2 }];
  const rows: [title: string, response: unknown, leases: unknown[]][] = [
    ['that it lists', { leases: [first, second] }, [first, second]],
    [
      'that are objects: the rest of a malicious list is left out',
      { leases: [null, first, 'x', 5] },
      [first],
    ],
    ['none, when there is no list', { leases: { length: 1, 0: first } }, []],
    ['none, when there is no response', undefined, []],
    ['none, when there are more than a client takes', { leases: Array(5).fill(first) }, []],
  ];
  for (const [title, response, leases] of rows) {
    it(title, () => expect(leasesIn(response as AcquireResponse, 4)).toEqual(leases));
  }
});
