// The rules of leases and slots: windows, renewals, releases, and leases that a store has lost.
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import type { ResolvedService } from './config.js';
import {
  enterAgain,
  freeFromAfterRelease,
  heldUntil,
  isFree,
  isHolder,
  isLeased,
  isLost,
  isNewest,
  isSafeInQuarantine,
  type LeasedSlot,
  type LeaseRecord,
  leaseToRelease,
  newLease,
  newPool,
  type PastWindow,
  RELEASE_TOLERANCE_MS,
  REMEMBERED_WINDOWS,
  renew,
  type SlotRecord,
  STORE_CLOCK_MARGIN_MS,
  toLeaseInfo,
  withLease,
} from './rules.js';
import { signHold, signRelease } from './signature.js';
import type { RenewalClaim } from './types.js';

const NOW = 1_800_000_000_000;
const SERVICE: ResolvedService = {
  serviceId: 'orders',
  isConfigured: true,
  pool: 'default',
  leaseDuration: 600,
  fallbackGrace: 300,
  maxLeases: Number.POSITIVE_INFINITY,
  maxLeasesPerRequest: Number.POSITIVE_INFINITY,
};
const UNUSED: SlotRecord = { generation: 'g', slot: 5, freeFrom: 0, quotas: [], lease: null, past: [] };

function leaseOf(changes: Partial<LeaseRecord> = {}): LeaseRecord {
  const { created = NOW } = changes;
  const window = { created, expired: created + 600, fallbackUntil: created + 900, since: created };
  return {
    serviceId: 'orders',
    holder: { host: 'a' },
    secret: 's',
    request: 'r',
    granted: NOW,
    ...window,
    ...changes,
  };
}

function leased(lease: Partial<LeaseRecord> = {}, slot: Partial<SlotRecord> = {}): LeasedSlot {
  const full = leaseOf(lease);
  return { ...UNUSED, freeFrom: full.fallbackUntil, ...slot, lease: full };
}

function claimOf(changes: Partial<RenewalClaim> = {}): RenewalClaim {
  const { id = 5, timestamp = NOW, created = NOW } = changes;
  const window = { created, expired: created + 600, fallbackUntil: created + 900 };
  const signature = signHold('s', id, timestamp);
  return { pool: 'pool-1', id, bitId: 14, bitSeq: 8, ...window, timestamp, signature, ...changes };
}

const windowOf = (created: number, end: number, host = 'b', renewed = created): PastWindow => ({
  serviceId: 'orders',
  holder: { host },
  created,
  renewed,
  end,
});

describe('a new lease', () => {
  const grant = { secret: 's', request: 'r', created: NOW + 10, granted: NOW };

  it('has the window of its service, and keeps its own copy of who holds it', () => {
    const meta = { host: 'a' };
    const lease = newLease(SERVICE, { meta }, grant);
    meta.host = 'b';
    expect(lease).toEqual(leaseOf({ created: NOW + 10 }));
    expect(newLease(SERVICE, {}, grant).holder).toEqual({});
  });

  it('R5: holds its slot to the end of its fallback window', () => {
    expect(heldUntil(leaseOf())).toBe(NOW + 900);
  });

  it('is told to its holder with the layout of the pool, and nothing of the holder', () => {
    const layout = { ...DEFAULT_ID_LAYOUT, bitId: 12, bitSeq: 10 };
    const pool = newPool('pool-1', 'g', { layout, share: { index: 0, of: 1 }, maxWindow: 900 });
    const window = { created: NOW, expired: NOW + 600, fallbackUntil: NOW + 900 };
    expect(toLeaseInfo(pool, leased())).toEqual({ ...layout, id: 5, secret: 's', ...window });
  });

  it('R4: is told with the widths that it was granted under, when the layout has changed since', () => {
    const layout = { ...DEFAULT_ID_LAYOUT, bitId: 12, bitSeq: 10 };
    const widths = { bitId: 14, bitSeq: 8 };
    const pool = {
      ...newPool('pool-1', 'new', { layout, share: { index: 0, of: 1 }, maxWindow: 900 }),
      former: [
        { generation: 'older', bitId: 16, bitSeq: 6, until: NOW },
        { generation: 'g', ...widths, until: NOW },
      ],
    };
    expect(toLeaseInfo(pool, leased())).toMatchObject(widths);
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
    ['no later than it is already', NOW + 100, NOW + 50, NOW + 50],
  ];
  for (const [title, timestamp, freeFrom, expected] of rows) {
    it(`that is released becomes free ${title}`, () => {
      expect(freeFromAfterRelease(leased({}, { freeFrom }), timestamp)).toBe(expected);
    });
  }
});

describe('a slot that gets a lease', () => {
  it('was leased before, or was not', () => {
    expect([undefined, UNUSED, leased()].map(isLeased)).toEqual([false, false, true]);
  });

  it('remembers the one before it, to where its window ended', () => {
    const next = leaseOf({ created: NOW + 2000, holder: { host: 'b' } });
    const slot = withLease(leased(), next, { freeFrom: NOW + 2900, quotas: ['q'] });
    expect(slot).toEqual({
      ...UNUSED,
      lease: next,
      freeFrom: NOW + 2900,
      quotas: ['q'],
      past: [windowOf(NOW, NOW + 900, 'a')],
    });
  });

  it('remembers a released one to its release, and counts for no quota any more', () => {
    const slot = withLease(leased({}, { quotas: ['q'] }), null, { freeFrom: NOW + 101, end: NOW + 101 });
    expect(slot).toEqual({ ...UNUSED, freeFrom: NOW + 101, past: [windowOf(NOW, NOW + 101, 'a')] });
  });

  it('remembers nothing of a time without a lease', () => {
    expect(withLease(UNUSED, leaseOf(), { freeFrom: NOW + 900 }).past).toEqual([]);
  });

  it('remembers the last 8 windows, the latest first', () => {
    let slot: SlotRecord = UNUSED;
    for (let i = 0; i <= 20; i++)
      slot = withLease(slot, leaseOf({ created: NOW + i }), { freeFrom: NOW + i + 1 });
    const expected = Array.from({ length: REMEMBERED_WINDOWS }, (_, i) => NOW + 19 - i);
    expect(REMEMBERED_WINDOWS).toBe(8);
    expect(slot.past.map(({ created }) => created)).toEqual(expected);
  });
});

describe('a renewal', () => {
  const fresh = leaseOf({ created: NOW + 500, secret: 's2', request: 'r2', granted: NOW + 500 });

  it('is a new window of the same slot, and one window with the old for whois', () => {
    expect(renew(leased(), fresh, ['q'], heldUntil(fresh))).toEqual({
      ...UNUSED,
      freeFrom: NOW + 1400,
      quotas: ['q'],
      lease: { ...fresh, since: NOW },
      past: [],
    });
  });

  it('of a renewal still begins where the first lease did', () => {
    const twice = renew(leased({ since: NOW - 5000 }), fresh, [], heldUntil(fresh));
    expect(twice.lease?.since).toBe(NOW - 5000);
  });

  for (const [title, changes] of [
    ['another holder', { holder: { host: 'b' } }],
    ['another service', { serviceId: 'mails' }],
  ] as const) {
    it(`by ${title} is a window of its own, from where it begins`, () => {
      const slot = renew(leased(), { ...fresh, ...changes }, [], heldUntil(fresh));
      expect(slot.lease?.since).toBe(NOW + 500);
      expect(slot.past).toEqual([windowOf(NOW, NOW + 500, 'a')]);
    });
  }

  it('R7: of a lease that has ended is a window of its own: in between, the slot may have had another holder', () => {
    const late = leaseOf({ created: NOW + 901 });
    const slot = renew(leased(), late, [], heldUntil(late));
    expect(slot.lease?.since).toBe(NOW + 901);
    expect(slot.past).toEqual([windowOf(NOW, NOW + 900, 'a')]);
  });

  it('that begins where the lease ends is one window with it', () => {
    const next = leaseOf({ created: NOW + 900 });
    expect(renew(leased(), next, [], heldUntil(next)).lease?.since).toBe(NOW);
  });

  it('R2: never lets a slot become free earlier than the old window ends', () => {
    const short = { ...fresh, expired: NOW + 510, fallbackUntil: NOW + 520 };
    expect(renew(leased(), short, [], heldUntil(short)).freeFrom).toBe(NOW + 900);
  });
});

describe('a claim is of the holder when', () => {
  const slot = leased();
  const rows: [title: string, slot: LeasedSlot, claim: RenewalClaim, isOfHolder: boolean][] = [
    ['it is signed with the secret of the lease', slot, claimOf(), true],
    ['it is signed with another', slot, claimOf({ signature: signHold('another', 5, NOW) }), false],
    ['its signature is that of a release', slot, claimOf({ signature: signRelease('s', 5, NOW) }), false],
    ['its signature is for another machine ID', slot, claimOf({ signature: signHold('s', 6, NOW) }), false],
    ['its signature is for another time', slot, claimOf({ signature: signHold('s', 5, NOW + 1) }), false],
    ['it has no signature', slot, claimOf({ signature: '' }), false],
    ['it is half a minute old', slot, claimOf({ timestamp: NOW - RELEASE_TOLERANCE_MS }), true],
    ['it is older', slot, claimOf({ timestamp: NOW - RELEASE_TOLERANCE_MS - 1 }), false],
    ['it is of the near future', slot, claimOf({ timestamp: NOW + RELEASE_TOLERANCE_MS }), true],
    ['it is of a later one', slot, claimOf({ timestamp: NOW + RELEASE_TOLERANCE_MS + 1 }), false],
    [
      'the lease was entered again and has no secret',
      leased({ secret: '' }),
      claimOf({ signature: signHold('', 5, NOW) }),
      false,
    ],
  ];
  for (const [title, leasedSlot, claim, isOfHolder] of rows) {
    it(`${title}: ${isOfHolder ? 'yes' : 'no'}`, () =>
      expect(isHolder(leasedSlot, claim, NOW)).toBe(isOfHolder));
  }
});

describe('R7: a store has lost the lease of a true claim when the slot', () => {
  const claim = claimOf();
  const full = Array.from({ length: REMEMBERED_WINDOWS }, (_, i) => windowOf(NOW + 100 - i, NOW + 101 - i));
  const rows: [title: string, slot: SlotRecord | undefined, lost: boolean, newest: boolean][] = [
    ['was never used', undefined, true, true],
    ['is empty', UNUSED, true, true],
    ['has that lease', leased(), false, false],
    ['has a renewal of it', leased({ created: NOW + 300, since: NOW }), false, false],
    [
      'has a later renewal of an earlier lease',
      leased({ created: NOW + 300, since: NOW - 300 }),
      false,
      false,
    ],
    ['was released since', { ...UNUSED, past: [windowOf(NOW, NOW + 50)] }, false, false],
    ['was released unused', { ...UNUSED, past: [windowOf(NOW, NOW)] }, false, false],
    [
      'has a window in the past that it renewed',
      { ...UNUSED, past: [windowOf(NOW - 50, NOW + 9, 'b', NOW)] },
      false,
      true,
    ],
    [
      'has the lease that it renewed, and was granted anew when that had ended',
      { ...leased({ created: NOW + 9 }), past: [windowOf(NOW - 50, NOW + 8)] },
      true,
      false,
    ],
    ['has an earlier lease only', leased({ created: NOW - 2000 }), true, true],
    ['has earlier windows only', { ...UNUSED, past: [windowOf(NOW - 900, NOW - 1)] }, true, true],
    ['has a later lease', leased({ created: NOW + 1 }), true, false],
    ['has a later window', { ...UNUSED, past: [windowOf(NOW + 1, NOW + 2)] }, true, false],
    ['had so many windows since that it may have forgotten', { ...UNUSED, past: full }, false, false],
    [
      'had as many as it remembers, some of them before the lease',
      { ...UNUSED, past: [...full.slice(0, -1), windowOf(NOW - 900, NOW - 1)] },
      true,
      false,
    ],
  ];
  for (const [title, slot, lost, newest] of rows) {
    it(`${title}: ${lost ? 'yes' : 'no'}${newest ? ', and nothing began since' : ''}`, () => {
      expect([isLost(slot, claim, NOW + 10), isNewest(slot, claim)]).toEqual([lost, newest]);
    });
  }

  it('but not when its windows have ended: then it is no loss', () => {
    const at = (now: number) => isLost(undefined, claim, now);
    expect([at(claim.fallbackUntil - 1), at(claim.fallbackUntil)]).toEqual([true, false]);
  });
});

describe('R7: a lease that is entered again', () => {
  it('holds its slot as its claim says, without a secret', () => {
    expect(enterAgain(UNUSED, claimOf(), 'orders')).toEqual({
      ...UNUSED,
      freeFrom: NOW + 900,
      lease: leaseOf({ holder: {}, secret: '', request: '' }),
    });
  });

  it('keeps what the slot knows, and frees nothing earlier', () => {
    const before = leased({ created: NOW - 2000 }, { freeFrom: NOW + 5000 });
    const { freeFrom, past } = enterAgain(before, claimOf(), 'orders');
    expect(freeFrom).toBe(NOW + 5000);
    // The earlier lease cannot have been used for the times of this one.
    expect(past).toEqual([windowOf(NOW - 2000, NOW, 'a')]);
  });

  it('is no loss when it is claimed again', () => {
    expect(isLost(enterAgain(UNUSED, claimOf(), 'orders'), claimOf(), NOW)).toBe(false);
  });
});

describe('R7: in quarantine', () => {
  it('a holder renews when its lease ends beyond the margin between the clocks of a store', () => {
    expect(STORE_CLOCK_MARGIN_MS).toBe(10_000);
    expect(
      [9_999, 10_000, 10_001].map((left) =>
        isSafeInQuarantine(NOW + left, { quarantinedFrom: NOW - 5 }, NOW),
      ),
    ).toEqual([false, false, true]);
    // The store's clock has stepped back since the quarantine began.
    expect(isSafeInQuarantine(NOW + 10_001, { quarantinedFrom: NOW + 1 }, NOW)).toBe(false);
  });
});

describe('a release is for', () => {
  const slot = leased();
  const signed = (timestamp: number, secret = 's') => ({
    id: 5,
    timestamp,
    signature: signRelease(secret, 5, timestamp),
  });

  it('the lease whose secret signed it, among those of the same machine ID', () => {
    const other = leased({ secret: 'another' }, { generation: 'former' });
    const candidates = [undefined, UNUSED, slot, other];
    expect(leaseToRelease(candidates, signed(NOW), NOW)).toBe(slot);
    expect(leaseToRelease(candidates, signed(NOW, 'another'), NOW)).toBe(other);
    expect(() => leaseToRelease(candidates, signed(NOW, 'a third'), NOW)).toThrow(
      'the signature does not fit lease 5',
    );
  });

  it('costs the same with a wrong signature, whether there is such a lease or not: time must not tell', () => {
    /** How often the machine ID is written into a text: once for each signature that is computed, and once for the error. */
    const cost = (candidates: readonly (SlotRecord | undefined)[]) => {
      let times = 0;
      const id = { toString: () => `${++times}` } as unknown as number;
      expect(() => leaseToRelease(candidates, { ...signed(NOW, 'wrong'), id }, NOW)).toThrow();
      return times;
    };
    expect(cost([slot])).toBe(2);
    expect(cost([undefined])).toBe(2);
  });

  it('a release, and not a renewal', () => {
    const signature = signHold('s', 5, NOW);
    expect(() => leaseToRelease([slot], { id: 5, timestamp: NOW, signature }, NOW)).toThrow('does not fit');
  });

  it('a lease that is there and has not ended', () => {
    expect(() => leaseToRelease([undefined, UNUSED], signed(NOW), NOW)).toThrow(
      'there is no lease of machine ID 5',
    );
    expect(leaseToRelease([slot], signed(NOW), NOW + 899)).toBe(slot);
    expect(() => leaseToRelease([slot], signed(NOW), NOW + 900)).toThrow('there is no lease');
  });

  it('half a minute, either way', () => {
    for (const off of [-RELEASE_TOLERANCE_MS, RELEASE_TOLERANCE_MS]) {
      expect(leaseToRelease([slot], signed(NOW + off), NOW)).toBe(slot);
      const further = NOW + off + Math.sign(off);
      expect(() => leaseToRelease([slot], signed(further), NOW)).toThrow(
        `must be within 30000 ms of ${NOW}, got ${further}`,
      );
    }
  });
});
