import type { InspectedLease, InspectedPool } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import type { PoolView } from './pool-access.js';
import { eventsBetween } from './pool-events.js';

const NOW = 1_000_000;
const lease = (id: number, parts: Partial<InspectedLease> = {}): InspectedLease => ({
  ...{ id, bitSeq: 8, serviceId: 'orders', holder: { host: 'web-1' } },
  ...{ created: NOW, expired: NOW + 1000, fallbackUntil: NOW + 2000 },
  ...parts,
});
const view = (now: number, leases: readonly InspectedLease[]): PoolView => ({
  pool: { now } as InspectedPool,
  leases,
});
const textsBetween = (before: readonly InspectedLease[], after: readonly InspectedLease[], later = 100) =>
  eventsBetween(view(NOW, before), view(NOW + later, after)).map(({ text }) => text);

describe('what has happened between two looks at a pool', () => {
  it.each<[title: string, before: InspectedLease[], after: InspectedLease[], texts: string[]]>([
    ['nothing', [lease(1)], [lease(1)], []],
    ['a grant', [], [lease(1)], ['orders on web-1 got 1']],
    ['several to one holder', [lease(0)], [lease(0), lease(1), lease(2)], ['orders on web-1 got 1–2']],
    ['a renewal is no news', [lease(1)], [lease(1, { created: NOW + 50, expired: NOW + 1050 })], []],
    ['a release', [lease(1), lease(2)], [lease(2)], ['orders on web-1 no longer holds 1']],
    [
      'another holder',
      [lease(1)],
      [lease(1, { created: NOW + 5, serviceId: 'users', holder: {} })],
      ['orders on web-1 no longer holds 1', 'users got 1'],
    ],
    [
      'hostile names',
      [],
      [lease(1, { serviceId: 'a\u001b[2J', holder: { host: 'b\u202e' } })],
      ['a\\u001b[2J on b\\u202e got 1'],
    ],
  ])('%s', (_title, before, after, texts) => {
    expect(textsBetween(before, after)).toEqual(texts);
  });

  it('a lease that expires, once', () => {
    const leases = [lease(1)];
    expect(textsBetween(leases, leases, 1000)).toEqual(['orders on web-1 lets expire 1']);
    expect(eventsBetween(view(NOW + 1000, leases), view(NOW + 1100, leases))).toEqual([]);
  });
});
