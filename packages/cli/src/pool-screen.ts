// What `kazahana pool watch` draws: the pool in a few lines with a clock and a bar, its map in the colours of the services, and
// what has happened last.
import type { PoolView } from './pool-access.js';
import type { PoolEvent } from './pool-events.js';
import {
  byService,
  folded,
  heldText,
  MARKS,
  poolFacts,
  poolMap,
  poolTitle,
  type ServiceColors,
} from './pool-map.js';
import { isNarrow, type Terminal } from './terminal.js';
import { padEnd, truncate, widthOf } from './text-width.js';
import { visible } from './visible.js';

const LABEL = 11;

const clockText = (unixMs: number) => new Date(unixMs).toTimeString().slice(0, 8);

/** The title, and at the right edge the time. */
function head({ pool }: PoolView, now: number, { columns }: Terminal): string {
  const clock = clockText(now);
  return `${padEnd(poolTitle(pool, columns - clock.length - 2), columns - clock.length)}${clock}`;
}

/** What part of the pool each service holds; who holds anything has a mark. */
function bar({ pool: { slots }, leases }: PoolView, colors: ServiceColors, terminal: Terminal): string {
  const width = Math.max(8, terminal.columns - LABEL);
  let used = 0;
  const parts = byService(leases).map(([name, count]) => {
    const wanted = Math.max(1, Math.round((count / slots) * width));
    const marks = Math.max(0, Math.min(wanted, width - used));
    used += marks;
    return terminal.paint(colors.of(name), MARKS.all.repeat(marks));
  });
  return ' '.repeat(LABEL) + parts.join('') + terminal.paint('dim', MARKS.free.repeat(width - used));
}

/** As many services as fit, each with a square of its colour. */
function services({ leases }: PoolView, colors: ServiceColors, terminal: Terminal): string[] {
  const room = terminal.columns - LABEL;
  let used = 0;
  const shown: string[] = [];
  const all = byService(leases);
  for (const [name, count] of all) {
    const text = ` ${truncate(visible(name), 24)} ${count}  `;
    if (used + 1 + widthOf(text) > room - 1) break;
    used += 1 + widthOf(text);
    shown.push(terminal.paint(colors.of(name), '■') + text);
  }
  if (all.length === 0) return [];
  return [`services   ${shown.join('')}${shown.length < all.length ? '…' : ''}`.trimEnd()];
}

function eventLines(events: readonly PoolEvent[], colors: ServiceColors, terminal: Terminal): string[] {
  // A narrow terminal has its columns for what happened; the time before it says that it is an event.
  const indent = isNarrow(terminal) ? 0 : LABEL;
  return events.map(({ at, serviceId, text }, i) => {
    const label = (i === 0 ? 'events' : '').padEnd(LABEL).slice(0, indent);
    const square = terminal.paint(colors.of(serviceId), '■');
    return `${label}${clockText(at)} ${square} ${truncate(text, Math.max(8, terminal.columns - indent - 11))}`;
  });
}

export interface PoolScreen {
  readonly view: PoolView;
  /** The newest first. */
  readonly events: readonly PoolEvent[];
  readonly colors: ServiceColors;
  readonly now: number;
  /** Why the view is an old one. */
  readonly trouble: string | undefined;
}

export function poolScreen({ view, events, colors, now, trouble }: PoolScreen, terminal: Terminal): string[] {
  const fit = (line: string) => truncate(line, terminal.columns);
  const upper = [
    head(view, now, terminal),
    ...folded(`held       ${heldText(view)}`, terminal.columns),
    bar(view, colors, terminal),
    ...services(view, colors, terminal),
    ...poolFacts(view).flatMap((line) => folded(line, terminal.columns)),
    '',
    ...poolMap(view, colors, terminal),
  ];
  const lower = trouble === undefined ? [] : ['', terminal.paint('red', fit(visible(trouble)))];
  // One row stays empty, for the end of the last line.
  const room = terminal.rows - upper.length - lower.length - 2;
  const shown = eventLines(events.slice(0, Math.max(0, room)), colors, terminal);
  return [...upper, ...(shown.length > 0 ? ['', ...shown] : []), ...lower];
}
