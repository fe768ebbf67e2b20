// The times that IDs carry: steps of some length since some epoch, as Unix milliseconds and as text of that precision.
import type { ReadingTime } from './types.js';

/** JavaScript dates end here, on both sides of 1970. */
const MAX_UNIX_MS = 8_640_000_000_000_000;
const NS_PER_MS = 1_000_000n;

/** How many digits after the second a step shows. */
function digitsOf(stepNs: bigint): number {
  if (stepNs % 1_000_000_000n === 0n) return 0;
  if (stepNs % NS_PER_MS === 0n) return 3;
  return stepNs % 1000n === 0n ? 6 : stepNs % 100n === 0n ? 7 : 9;
}

/** A time from nanoseconds since 1970; null when no date can hold it. */
export function timeFromNs(unixNs: bigint, stepNs: bigint, precision: string): ReadingTime | null {
  const remainder = ((unixNs % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  const unixMs = Number((unixNs - remainder) / NS_PER_MS);
  if (Math.abs(unixMs) > MAX_UNIX_MS) return null;
  const [seconds = '', fraction = ''] = new Date(unixMs).toISOString().slice(0, -1).split('.');
  const all = fraction + String(remainder).padStart(6, '0');
  const digits = digitsOf(stepNs);
  return { unixMs, iso: `${seconds}${digits === 0 ? '' : `.${all.slice(0, digits)}`}Z`, precision };
}

type Count = number | bigint;

/** A clock that counts steps since an epoch. */
const clock =
  (stepNs: bigint, precision: string) =>
  (count: Count, epochMs = 0) =>
    timeFromNs(BigInt(count) * stepNs + BigInt(epochMs) * NS_PER_MS, stepNs, precision);

/** The same for steps of whole milliseconds, without bigints: a number is read as a dozen formats, most of them of such a clock. */
const coarseClock = (stepMs: number, precision: string) => {
  const isWholeSeconds = stepMs % 1000 === 0;
  return (count: Count, epochMs = 0): ReadingTime | null => {
    const unixMs = Number(count) * stepMs + epochMs;
    if (Math.abs(unixMs) > MAX_UNIX_MS) return null;
    const iso = new Date(unixMs).toISOString();
    return { unixMs, iso: isWholeSeconds ? `${iso.slice(0, -5)}Z` : iso, precision };
  };
};

export const inNanoseconds = clock(1n, 'ns');
export const inTicks = clock(100n, '100 ns');
export const inMicroseconds = clock(1000n, 'µs');
export const inMilliseconds = coarseClock(1, 'ms');
export const inCentiseconds = coarseClock(10, '10 ms');
export const inSeconds = coarseClock(1000, 's');

/** The text of a time that a field carries. */
export const isoOf = (time: ReadingTime | null): string => time?.iso ?? 'beyond all dates';

const DAY_MS = 24 * 3600 * 1000;

/** A day of leave for clocks that are wrong, and for time zones. */
export function verdictOn(
  { unixMs }: ReadingTime,
  since: number | undefined,
  now: number,
): 'plausible' | 'future' | 'early' {
  if (unixMs > now + DAY_MS) return 'future';
  return since !== undefined && unixMs < since ? 'early' : 'plausible';
}
