// IDs found in a log, with what is remarkable about their sequence: repeats, and those that are lower than the one
// before them. Runs in a worker; what comes out is plain data, so that it can cross over.
import { findIds, type ReadingName, readId } from 'kazahana/inspect';

export const MAX_ROWS = 10_000;

export interface BatchRow {
  /** From 1, in the order of the text. */
  readonly number: number;
  readonly line: number;
  readonly text: string;
  readonly as: ReadingName | null;
  readonly title: string;
  readonly unixMs: number | null;
  readonly isRepeat: boolean;
  /** Lower than the one of its kind before it. */
  readonly isBreak: boolean;
}

export interface Batch {
  readonly rows: readonly BatchRow[];
  /** All that were found; those beyond the limit are only counted. */
  readonly found: number;
  readonly repeats: number;
  readonly breaks: number;
}

/** Kinds whose IDs have no order: a v4 is random, and a v1 keeps its time in another order than its digits. */
const UNORDERED = new Set(['UUID v1', 'UUID v4']);

export function analyse(text: string, now: number): Batch {
  const rows: BatchRow[] = [];
  const seen = new Set<string>();
  const highest = new Map<string, bigint>();
  let [found, repeats, breaks, line, lineEnd] = [0, 0, 0, 1, text.indexOf('\n')];
  for (const { text: id, index } of findIds(text)) {
    found++;
    if (rows.length === MAX_ROWS) continue;
    while (lineEnd >= 0 && lineEnd < index) {
      line++;
      lineEnd = text.indexOf('\n', lineEnd + 1);
    }
    const reading = readId(id, { now })[0];
    const key = reading ? `${reading.bits} ${reading.value}` : id;
    const isRepeat = seen.has(key);
    seen.add(key);
    const last = reading && highest.get(reading.title);
    const isOrdered = reading !== undefined && !UNORDERED.has(reading.title) && reading.unixMs !== null;
    const isBreak = isOrdered && last !== undefined && reading.value < last;
    if (isOrdered) highest.set(reading.title, reading.value);
    if (isRepeat) repeats++;
    if (isBreak) breaks++;
    const { as = null, title = '', unixMs = null } = reading ?? {};
    rows.push({ number: rows.length + 1, line, text: id, as, title, unixMs, isRepeat, isBreak });
  }
  return { rows, found, repeats, breaks };
}

export const SORTS = ['number', 'time', 'id', 'kind'] as const;
export type Sort = (typeof SORTS)[number];
export const FILTERS = ['all', 'repeats', 'breaks'] as const;
export type Filter = (typeof FILTERS)[number];

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** Numbers as numbers: a shorter one is lower. */
const byId = (a: BatchRow, b: BatchRow) =>
  /^\d+$/.test(a.text) && /^\d+$/.test(b.text) && a.text.length !== b.text.length
    ? a.text.length - b.text.length
    : byText(a.text, b.text);

const COMPARE: Readonly<Record<Sort, (a: BatchRow, b: BatchRow) => number>> = {
  number: (a, b) => a.number - b.number,
  // Those without a time stand at the end.
  time: (a, b) => (a.unixMs ?? Number.MAX_VALUE) - (b.unixMs ?? Number.MAX_VALUE),
  id: byId,
  kind: (a, b) => byText(a.title, b.title),
};

export function arrange(
  rows: readonly BatchRow[],
  sort: Sort,
  isDescending: boolean,
  filter: Filter,
): readonly BatchRow[] {
  const kept = rows.filter(
    ({ isRepeat, isBreak }) => filter === 'all' || (filter === 'repeats' ? isRepeat : isBreak),
  );
  const sorted = kept.sort((a, b) => COMPARE[sort](a, b) || a.number - b.number);
  return isDescending ? sorted.reverse() : sorted;
}

const iso = (unixMs: number | null) =>
  unixMs === null || Math.abs(unixMs) > 8.64e15 ? '' : new Date(unixMs).toISOString();

/** Fields hold no commas or quotes: IDs are digits, titles are ours. */
export function toCsv(rows: readonly BatchRow[]): string {
  const lines = rows.map(({ number, line, text, title, unixMs, isRepeat, isBreak }) =>
    [number, line, text, title, iso(unixMs), isRepeat, isBreak].join(','),
  );
  return ['number,line,id,kind,time,repeat,orderBreak', ...lines].join('\r\n');
}

/** IDs are strings, so that no reader rounds one. */
export function toNdjson(rows: readonly BatchRow[]): string {
  return rows
    .map(({ number, line, text, title, unixMs, isRepeat, isBreak }) =>
      JSON.stringify({
        number,
        line,
        id: text,
        kind: title,
        time: iso(unixMs) || null,
        repeat: isRepeat,
        orderBreak: isBreak,
      }),
    )
    .join('\n');
}
