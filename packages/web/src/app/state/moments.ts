// Times in words: UTC, where the reader is, relative to now. Dates that JavaScript does not have are shown as numbers.
import { type ReadingTime, relativeTime } from 'kazahana/inspect';
import { language } from '../i18n/index.js';
import type { TimeMode } from './settings.js';

const MAX_UNIX_MS = 8.64e15;
/** The year 1. */
const FIRST_YEAR_MS = -62_135_596_800_000;
const isDate = (unixMs: number) => Math.abs(unixMs) <= MAX_UNIX_MS;

export function inUtc(unixMs: number): string {
  return isDate(unixMs) ? new Date(unixMs).toISOString() : String(unixMs);
}

export function inLocal(unixMs: number): string {
  if (!isDate(unixMs)) return String(unixMs);
  return new Intl.DateTimeFormat(language(), {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(unixMs);
}

/** A time as a sentence says it, with as many digits as its precision has, up to milliseconds. */
export function spoken({ unixMs, iso }: Pick<ReadingTime, 'unixMs' | 'iso'>, mode: 'utc' | 'local'): string {
  const fraction = /\.(\d+)Z$/.exec(iso)?.[1]?.length ?? 0;
  const digits = Math.min(3, fraction) as 0 | 1 | 2 | 3;
  return new Intl.DateTimeFormat(language(), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...(unixMs < FIRST_YEAR_MS && { era: 'short' as const }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(digits > 0 && { fractionalSecondDigits: digits as 1 | 2 | 3 }),
    hourCycle: 'h23',
    timeZoneName: 'short',
    ...(mode === 'utc' && { timeZone: 'UTC' }),
  }).format(unixMs);
}

export function inRelation(unixMs: number, now: number): string {
  const { value, unit } = relativeTime(unixMs, now);
  // "1 year ago" says more than "last year"; 0 seconds are now.
  return new Intl.RelativeTimeFormat(language(), { numeric: value === 0 ? 'auto' : 'always' }).format(
    value,
    unit,
  );
}

export function moment(unixMs: number, mode: TimeMode, now: number): string {
  if (mode === 'relative') return inRelation(unixMs, now);
  return mode === 'local' ? inLocal(unixMs) : inUtc(unixMs);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const;

/** How long, in the two largest units that say something. */
export function duration(ms: number, unitDisplay: 'long' | 'short' = 'long'): string {
  const written = (unit: string, amount: number) =>
    new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay }).format(amount);
  let rest = Math.abs(Math.round(ms));
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(written(unit, amount));
    if (parts.length === 2) break;
  }
  return parts.length === 0
    ? written('millisecond', 0)
    : new Intl.ListFormat(language(), { type: 'unit', style: 'narrow' }).format(parts);
}
