import type { InspectedLease } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { Holders, holderTable, rangesText } from './pool-holders.js';
import { widthOf } from './text-width.js';

const NOW = Date.UTC(2026, 10, 16);
const MINUTE = 60_000;

const lease = (
  id: number,
  serviceId: string,
  holder: Record<string, string>,
  minutes = 9,
): InspectedLease => ({
  ...{ id, bitSeq: 8, serviceId, holder, created: NOW },
  expired: NOW + minutes * MINUTE,
  fallbackUntil: NOW + 2 * minutes * MINUTE,
});

const tableOf = (leases: readonly InspectedLease[], columns: number) => {
  const holders = new Holders();
  for (const one of leases) holders.add(one);
  return holderTable(holders.all, NOW, columns);
};

describe('machine IDs in a few characters', () => {
  it.each([
    [[], ''],
    [[5], '5'],
    [[0, 1, 2, 5, 9, 10], '0–2, 5, 9–10'],
    [[3, 1, 2], '1–3'],
    // After a change of layout two leases may have the same.
    [[4, 4, 5], '4–5'],
  ])('%j: %s', (ids, text) => {
    expect(rangesText(ids)).toBe(text);
  });
});

describe('the table of holders', () => {
  const web = { host: 'web-1', process: '4711', runtime: 'v24' };
  const leases = [
    lease(0, 'orders', web),
    lease(1, 'orders', web, 5),
    lease(2, 'orders', { host: 'web-2', process: '8' }),
    lease(7, 'orders', web),
    lease(8, '支払い', { host: '東京\u001b[31m' }),
  ];

  it('has a row for each service, host and process', () => {
    expect(tableOf(leases, 100)).toEqual([
      'service  host            process  count  machine IDs  expires',
      'orders   web-1           4711         3  0–1, 7       in 5 minutes',
      'orders   web-2           8            1  2            in 9 minutes',
      '支払い   東京\\u001b[31m  –            1  8            in 9 minutes',
    ]);
  });

  it('cuts the machine IDs where there are too many for the line', () => {
    const many = Array.from({ length: 100 }, (_, i) => lease(2 * i, 'orders', web));
    const [, row = ''] = tableOf(many, 80);
    expect(widthOf(row)).toBeLessThanOrEqual(80);
    expect(row).toMatch(/^orders {3}web-1 {2}4711 {7}100 {2}0, 2, 4, .*… {2}in 9 minutes$/);
  });

  it('has three lines for each on a narrow terminal', () => {
    const lines = tableOf(leases, 40);
    expect(lines.slice(0, 3)).toEqual(['orders  web-1  4711', '  3: 0–1, 7', '  expires in 5 minutes']);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
  });
});
