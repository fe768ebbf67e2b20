// IDs of a text, one row each, with what is remarkable about their sequence: repeats, and those that are lower than the
// one before them. Runs in a worker; what comes out is plain data, so that it can cross over.
import type { Certainty } from 'kazahana/inspect';
import { findAll, likeliest } from '../state/answer.js';

export const MAX_ROWS = 10_000;

export interface IdRow {
  /** From 1, in the order of the text. */
  readonly number: number;
  readonly line: number;
  readonly text: string;
  /** The title of its likeliest format; empty when it has none. */
  readonly title: string;
  /** How sure that format is; null when it has none. */
  readonly certainty: Certainty | null;
  readonly unixMs: number | null;
  readonly isRepeat: boolean;
  /** Lower than the one of its kind before it. */
  readonly isBreak: boolean;
}

export interface IdRows {
  readonly rows: readonly IdRow[];
  /** All that were found; those beyond the limit are only counted. */
  readonly found: number;
  readonly repeats: number;
  readonly breaks: number;
}

export const NO_ROWS: IdRows = { rows: [], found: 0, repeats: 0, breaks: 0 };

export function analyse(text: string, now: number): IdRows {
  const rows: IdRow[] = [];
  const seen = new Set<string>();
  const highest = new Map<string, bigint>();
  let [found, repeats, breaks, line, lineEnd] = [0, 0, 0, 1, text.indexOf('\n')];
  for (const { text: id, index } of findAll(text)) {
    found++;
    if (rows.length === MAX_ROWS) continue;
    while (lineEnd >= 0 && lineEnd < index) {
      line++;
      lineEnd = text.indexOf('\n', lineEnd + 1);
    }
    const reading = likeliest(id, now);
    const key = reading && reading.bits > 0 ? `${reading.bits} ${reading.value}` : id;
    const isRepeat = seen.has(key);
    seen.add(key);
    const last = reading && highest.get(reading.title);
    const isOrdered = reading?.order === 'time';
    const isBreak = isOrdered && last !== undefined && reading.value < last;
    if (isOrdered) highest.set(reading.title, reading.value);
    if (isRepeat) repeats++;
    if (isBreak) breaks++;
    const unixMs = reading?.time?.unixMs ?? null;
    rows.push({
      number: rows.length + 1,
      line,
      text: id,
      title: reading?.title ?? '',
      certainty: reading?.certainty ?? null,
      unixMs,
      isRepeat,
      isBreak,
    });
  }
  return { rows, found, repeats, breaks };
}

export const SORTS = ['number', 'id', 'kind', 'time'] as const;
export type Sort = (typeof SORTS)[number];
export const FILTERS = ['all', 'repeats', 'breaks'] as const;
export type Filter = (typeof FILTERS)[number];

export interface Arrangement {
  readonly sort: Sort;
  readonly isDescending: boolean;
  readonly filter: Filter;
  /** Part of an ID, of its kind or of its time. */
  readonly search: string;
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** Numbers as numbers: a shorter one is lower. */
const byId = (a: IdRow, b: IdRow) =>
  /^\d+$/.test(a.text) && /^\d+$/.test(b.text) && a.text.length !== b.text.length
    ? a.text.length - b.text.length
    : byText(a.text, b.text);

const COMPARE: Readonly<Record<Sort, (a: IdRow, b: IdRow) => number>> = {
  number: (a, b) => a.number - b.number,
  // Those without a time stand at the end.
  time: (a, b) => (a.unixMs ?? Number.MAX_VALUE) - (b.unixMs ?? Number.MAX_VALUE),
  id: byId,
  kind: (a, b) => byText(a.title, b.title),
};

function matches({ text, title, unixMs }: IdRow, wanted: string): boolean {
  return (
    text.toLowerCase().includes(wanted) ||
    text.replaceAll('-', '').toLowerCase().includes(wanted) ||
    title.toLowerCase().includes(wanted) ||
    isoOf(unixMs).toLowerCase().includes(wanted)
  );
}

export function arrange(rows: readonly IdRow[], arrangement: Arrangement): readonly IdRow[] {
  const { sort, isDescending, filter } = arrangement;
  const search = arrangement.search.trim().toLowerCase();
  const kept = rows.filter(
    (row) =>
      (filter === 'all' || (filter === 'repeats' ? row.isRepeat : row.isBreak)) &&
      (search === '' || matches(row, search)),
  );
  const sorted = kept.sort((a, b) => COMPARE[sort](a, b) || a.number - b.number);
  return isDescending ? sorted.reverse() : sorted;
}

const isoOf = (unixMs: number | null) =>
  unixMs === null || Math.abs(unixMs) > 8.64e15 ? '' : new Date(unixMs).toISOString();

/** A field of a CSV file; quoted where it has to be. */
const csvField = (value: string | number | boolean) =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

export function toCsv(rows: readonly IdRow[]): string {
  const lines = rows.map(({ number, line, text, title, certainty, unixMs, isRepeat, isBreak }) =>
    [number, line, text, title, certainty ?? '', isoOf(unixMs), isRepeat, isBreak].map(csvField).join(','),
  );
  return ['number,line,id,kind,certainty,time,repeat,orderBreak', ...lines].join('\r\n');
}

/** IDs are strings, so that no reader rounds one. */
export function toNdjson(rows: readonly IdRow[]): string {
  return rows
    .map(({ number, line, text, title, certainty, unixMs, isRepeat, isBreak }) =>
      JSON.stringify({
        number,
        line,
        id: text,
        kind: title,
        certainty,
        time: isoOf(unixMs) || null,
        repeat: isRepeat,
        orderBreak: isBreak,
      }),
    )
    .join('\n');
}
