// Values as people type them, refused when they are not what is meant.
import { UsageError } from './terminal.js';
import { quoted } from './visible.js';

/** A whole number; nothing is rounded or cut to fit. */
export function wholeNumber(what: string, text: string, min: number, max: number): number {
  const value = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`${what} must be a whole number from ${min} to ${max}, got ${quoted(text)}`);
}

/** As many as a double counts exactly. */
export const countOf = (text: string) => wholeNumber('--count', text, 1, Number.MAX_SAFE_INTEGER);

const ISO_TIME =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
/** Fewer digits would be a year to one reader and seconds to another. */
const UNIX_MS = /^[0-9]{12,16}$/;

/** A time: ISO 8601, Unix milliseconds, or `now`. What `Date.parse` makes of other texts is guesswork. */
export function timeOf(what: string, text: string): number {
  if (text === 'now') return Date.now();
  const unixMs = UNIX_MS.test(text) ? Number(text) : isoTimeOf(text);
  if (Number.isSafeInteger(unixMs)) return unixMs;
  throw new UsageError(
    `${what} must be a time like 2026-11-16T12:00:00Z, Unix milliseconds, or now; got ${quoted(text)}`,
  );
}

function isoTimeOf(text: string): number {
  const { year, month, day } = ISO_TIME.exec(text)?.groups ?? {};
  if (year === undefined) return Number.NaN;
  // February 30 would become March 2.
  const isInMonth = new Date(`${year}-${month}-01T00:00:00Z`).getUTCMonth() + 1 === Number(month);
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return isInMonth && Number(day) <= lastDay ? Date.parse(text) : Number.NaN;
}

export function idOf(text: string): bigint {
  const isNumber = /^(?:[0-9]{1,20}|0x[0-9a-f]{1,16})$/i.test(text);
  if (isNumber && BigInt(text) < 2n ** 64n) return BigInt(text);
  throw new UsageError(`an ID is a whole number from 0 to 2^64 - 1, got ${quoted(text)}`);
}
