// A pool as a map for the terminal: one character for some slots, by how many of them are taken and for how long.
import type { InspectedLease, InspectedPool } from 'kazahana/lease';
import type { Terminal } from './terminal.js';
import { relativeText } from './time-text.js';

/** Free, some taken, all taken; in their fallback window. */
const MARKS = { free: '·', some: '▒', all: '█', fallback: '░' } as const;
const MAP_ROWS = 10;

export function poolSummary(pool: InspectedPool, leases: readonly InspectedLease[]): string[] {
  const { name, layout, slots, now, quarantinedUntil } = pool;
  const live = leases.filter(({ expired }) => expired > now).length;
  const share = ((leases.length / slots) * 100).toFixed(1);
  const services = Map.groupBy(leases, ({ serviceId }) => serviceId);
  const byService = [...services].map(([service, own]) => `${service} ${own.length}`).join(', ');
  const first = Math.min(...leases.map(({ fallbackUntil }) => fallbackUntil));
  return [
    `pool ${name}  ${layout.bitReserve} + ${layout.bitTs} + ${layout.bitId} + ${layout.bitSeq} bits, epoch ${new Date(layout.customEpoch).toISOString()}`,
    `taken      ${leases.length} of ${slots} machine numbers (${share} %): ${live} leased, ${leases.length - live} kept for fallback`,
    ...(leases.length > 0 ? [`services   ${byService}`, `next free  ${relativeText(first, now)}`] : []),
    ...(quarantinedUntil > 0
      ? [`QUARANTINE no grants until ${new Date(quarantinedUntil).toISOString()}`]
      : []),
  ];
}

/** The slots of the leased half, in so many columns. */
export function poolMap(
  pool: InspectedPool,
  leases: readonly InspectedLease[],
  terminal: Terminal,
): string[] {
  const { slots, now, layout } = pool;
  const columns = Math.max(10, terminal.columns - 4);
  const perCell = Math.max(1, Math.ceil(slots / (columns * MAP_ROWS)));
  const cells = Array.from({ length: Math.ceil(slots / perCell) }, () => ({ taken: 0, live: 0 }));
  for (const { id, bitSeq, expired } of leases) {
    // A lease of a former layout stands where its suffixes are now.
    const slot = bitSeq === layout.bitSeq ? id : Math.floor((id * 2 ** bitSeq) / 2 ** layout.bitSeq);
    const cell = cells[Math.min(cells.length - 1, Math.floor(slot / perCell))];
    if (!cell) continue;
    cell.taken++;
    if (expired > now) cell.live++;
  }
  const drawn = cells.map(({ taken, live }) => {
    if (taken === 0) return terminal.paint('dim', MARKS.free);
    if (live === 0) return terminal.paint('yellow', MARKS.fallback);
    return terminal.paint('cyan', taken >= perCell ? MARKS.all : MARKS.some);
  });
  const rows: string[] = [];
  for (let at = 0; at < drawn.length; at += columns) rows.push(`  ${drawn.slice(at, at + columns).join('')}`);
  const legend = `${MARKS.free} free  ${MARKS.some} some taken  ${MARKS.all} taken  ${MARKS.fallback} kept for fallback`;
  return [...rows, `  ${legend}${perCell > 1 ? `; one mark is ${perCell} numbers` : ''}`];
}

export function leaseTable(leases: readonly InspectedLease[], now: number): string[] {
  const holderOf = (holder: Readonly<Record<string, string>>) =>
    Object.entries(holder)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
  const header = ['number', 'service', 'expires', 'free', 'holder'];
  const rows = leases.map(({ id, serviceId, expired, fallbackUntil, holder }) => [
    String(id),
    serviceId,
    relativeText(expired, now),
    relativeText(fallbackUntil, now),
    holderOf(holder),
  ]);
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
