import { DEFAULT_ID_LAYOUT } from 'kazahana/layout';
import type { InspectedLease, InspectedPool } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { leaseAt, type PoolView, slotsOf, stateOf, storeTime, summarise, viewOf } from './pool-state.js';

const now = Date.UTC(2026, 10, 16);
const layout = { ...DEFAULT_ID_LAYOUT, bitId: 4, bitSeq: 18 };
const pool = (part: Partial<InspectedPool> = {}): InspectedPool => ({
  name: 'default',
  id: 'pool',
  serial: 1,
  now,
  layout,
  share: { index: 0, of: 1 },
  slots: 8,
  held: 0,
  quarantinedUntil: 0,
  ...part,
});
const lease = (id: number, part: Partial<InspectedLease> = {}): InspectedLease => ({
  id,
  bitSeq: 18,
  serviceId: 'orders',
  holder: { host: 'a' },
  created: now,
  expired: now + 10_000,
  fallbackUntil: now + 20_000,
  ...part,
});

const view = (leases: readonly InspectedLease[], part: Partial<InspectedPool> = {}, before?: PoolView) =>
  viewOf(before, { pool: pool(part), leases }, 5);

describe('a view', () => {
  it('forgets the serials of another pool', () => {
    const before = view([], { serial: 7 });
    expect(view([], { serial: 8, now: now + 1 }, before).serials).toEqual([
      [now, 7],
      [now + 1, 8],
    ]);
    expect(view([], { serial: 1, id: 'another' }, before).serials).toEqual([[now, 1]]);
  });

  it('knows the time of the store, which is not the time here', () => {
    expect(storeTime(view([]), 5 + 700)).toBe(now + 700);
    expect(storeTime(view([]), 0)).toBe(now);
  });
});

describe('a lease', () => {
  it('is held, then kept for fallback, then gone', () => {
    expect([0, 9_999, 10_000, 19_999, 20_000].map((ms) => stateOf(lease(0), now + ms))).toEqual([
      'held',
      'held',
      'kept',
      'kept',
      'free',
    ]);
  });

  it('of a former layout covers the numbers that overlap its own', () => {
    expect(slotsOf(lease(1, { bitSeq: 20 }), pool())).toEqual([4, 8]);
    expect(slotsOf(lease(5, { bitSeq: 17 }), pool())).toEqual([2, 3]);
    expect(slotsOf(lease(5), pool())).toEqual([5, 6]);
  });

  it('is found by its number while it counts', () => {
    const one = view([lease(3)]);
    expect(leaseAt(one, 3, now)?.id).toBe(3);
    expect(leaseAt(one, 4, now)).toBeUndefined();
    expect(leaseAt(one, 3, now + 20_000)).toBeUndefined();
  });
});

describe('the summary', () => {
  it('counts, and knows what ends next', () => {
    const some = view([
      lease(0),
      lease(1, { expired: now + 3000 }),
      lease(2, { expired: now, serviceId: 'users' }),
    ]);
    expect(summarise(some, now)).toMatchObject({
      held: 2,
      kept: 1,
      free: 5,
      next: { id: 1 },
      services: [
        { serviceId: 'orders', held: 2 },
        { serviceId: 'users', held: 0 },
      ],
      usedSlots: 3,
      remainingPerMs: 5 * 2 ** 18,
    });
  });

  it('of a full pool has nothing left', () => {
    const leases = Array.from({ length: 8 }, (_, id) => lease(id));
    expect(summarise(view(leases), now)).toMatchObject({ free: 0, remainingPerMs: 0 });
  });

  it('counts what was granted in the minute before the page looked', () => {
    const leases = [
      lease(0, { created: now - 1000 }),
      lease(1, { created: now - 59_000 }),
      lease(2, { created: now - 61_000 }),
    ];
    const before = view(leases, { serial: 40 });
    expect(summarise(before, now).grantsPerMinute).toBe(2);
    const later = { created: now + 400 };
    const more = [...leases, lease(3, later), lease(4, later)];
    const after = view(more, { serial: 42, now: now + 500 }, before);
    expect(summarise(after, now + 500).grantsPerMinute).toBe(4);
  });

  it('has the rate of the last minute', () => {
    let last = view([], { serial: 10 });
    for (let second = 1; second <= 120; second++)
      last = view([], { serial: 10 + second, now: now + second * 1000 }, last);
    expect(summarise(last, now + 120_000).grantsPerMinute).toBe(60);
    expect(last.serials.length).toBeLessThanOrEqual(61);
  });
});
