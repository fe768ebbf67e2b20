import { describe, expect, it } from 'vitest';
import { KnownLeases } from './known-leases.js';

const lease = (secret: string, fallbackUntil: number) => ({
  secret,
  expired: fallbackUntil - 10,
  fallbackUntil,
});

describe('R8: a lease that was met', () => {
  it('is known until its last window has ended', () => {
    const known = new KnownLeases();
    expect(known.has(lease('a', 300))).toBe(false);
    known.add(lease('a', 300));
    known.forget(299);
    expect(known.has(lease('a', 300))).toBe(true);
    expect(known.has(lease('b', 300))).toBe(false);
  });

  it('is known by its end when it is forgotten: the clock that told to forget it may step back', () => {
    const known = new KnownLeases();
    known.add(lease('a', 300));
    known.add(lease('b', 200));
    known.forget(1_000_000);
    // Nothing is kept of them but the latest end: an idle client renews for ever.
    expect([lease('a', 300), lease('b', 200), lease('c', 299)].every((met) => known.has(met))).toBe(true);
    expect(known.has(lease('d', 301))).toBe(false);
  });

  it('is known by its end when there are too many: a malicious server must not fill the memory', () => {
    const known = new KnownLeases();
    // In no order: 7,919 is prime.
    const shuffled = Array.from({ length: 10_000 }, (_, i) => (i * 7919 + 1234) % 10_000);
    for (const i of shuffled) known.add(lease(`s${i}`, 1000 + i));
    expect(known.has(lease('another', 1000))).toBe(false);
    known.add(lease('one more', 20_000));
    expect(known.has(lease('s0', 1000))).toBe(true);
    expect(known.has(lease('another', 6000))).toBe(true);
    expect(known.has(lease('another', 6001))).toBe(false);
    expect(known.has(lease('one more', 20_000))).toBe(true);
  });

  it('ends when it expires, where there is no fallback', () => {
    const known = new KnownLeases();
    known.add({ secret: 'a', expired: 100 });
    known.forget(100);
    expect(known.has({ secret: 'b', expired: 100 })).toBe(true);
    expect(known.has({ secret: 'b', expired: 101 })).toBe(false);
  });
});
