import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/index.js';
import type { LeaseInfo } from '../lease/types.js';
import { LeaseBook } from './lease-book.js';

const LEASE: LeaseInfo = {
  ...DEFAULT_ID_LAYOUT,
  id: 1,
  created: 100,
  expired: 200,
  fallbackUntil: 300,
  secret: 'a secret',
};

describe('R8: a secret', () => {
  it('is known from installation on, and after the lease was given up', () => {
    const book = new LeaseBook();
    expect(book.isKnown(LEASE)).toBe(false);
    const held = book.install(LEASE, undefined, undefined, 0.9, 0);
    book.giveUp([held]);
    expect([book.held.length, book.isKnown(LEASE)]).toEqual([0, true]);
  });

  it('is not forgotten because a clock ran ahead: it may step back, and the answer come again', () => {
    const book = new LeaseBook();
    book.remember(LEASE);
    book.prune(1_000_000, 150);
    expect(book.isKnown(LEASE)).toBe(true);
  });

  it('is forgotten once the client has made an ID at or after the end of its windows', () => {
    const book = new LeaseBook();
    book.remember(LEASE);
    book.prune(0, 299);
    expect(book.isKnown(LEASE)).toBe(true);
    book.prune(0, 300);
    expect(book.isKnown(LEASE)).toBe(false);
  });
});

describe('R4: a lease of another time line', () => {
  const { customEpoch, bitReserve, bitTs } = DEFAULT_ID_LAYOUT;
  for (const name of ['customEpoch', 'bitReserve', 'bitTs'] as const) {
    it(`is refused for its ${name}, and known from then on`, () => {
      const book = new LeaseBook();
      const pins = { customEpoch, bitReserve, bitTs, [name]: 5 };
      expect(() => book.install(LEASE, undefined, pins, 0.9, 0)).toThrow(`${name} is 5 for this pool`);
      expect([book.held.length, book.isKnown(LEASE)]).toEqual([0, true]);
    });
  }
});

describe('leases in hand', () => {
  it('are dropped when their last window has ended', () => {
    const book = new LeaseBook();
    book.install(LEASE, undefined, undefined, 0.9, 0);
    book.prune(299, -1);
    expect(book.held).toHaveLength(1);
    book.prune(300, -1);
    expect(book.held).toHaveLength(0);
  });

  it('§4.3: count as throughput until they are due', () => {
    const book = new LeaseBook();
    book.install(LEASE, undefined, undefined, 0.9, 0);
    expect([book.throughput(189), book.throughput(190)]).toEqual([256, 0]);
    expect([book.due(189).length, book.due(190).length]).toEqual([0, 1]);
  });
});
