import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT, type IdLayout } from '../id/layout.js';
import type { ConfiguredPool, ResolvedService } from './config.js';
import {
  checkConfigured,
  createPool,
  freeFromAfterRelease,
  grant,
  hasForgotten,
  isFree,
  type LeaseRecord,
  leaseToRelease,
  type PoolRecord,
  quarantine,
  RELEASE_TOLERANCE_MS,
  relayout,
  relayoutSlots,
  STORE_CLOCK_MARGIN_MS,
  slotCount,
  slotsFor,
  toLeaseInfo,
} from './rules.js';
import { signRelease } from './signature.js';

const NOW = 1_800_000_000_000;
const CONFIGURED: ConfiguredPool = { layout: DEFAULT_ID_LAYOUT, stated: {}, maxWindow: 1000 };
const POOL: PoolRecord = { ...createPool('pool-1', CONFIGURED, NOW, undefined), serial: 7 };
const SERVICE: ResolvedService = {
  serviceId: 'orders',
  pool: 'default',
  leaseDuration: 600,
  fallbackGrace: 300,
  maxLeases: Number.POSITIVE_INFINITY,
  maxLeasesPerRequest: Number.POSITIVE_INFINITY,
};

const leaseOf = (changes: Partial<LeaseRecord> = {}): LeaseRecord => ({
  id: 5,
  bitId: 14,
  bitSeq: 8,
  serviceId: 'orders',
  holder: {},
  secret: 'a secret',
  created: NOW,
  expired: NOW + 600,
  fallbackUntil: NOW + 900,
  request: null,
  account: null,
  ...changes,
});

describe('a new pool', () => {
  it('grants at once when nobody has seen it', () => {
    expect(createPool('pool-1', CONFIGURED, NOW, undefined)).toEqual({
      id: 'pool-1',
      serial: 0,
      layout: DEFAULT_ID_LAYOUT,
      former: [],
      quarantinedUntil: 0,
      lostIds: [],
      maxWindow: 1000,
    });
  });

  it('waits for every lease that could be out when its store has lost the pool before it', () => {
    const pool = createPool('pool-2', CONFIGURED, NOW, { pool: 'pool-1', serial: 9 });
    expect(pool.quarantinedUntil).toBe(NOW + 1000 + STORE_CLOCK_MARGIN_MS);
    expect(pool.lostIds).toEqual(['pool-1']);
    expect(hasForgotten(pool, { pool: 'pool-1', serial: 10 })).toBe(false);
  });
});

describe('R4: a configuration', () => {
  const pool: PoolRecord = { ...POOL, former: [{ bitId: 12, bitSeq: 10 }] };
  const rows: [stated: Partial<IdLayout>, mismatch: string | null][] = [
    [{}, null],
    [DEFAULT_ID_LAYOUT, null],
    [{ bitId: 14 }, null],
    [{ bitId: 12, bitSeq: 10 }, null],
    [{ bitSeq: 10 }, null],
    [{ bitId: 14, bitSeq: 10 }, 'bitId + bitSeq is 14 + 8 for this pool and cannot be 14 + 10'],
    [{ bitId: 13 }, 'bitId + bitSeq is 14 + 8 for this pool and cannot be 13 + ?'],
    [{ customEpoch: 0 }, `customEpoch is ${DEFAULT_ID_LAYOUT.customEpoch} for this pool and cannot be 0`],
    [{ bitReserve: 2 }, 'bitReserve is 1 for this pool and cannot be 2'],
    [{ bitTs: 40 }, 'bitTs is 41 for this pool and cannot be 40'],
  ];
  for (const [stated, mismatch] of rows) {
    it(`${JSON.stringify(stated)} ${mismatch === null ? 'fits' : 'is refused'}`, () => {
      const call = () => checkConfigured(pool, { stated });
      if (mismatch === null) expect(call).not.toThrow();
      else expect(call).toThrow(mismatch);
    });
  }
});

describe('R7: a store has forgotten when a client', () => {
  const pool: PoolRecord = { ...POOL, lostIds: ['pool-0'] };
  const rows: [title: string, seen: { pool: string; serial: number } | undefined, forgotten: boolean][] = [
    ['has seen nothing', undefined, false],
    ['is behind', { pool: 'pool-1', serial: 6 }, false],
    ['is level', { pool: 'pool-1', serial: 7 }, false],
    ['is ahead', { pool: 'pool-1', serial: 8 }, true],
    ['knows another pool', { pool: 'pool-9', serial: 1 }, true],
    ['knows a pool that is known to be lost', { pool: 'pool-0', serial: 99 }, false],
  ];
  for (const [title, seen, forgotten] of rows) {
    it(`${title}: ${forgotten ? 'yes' : 'no'}`, () => expect(hasForgotten(pool, seen)).toBe(forgotten));
  }

  it('and what it has seen raises no second alarm, whatever it is', () => {
    const anySeen = fc.record({ pool: fc.constantFrom('pool-1', 'pool-9', 'x'), serial: fc.nat() });
    fc.assert(
      fc.property(anySeen, (seen) => {
        const stopped = quarantine(pool, NOW, 1000, seen);
        expect(hasForgotten(stopped, seen)).toBe(false);
        expect(stopped.serial).toBe(seen.pool === 'pool-1' ? Math.max(7, seen.serial) : 7);
      }),
    );
  });
});

describe('a quarantine', () => {
  it('lasts as long as the longest window that was ever granted or is configured', () => {
    const until = (granted: number, configured: number) =>
      quarantine({ ...POOL, maxWindow: granted }, NOW, configured).quarantinedUntil;
    expect(until(500, 700)).toBe(NOW + 700 + STORE_CLOCK_MARGIN_MS);
    expect(until(700, 500)).toBe(NOW + 700 + STORE_CLOCK_MARGIN_MS);
  });

  it('is never shortened by a later one', () => {
    const first = quarantine(POOL, NOW, 1000);
    expect(quarantine(first, NOW - 500, 1000).quarantinedUntil).toBe(first.quarantinedUntil);
  });
});

describe('how many slots', () => {
  const rows: [throughputPerMs: number | undefined, bitSeq: number, slots: number][] = [
    [undefined, 8, 1],
    [1, 8, 1],
    [256, 8, 1],
    [257, 8, 2],
    [1024, 8, 4],
    [1024, 10, 1],
    [2 ** 31, 1, 2 ** 30],
  ];
  for (const [throughputPerMs, bitSeq, slots] of rows) {
    it(`${throughputPerMs} IDs a millisecond need of 2^${bitSeq} each: ${slots}`, () => {
      expect(slotsFor(throughputPerMs === undefined ? {} : { throughputPerMs }, { bitSeq })).toBe(slots);
    });
  }

  it('a pool has: half of its machine numbers', () => {
    expect([1, 3, 14, 30].map((bitId) => slotCount({ bitId }))).toEqual([1, 4, 8192, 2 ** 29]);
  });
});

describe('a grant', () => {
  const slots = [
    { id: 4, secret: 's4' },
    { id: 5, secret: 's5' },
  ];

  it('gives every slot the same window, and raises the serial', () => {
    const { pool, leases } = grant(
      POOL,
      slots,
      SERVICE,
      { meta: { host: 'a' }, requestId: 'r' },
      'token',
      NOW,
    );
    expect(pool).toEqual({ ...POOL, serial: 8 });
    const common = { holder: { host: 'a' }, request: 'orders\nr', account: 'token' };
    expect(leases).toEqual([
      leaseOf({ id: 4, secret: 's4', ...common }),
      leaseOf({ secret: 's5', ...common }),
    ]);
  });

  it('remembers the longest window', () => {
    const long = { ...SERVICE, leaseDuration: 5000 };
    expect(grant(POOL, slots, long, {}, null, NOW).pool.maxWindow).toBe(5300);
    expect(grant(POOL, slots, SERVICE, {}, null, NOW).pool.maxWindow).toBe(1000);
  });

  it('gives each holder the layout of its own lease, not of the pool', () => {
    const changed = relayout(POOL, { bitId: 12, bitSeq: 10 });
    expect(toLeaseInfo(changed, leaseOf())).toEqual({
      ...DEFAULT_ID_LAYOUT,
      id: 5,
      secret: 'a secret',
      created: NOW,
      expired: NOW + 600,
      fallbackUntil: NOW + 900,
    });
  });
});

describe('R2: a slot', () => {
  it('is free from its freeFrom on', () => {
    expect([NOW - 1, NOW, NOW + 1].map((now) => isFree(NOW, now))).toEqual([false, true, true]);
  });

  const rows: [title: string, timestamp: number, freeFrom: number, expected: number][] = [
    ['after the time it was used for', NOW + 100, NOW + 900, NOW + 101],
    ['not before it was granted', NOW - 100, NOW + 900, NOW],
    ['at the latest at its end', NOW + 5000, NOW + 900, NOW + 900],
    ['at its end when it was used to the last', NOW + 899, NOW + 900, NOW + 900],
    ['when its new holder says, if it has one', NOW + 100, NOW + 2000, NOW + 2000],
    ['no later than it is already', NOW + 100, NOW + 50, NOW + 50],
  ];
  for (const [title, timestamp, freeFrom, expected] of rows) {
    it(`that is released becomes free ${title}`, () => {
      expect(freeFromAfterRelease(leaseOf(), timestamp, freeFrom)).toBe(expected);
    });
  }
});

describe('a release is for', () => {
  const lease = leaseOf();
  const signed = (timestamp: number, secret = lease.secret) => ({
    id: 5,
    timestamp,
    signature: signRelease(secret, 5, timestamp),
  });

  it('the lease whose secret signed it, among those of the same machine number', () => {
    const other = leaseOf({ secret: 'another', bitId: 12, bitSeq: 10 });
    expect(leaseToRelease([lease, other], signed(NOW), NOW)).toBe(lease);
    expect(leaseToRelease([lease, other], signed(NOW, 'another'), NOW)).toBe(other);
    expect(() => leaseToRelease([lease, other], signed(NOW, 'a third'), NOW)).toThrow(
      'the signature does not fit lease 5',
    );
  });

  it('a lease that is there and has not ended', () => {
    expect(() => leaseToRelease([], signed(NOW), NOW)).toThrow('there is no lease of machine number 5');
    expect(leaseToRelease([lease], signed(NOW), NOW + 899)).toBe(lease);
    expect(() => leaseToRelease([lease], signed(NOW), NOW + 900)).toThrow('there is no lease');
  });

  it('half a minute, either way', () => {
    for (const off of [-RELEASE_TOLERANCE_MS, RELEASE_TOLERANCE_MS]) {
      expect(leaseToRelease([lease], signed(NOW + off), NOW)).toBe(lease);
      const further = NOW + off + Math.sign(off);
      expect(() => leaseToRelease([lease], signed(further), NOW)).toThrow(
        `must be within 30000 ms of ${NOW}, got ${further}`,
      );
    }
  });
});

describe('R4: a change of layout', () => {
  it('moves bits between machine number and sequence, and remembers what was', () => {
    const changed = relayout(POOL, { bitId: 12, bitSeq: 10 });
    expect(changed).toEqual({
      ...POOL,
      layout: { ...DEFAULT_ID_LAYOUT, bitId: 12, bitSeq: 10 },
      former: [{ bitId: 14, bitSeq: 8 }],
    });
  });

  it('moves no bit to or from the timestamp', () => {
    expect(() => relayout(POOL, { bitId: 14, bitSeq: 9 })).toThrow(
      'must be an integer from 64 to 64, got 65',
    );
    expect(() => relayout(POOL, { bitId: 22, bitSeq: 0 })).toThrow('bitSeq must be an integer');
  });

  const rows: [
    title: string,
    from: number,
    to: number,
    before: [number, number][],
    after: [number, number][],
  ][] = [
    ['splits slots', 10, 8, [[1, 50]], [4, 5, 6, 7].map((slot): [number, number] => [slot, 50])],
    [
      'joins slots, the last to end decides',
      8,
      10,
      [
        [4, 50],
        [6, 70],
        [7, 60],
        [9, 5],
      ],
      [
        [1, 70],
        [2, 5],
      ],
    ],
    ['keeps slots of the same size', 8, 8, [[4, 50]], [[4, 50]]],
    ['leaves unused slots unused', 8, 10, [], []],
  ];
  for (const [title, from, to, before, after] of rows) {
    it(title, () => {
      expect([...relayoutSlots(before, { bitSeq: from }, { bitSeq: to })]).toEqual(after);
    });
  }

  it('frees no suffix earlier than it was free, and takes none that did not share a slot', () => {
    const anyBits = fc.integer({ min: 1, max: 6 });
    const anySlots = fc.dictionary(fc.nat(3).map(String), fc.integer({ min: 1, max: 99 }));
    fc.assert(
      fc.property(anyBits, anyBits, anySlots, (from, to, used) => {
        const before = new Map(Object.entries(used).map(([slot, freeFrom]) => [Number(slot), freeFrom]));
        const after = relayoutSlots(before, { bitSeq: from }, { bitSeq: to });
        const suffixes = Array.from({ length: 4 * 2 ** from }, (_, suffix) => suffix);
        for (const suffix of suffixes) {
          const slot = Math.floor(suffix / 2 ** to);
          // Every suffix of the new slot, one by one: what no arithmetic on slots can have wrong.
          const shared = suffixes.filter((other) => Math.floor(other / 2 ** to) === slot);
          const ends = shared.map((other) => before.get(Math.floor(other / 2 ** from)) ?? 0);
          expect(after.get(slot) ?? 0).toBe(Math.max(...ends));
        }
      }),
    );
  });
});
