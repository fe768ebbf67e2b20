// Values as people type them, refused when they are not what is meant.
import { UsageError } from './terminal.js';

/** A whole number; nothing is rounded or cut to fit. */
export function wholeNumber(what: string, text: string, min: number, max: number): number {
  const value = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`${what} must be a whole number from ${min} to ${max}, got ${JSON.stringify(text)}`);
}

/** A time: ISO 8601, Unix milliseconds, or `now`. */
export function timeOf(what: string, text: string): number {
  if (text === 'now') return Date.now();
  const unixMs = /^-?[0-9]{10,}$/.test(text) ? Number(text) : Date.parse(text);
  // A few digits alone would be a year to one reader and seconds to another.
  const isAmbiguous = /^-?[0-9]{1,9}$/.test(text);
  if (Number.isSafeInteger(unixMs) && !isAmbiguous) return unixMs;
  throw new UsageError(
    `${what} must be a time like 2026-11-16T12:00:00Z, Unix milliseconds, or now; got ${JSON.stringify(text)}`,
  );
}

export function idOf(text: string): bigint {
  const isNumber = /^(?:[0-9]{1,20}|0x[0-9a-f]{1,16})$/i.test(text);
  if (isNumber && BigInt(text) < 2n ** 64n) return BigInt(text);
  throw new UsageError(`an ID is a whole number from 0 to 2^64 - 1, got ${JSON.stringify(text)}`);
}
