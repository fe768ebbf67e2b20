import type { InspectedLease, InspectedPool } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import type { PoolView } from './pool-access.js';
import { leaseTable, poolMap, poolSummary, ServiceColors } from './pool-map.js';
import { poolScreen } from './pool-screen.js';
import type { Terminal } from './terminal.js';
import { widthOf } from './text-width.js';

const NOW = Date.UTC(2026, 10, 16);
const MINUTE = 60_000;

const lease = (id: number, parts: Partial<InspectedLease> = {}): InspectedLease => ({
  id,
  bitSeq: 8,
  serviceId: 'orders',
  holder: {},
  created: NOW - MINUTE,
  expired: NOW + 9 * MINUTE,
  fallbackUntil: NOW + 19 * MINUTE,
  ...parts,
});

function viewOf(leases: readonly InspectedLease[], bitId = 14, parts: Partial<InspectedPool> = {}): PoolView {
  const bitSeq = 22 - bitId;
  const pool: InspectedPool = {
    name: 'default',
    id: 'a',
    serial: 1,
    now: NOW,
    layout: { customEpoch: Date.UTC(2026, 0, 1), bitReserve: 1, bitTs: 41, bitId, bitSeq },
    share: { index: 0, of: 1 },
    slots: 2 ** (bitId - 1),
    held: leases.length,
    quarantinedUntil: 0,
    ...parts,
  };
  return { pool, leases };
}

const plain = (columns: number, rows = 24) =>
  ({ columns, rows, paint: (_style: unknown, text: string) => text }) as Terminal;
const NO_COLORS = new ServiceColors();
const mapOf = (view: PoolView, columns = 80) => poolMap(view, NO_COLORS, plain(columns));
const marksOf = (view: PoolView, columns = 80) =>
  mapOf(view, columns)
    .filter((line) => /^ +\d+ [·▒█░]+$/.test(line))
    .map((line) => line.trim().replace(/^\d+ /, ''));

describe('the map of a pool', () => {
  it('of a share begins with the first machine ID of the share', () => {
    const share = { share: { index: 1, of: 2 }, slots: 4 };
    const lines = mapOf(viewOf([lease(6, { bitSeq: 18 })], 4, share));
    expect(lines[0]).toBe('  4 ··█·');
    expect(lines.at(-1)).toBe('  12 to 15 are for fallback');
  });

  it('fits a terminal of 80 by 24, or 40, with its summary and events, whatever the pool', () => {
    const event = { at: NOW, serviceId: 'orders', text: 'orders on web-1 got 5' };
    const events = Array.from({ length: 20 }, () => event);
    for (const columns of [80, 40]) {
      for (let bitId = 1; bitId <= 21; bitId++) {
        const view = viewOf([lease(0)], bitId, { quarantinedUntil: NOW, share: { index: 1, of: 2 } });
        const screen = { view, events, colors: NO_COLORS, now: NOW, trouble: 'no lease server responds' };
        const lines = poolScreen(screen, plain(columns));
        expect(lines.length).toBeLessThan(24);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      }
    }
  });

  it('has a mark for every machine ID of a small pool', () => {
    const view = viewOf([lease(0, { bitSeq: 17 }), lease(3, { bitSeq: 17, expired: NOW - 1 })], 5);
    expect(marksOf(view)).toEqual(['█··░············']);
  });

  it('gathers the machine IDs of a large one', () => {
    const taken = Array.from({ length: 20 }, (_, id) => lease(id));
    const rows = marksOf(viewOf(taken));
    expect(rows).toHaveLength(8);
    expect(rows[0]).toBe(`█▒${'·'.repeat(62)}`);
    expect(marksOf(viewOf([lease(8191)])).at(-1)).toBe(`${'·'.repeat(63)}▒`);
  });

  it('shows a lease of a former layout where its suffixes are now', () => {
    // 13 + 9 bits: machine ID 16 covers what 32 and 33 cover with 14 + 8.
    expect(marksOf(viewOf([lease(16, { bitSeq: 9 })]))[0]?.slice(0, 4)).toBe('··▒·');
    expect(marksOf(viewOf([lease(64, { bitSeq: 7 })]))[0]?.slice(0, 4)).toBe('··▒·');
  });

  it('is drawn for as many leases as there can be', () => {
    const many = Array.from({ length: 2 ** 17 }, (_, id) => lease(id, { bitSeq: 4 }));
    const view = viewOf(many, 18);
    expect(new Set(marksOf(view).join(''))).toEqual(new Set('█'));
    expect(poolSummary(view, 80)[1]).toContain('131072 of 131072 machine IDs (100.0 %)');
    expect(leaseTable(view, 80)).toHaveLength(2 ** 17 + 1);
  });
});

describe('the summary of a pool', () => {
  it('counts the leases by what they are', () => {
    const view = viewOf([lease(0), lease(1, { serviceId: 'users' }), lease(2, { expired: NOW })]);
    expect(poolSummary(view, 80)).toEqual([
      'pool default  1 + 41 + 14 + 8 bits, epoch 2026-01-01T00:00:00.000Z',
      'held       3 of 8192 machine IDs (0.0 %): 2 leased, 1 kept for fallback',
      'services   orders 2, users 1',
      'next free  in 19 minutes',
    ]);
  });

  it('names the quarantine', () => {
    const lines = poolSummary(viewOf([], 14, { quarantinedUntil: NOW + MINUTE }), 80);
    expect(lines.at(-1)).toBe('QUARANTINE no grants until 2026-11-16T00:01:00.000Z');
  });

  it('is folded at 40 columns, and nothing is lost', () => {
    const view = viewOf([lease(0), lease(1, { serviceId: 'users' }), lease(2, { expired: NOW })]);
    expect(poolSummary(view, 40)).toEqual([
      'pool       default',
      'layout     1 + 41 + 14 + 8 bits, epoch',
      '           2026-01-01T00:00:00.000Z',
      'held       3 of 8192 machine IDs',
      '           (0.0 %): 2 leased, 1 kept for',
      '           fallback',
      'services   orders 2, users 1',
      'next free  in 19 minutes',
    ]);
  });

  it('gives four lines to a long list of services, and marks that there are more', () => {
    const leases = Array.from({ length: 60 }, (_, id) => lease(id, { serviceId: `支払い-${id}` }));
    const lines = poolSummary(viewOf(leases), 80);
    const from = lines.findIndex((text) => text.startsWith('services'));
    const to = lines.findIndex((text) => text.startsWith('next free'));
    expect(lines.every((line) => widthOf(line) <= 80)).toBe(true);
    expect(to - from).toBe(4);
    expect(lines[to - 1]?.endsWith('…')).toBe(true);
  });
});

describe('the table of leases', () => {
  const view = viewOf([
    lease(0, { serviceId: '支払い', holder: { host: '東京-1', pid: '7' } }),
    lease(17, { holder: { host: 'a\u001b[31m\n' } }),
  ]);

  it('keeps its columns with wide characters, and nothing in it steers the terminal', () => {
    expect(leaseTable(view, Number.POSITIVE_INFINITY)).toEqual([
      'machine ID  service  expires       free           holder',
      '0           支払い   in 9 minutes  in 19 minutes  host=東京-1 pid=7',
      '17          orders   in 9 minutes  in 19 minutes  host=a\\u001b[31m\\n',
    ]);
  });

  it('is no wider than the terminal', () => {
    for (const line of leaseTable(view, 50)) expect(widthOf(line)).toBeLessThanOrEqual(50);
    expect(leaseTable(view, 56)[1]).toBe('0           支払い   in 9 minutes  in 19 minutes  host=…');
  });
});
