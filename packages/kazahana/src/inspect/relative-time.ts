// How long ago, or ahead, in the largest unit that says something; words are for the caller, in any language.

export interface RelativeTime {
  /** Negative in the past. */
  readonly value: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: readonly (readonly [unit: RelativeTime['unit'], ms: number])[] = [
  ['year', 365.25 * DAY],
  ['month', 30.4375 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

export function relativeTime(unixMs: number, now: number): RelativeTime {
  const ms = unixMs - now;
  for (const [unit, size] of UNITS) {
    if (Math.abs(ms) >= size) return { value: Math.trunc(ms / size), unit };
  }
  // Not -0, which would be written as such.
  return { value: Math.trunc(ms / SECOND) + 0, unit: 'second' };
}
