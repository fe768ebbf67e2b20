import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import { decodePool, decodeSlot, encodePool, encodeSlot } from './records.js';
import { newPool, type PoolRecord, type SlotRecord } from './rules.js';

const CONFIGURED = { layout: DEFAULT_ID_LAYOUT, share: { index: 1, of: 2 }, maxWindow: 900 };
const POOL: PoolRecord = {
  ...newPool('pool-1', 'g2', CONFIGURED),
  former: [{ generation: 'g1', bitId: 12, bitSeq: 10, until: 5 }],
  lostIds: ['pool-0'],
  incarnation: { id: 'a', mayLose: true },
};

const WINDOW = { created: 3, expired: 4, fallbackUntil: 5 };
const SLOT: SlotRecord = {
  generation: 'g2',
  slot: 5,
  freeFrom: 9,
  quotas: ['q'],
  lease: {
    serviceId: 'a',
    holder: { host: 'b' },
    secret: 's',
    ...WINDOW,
    request: 'r',
    granted: 3,
    since: 2,
  },
  past: [{ serviceId: 'c', holder: {}, created: 0, renewed: 0, end: 1 }],
};

describe('a record that was written', () => {
  it('of a pool is read as it was', () => expect(decodePool(encodePool(POOL))).toEqual(POOL));

  it('of a slot is read as it was', () => {
    const stored = encodeSlot(SLOT);
    expect(Object.keys(stored).sort()).toEqual(['data', 'freeFrom', 'generation', 'quotas', 'slot']);
    expect(decodeSlot({ ...stored, version: '1' })).toEqual(SLOT);
  });
});

describe('a record that is read again is not decoded again: every call reads the pool', () => {
  it('for a pool, by its text', () => {
    const text = encodePool(POOL);
    expect(decodePool(`${text}`)).toBe(decodePool(text));
    expect(decodePool(encodePool({ ...POOL, id: 'pool-2' })).id).toBe('pool-2');
  });

  it('for a slot, by what was read', () => {
    const read = { ...encodeSlot(SLOT), version: '1' };
    expect(decodeSlot(read)).toBe(decodeSlot(read));
    expect(decodeSlot({ ...read, slot: 6 }).slot).toBe(6);
  });
});

it('a slot that was never written has no lease and no past', () => {
  const unwritten = { generation: 'g', slot: 1, freeFrom: 0, quotas: [], data: '', version: null };
  expect(decodeSlot(unwritten)).toEqual({
    generation: 'g',
    slot: 1,
    freeFrom: 0,
    quotas: [],
    lease: null,
    past: [],
  });
});

describe('a record is refused', () => {
  it('when a later version has written it', () => {
    const later = JSON.stringify({ ...POOL, format: 2 });
    expect(() => decodePool(later)).toThrow('the pool has format 2, this version knows 1');
    expect(() => decodePool(later)).toThrow(expect.objectContaining({ code: 'STORE_INCOMPATIBLE' }));
  });

  it('when it has no version at all', () => {
    expect(() => decodePool(JSON.stringify(POOL))).toThrow('the pool has format undefined');
  });

  it('when it is no JSON, and its text is not shown: a secret may be in it', () => {
    for (const read of [
      decodePool,
      (data: string) => decodeSlot({ ...encodeSlot(SLOT), version: '1', data }),
    ]) {
      let error: unknown;
      try {
        read('s3cret');
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toMatchObject({
        code: 'STORE_INCOMPATIBLE',
        message: 'a record in the store is not JSON',
      });
      expect(`${error} ${(error as Error).cause}`).not.toContain('s3cret');
    }
  });
});
