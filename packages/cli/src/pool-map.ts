// A pool as a map for the terminal: one mark for some machine IDs, by how many of them are held and for how long.
import type { InspectedLease, InspectedPool } from 'kazahana/lease';
import type { PoolView } from './pool-access.js';
import type { Terminal } from './terminal.js';
import { padEnd, truncate, widthOf } from './text-width.js';
import { relativeText } from './time-text.js';
import { visible } from './visible.js';

/** Free, some taken, all taken; in their fallback window. */
const MARKS = { free: '·', some: '▒', all: '█', fallback: '░' } as const;
/** So that map and summary fit into 24 rows. */
const MAP_ROWS = 12;

const powerOfTwoUpTo = (limit: number) => 2 ** Math.floor(Math.log2(limit));
const bitsOf = ({ layout: { bitReserve, bitTs, bitId, bitSeq } }: InspectedPool) =>
  `${bitReserve} + ${bitTs} + ${bitId} + ${bitSeq} bits`;

/** The pool in one line. */
export function poolTitle(pool: InspectedPool): string {
  return `pool ${visible(pool.name)}  ${poolBits(pool)}`;
}

export function poolBits(pool: InspectedPool): string {
  return `${bitsOf(pool)}, epoch ${new Date(pool.layout.customEpoch).toISOString()}`;
}

export function poolSummary({ pool, leases }: PoolView, columns: number): string[] {
  const { slots, now, quarantinedUntil } = pool;
  const live = leases.filter(({ expired }) => expired > now).length;
  const percent = ((leases.length / slots) * 100).toFixed(1);
  const { index, of } = pool.share;
  const byService = [...Map.groupBy(leases, ({ serviceId }) => serviceId)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([service, own]) => `${visible(service)} ${own.length}`);
  const first = leases.reduce((least, { fallbackUntil }) => Math.min(least, fallbackUntil), Infinity);
  return [
    poolTitle(pool),
    ...(of > 1
      ? [`share      ${index} of ${of}: machine IDs ${index * slots} to ${(index + 1) * slots - 1}`]
      : []),
    `held       ${leases.length} of ${slots} machine IDs (${percent} %): ${live} leased, ${leases.length - live} kept for fallback`,
    ...(leases.length > 0
      ? [`services   ${byService.join(', ')}`, `next free  ${relativeText(first, now)}`]
      : []),
    ...(quarantinedUntil > 0
      ? [`QUARANTINE no grants until ${new Date(quarantinedUntil).toISOString()}`]
      : []),
  ].map((line) => truncate(line, columns));
}

/** The numbers of the leased half, rows of a power of two with their first number before them. */
export function poolMap({ pool, leases }: PoolView, terminal: Terminal): string[] {
  const { slots, now, layout, share } = pool;
  const first = share.index * slots;
  const half = share.of * slots;
  const label = String(first + slots).length;
  const perRow = Math.min(slots, powerOfTwoUpTo(Math.max(8, terminal.columns - label - 4)));
  const perMark = Math.max(1, 2 ** Math.ceil(Math.log2(slots / (perRow * MAP_ROWS))));
  const marks = Array.from({ length: slots / perMark }, () => ({ taken: 0, live: 0 }));
  for (const { id, bitSeq, expired } of leases) {
    // A lease of a former layout stands where its suffixes are now.
    const slot = Math.floor(id * 2 ** (bitSeq - layout.bitSeq)) - first;
    const mark = marks[Math.floor(slot / perMark)];
    if (!mark) continue;
    mark.taken++;
    if (expired > now) mark.live++;
  }
  const drawn = marks.map(({ taken, live }) => {
    if (taken === 0) return terminal.paint('dim', MARKS.free);
    if (live === 0) return terminal.paint('yellow', MARKS.fallback);
    return terminal.paint('cyan', taken >= perMark ? MARKS.all : MARKS.some);
  });
  const rows: string[] = [];
  for (let at = 0; at < drawn.length; at += perRow)
    rows.push(`  ${String(first + at * perMark).padStart(label)} ${drawn.slice(at, at + perRow).join('')}`);
  return [
    ...rows,
    '',
    `  ${MARKS.free} free  ${MARKS.some} some taken  ${MARKS.all} taken  ${MARKS.fallback} kept for fallback`,
    ...(perMark > 1 ? [`  one mark is ${perMark} machine IDs`] : []),
    `  ${half + first} to ${half + first + slots - 1} are for fallback IDs, never leased`,
  ];
}

/** The leases, a row each; no wider than so. */
export function leaseTable({ pool: { now }, leases }: PoolView, columns: number): string[] {
  const holderOf = (holder: Readonly<Record<string, string>>) =>
    Object.entries(holder)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
  const header = ['number', 'service', 'expires', 'free', 'holder'];
  const rows = leases.map(({ id, serviceId, expired, fallbackUntil, holder }: InspectedLease) =>
    [
      String(id),
      serviceId,
      relativeText(expired, now),
      relativeText(fallbackUntil, now),
      holderOf(holder),
    ].map(visible),
  );
  const all = [header, ...rows];
  const widths = header.map((_, column) =>
    all.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0),
  );
  return all.map((row) => {
    const line = row.map((cell, column) => padEnd(cell, widths[column] ?? 0)).join('  ');
    return truncate(line.trimEnd(), columns);
  });
}
