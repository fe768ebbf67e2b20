// Several reports, added up.
import { expect, it } from 'vitest';
import { reportTables } from './tables.ts';

const report = (setUp: string, leased: number, faults: Record<string, number>, medianMs: number) => ({
  ...{ setUp, minutes: 10, seed: 1, faults, availability: 0.9, losses: 0 },
  ids: {
    ...{ attempted: leased, made: leased, checked: leased, leased, fenced: 0, random: 0, stray: 0 },
    ...{ fallbackShare: 0, randomMeetings: 0 },
  },
  broken: { 'equal IDs': 0, R1: 0, R2: 0, R6: 0 },
  recovery: { 'kill-server': { clients: 5, medianMs, p95Ms: 2 * medianMs, worstMs: 9000 } },
});

it('has a row for each report and one for all, each fault by store, and times to recover', () => {
  const text = reportTables([
    report('redis', 1000, { 'kill-server': 3 }, 200),
    report('etcd', 2500, { 'kill-server': 4, 'lose-leader': 30 }, 400),
  ]);
  const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows).toContainEqual(expect.arrayContaining(['redis, seed 1', '10', '1,000', '90.0 %']));
  expect(rows).toContainEqual(expect.arrayContaining(['all', '20', '3,500']));
  expect(rows).toContainEqual(['', '`lose-leader`', '0', '30', '30', '']);
  expect(rows).toContainEqual(['', '`kill-server`', '3', '4', '7', '']);
  expect(rows).toContainEqual(['', '`kill-server`', '0.2 s / 0.4 s', '0.4 s / 0.8 s', '']);
});
