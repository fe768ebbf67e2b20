// A pool as a map for the terminal: one mark for some machine IDs, by how many of them are held and for how long, in the colour
// of the service that holds most of them.
import type { InspectedLease, InspectedPool } from 'kazahana/lease';
import type { PoolView } from './pool-access.js';
import { isNarrow, type Style, type Terminal } from './terminal.js';
import { padEnd, truncate, widthOf, wrap } from './text-width.js';
import { relativeText } from './time-text.js';
import { visible } from './visible.js';

/** Free, some held, all held; in their fallback window. */
export const MARKS = { free: '·', some: '▒', all: '█', fallback: '░' } as const;
/** So that map, summary and events fit into 24 rows; where lines are folded, there are fewer left for the map. */
const mapRows = (terminal: Terminal) => (isNarrow(terminal) ? 4 : 8);

const powerOfTwoUpTo = (limit: number) => 2 ** Math.floor(Math.log2(limit));
const bitsOf = ({ layout: { bitReserve, bitTs, bitId, bitSeq } }: InspectedPool) =>
  `${bitReserve} + ${bitTs} + ${bitId} + ${bitSeq} bits`;

const SERVICE_COLORS = ['cyan', 'green', 'magenta', 'blue', 'yellow', 'red'] as const;

/** A colour for each service, the same at every look: as they come, those of one look by name. */
export class ServiceColors {
  readonly #colors = new Map<string, Style>();

  meet(leases: readonly InspectedLease[]): void {
    const names = new Set(leases.map(({ serviceId }) => serviceId));
    for (const name of [...names].sort())
      if (!this.#colors.has(name))
        this.#colors.set(name, SERVICE_COLORS[this.#colors.size % SERVICE_COLORS.length] ?? 'cyan');
  }

  of(service: string): Style {
    return this.#colors.get(service) ?? 'cyan';
  }
}

/** The pool in one line: as much of it as so many columns have room for. */
export function poolTitle(pool: InspectedPool, columns = Number.POSITIVE_INFINITY): string {
  const name = `pool ${visible(pool.name)}`;
  const titles = [`${name}  ${poolBits(pool)}`, `${name}  ${bitsOf(pool)}`];
  return titles.find((title) => widthOf(title) <= columns) ?? truncate(name, columns);
}

export function poolBits(pool: InspectedPool): string {
  return `${bitsOf(pool)}, epoch ${new Date(pool.layout.customEpoch).toISOString()}`;
}

/** How many leases each service holds, the most first. */
export function byService(
  leases: readonly InspectedLease[],
): readonly (readonly [name: string, count: number])[] {
  return [...Map.groupBy(leases, ({ serviceId }) => serviceId)]
    .map(([name, own]) => [name, own.length] as const)
    .toSorted(([, a], [, b]) => b - a);
}

export function heldText({ pool: { slots, now }, leases }: PoolView): string {
  const live = leases.filter(({ expired }) => expired > now).length;
  const percent = ((leases.length / slots) * 100).toFixed(1);
  return `${leases.length} of ${slots} machine IDs (${percent} %): ${live} leased, ${leases.length - live} kept for fallback`;
}

/** When the next machine ID is free, the share of the pool, and its quarantine, as far as there are such. */
export function poolFacts({ pool, leases }: PoolView): string[] {
  const { slots, now, quarantinedUntil } = pool;
  const { index, of } = pool.share;
  const first = leases.reduce((least, { fallbackUntil }) => Math.min(least, fallbackUntil), Infinity);
  return [
    ...(leases.length > 0 ? [`next free  ${relativeText(first, now)}`] : []),
    ...(of > 1
      ? [`share      ${index} of ${of}: machine IDs ${index * slots} to ${(index + 1) * slots - 1}`]
      : []),
    ...(quarantinedUntil > 0
      ? [`QUARANTINE no grants until ${new Date(quarantinedUntil).toISOString()}`]
      : []),
  ];
}

/** The columns of a name, before what it names. */
const LABEL = 11;
const NO_BREAK = '\u00a0';
/** A pool can have thousands of services. */
const MOST_LINES = 4;

/** A line in as many as it needs, the further ones under what is named; a word that is too wide is cut. */
export function folded(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const room = Math.max(8, columns - LABEL);
  // A number keeps its percent sign.
  const parts = wrap(line.slice(LABEL).replaceAll(' %', `${NO_BREAK}%`), room);
  const kept = parts.slice(0, MOST_LINES).map((part) => truncate(part, room));
  if (parts.length > MOST_LINES) kept[MOST_LINES - 1] = truncate(`${kept[MOST_LINES - 1]} …`, room);
  return kept.map(
    (part, at) => (at === 0 ? line.slice(0, LABEL) : ' '.repeat(LABEL)) + part.replaceAll(NO_BREAK, ' '),
  );
}

export function poolSummary(view: PoolView, columns: number): string[] {
  const title = poolTitle(view.pool);
  const services = byService(view.leases).map(([name, count]) => `${visible(name)} ${count}`);
  return [
    ...(widthOf(title) <= columns
      ? [title]
      : [`pool       ${visible(view.pool.name)}`, `layout     ${poolBits(view.pool)}`]),
    `held       ${heldText(view)}`,
    ...(services.length > 0 ? [`services   ${services.join(', ')}`] : []),
    ...poolFacts(view),
  ].flatMap((line) => folded(line, columns));
}

interface Mark {
  held: number;
  live: number;
  readonly services: Map<string, number>;
}

function marksOf({ pool, leases }: PoolView, perMark: number): Mark[] {
  const { slots, now, layout, share } = pool;
  const marks = Array.from(
    { length: slots / perMark },
    (): Mark => ({ held: 0, live: 0, services: new Map() }),
  );
  for (const { id, bitSeq, expired, serviceId } of leases) {
    // A lease of a former layout stands where its suffixes are now.
    const slot = Math.floor(id * 2 ** (bitSeq - layout.bitSeq)) - share.index * slots;
    const mark = marks[Math.floor(slot / perMark)];
    if (!mark) continue;
    mark.held++;
    mark.services.set(serviceId, (mark.services.get(serviceId) ?? 0) + 1);
    if (expired > now) mark.live++;
  }
  return marks;
}

/** The machine IDs of the leased half, rows of a power of two with their first machine ID before them. */
export function poolMap(view: PoolView, colors: ServiceColors, terminal: Terminal): string[] {
  const { slots, share } = view.pool;
  const first = share.index * slots;
  const half = share.of * slots;
  const label = String(first + slots).length;
  const perRow = Math.min(slots, powerOfTwoUpTo(Math.max(8, terminal.columns - label - 4)));
  const perMark = Math.max(1, 2 ** Math.ceil(Math.log2(slots / (perRow * mapRows(terminal)))));
  const drawn = marksOf(view, perMark).map(({ held, live, services }) => {
    if (held === 0) return terminal.paint('dim', MARKS.free);
    const [most = ''] = [...services].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    const mark = live === 0 ? MARKS.fallback : held >= perMark ? MARKS.all : MARKS.some;
    return terminal.paint(colors.of(most), mark);
  });
  const rows: string[] = [];
  for (let at = 0; at < drawn.length; at += perRow)
    rows.push(`  ${String(first + at * perMark).padStart(label)} ${drawn.slice(at, at + perRow).join('')}`);
  const legend = [
    `${MARKS.free} free`,
    `${MARKS.some} some held`,
    `${MARKS.all} held`,
    `${MARKS.fallback} kept for fallback`,
  ]
    .map((mark) => mark.replaceAll(' ', NO_BREAK))
    .join('  ');
  const scale = perMark > 1 ? `one mark is ${perMark} machine IDs; ` : '';
  const notes = [legend, `${scale}${half + first} to ${half + first + slots - 1} are for fallback`];
  return [
    ...rows,
    '',
    ...notes
      .flatMap((note) => wrap(note, terminal.columns - 2))
      .map((line) => `  ${line.trim().replaceAll(NO_BREAK, ' ')}`),
  ];
}

/** The leases, a row each; no wider than so. */
export function leaseTable({ pool: { now }, leases }: PoolView, columns: number): string[] {
  const holderOf = (holder: Readonly<Record<string, string>>) =>
    Object.entries(holder)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
  const header = ['machine ID', 'service', 'expires', 'free', 'holder'];
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
