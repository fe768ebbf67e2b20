// The step that v1 and v7 share: a time and a count within it, always later than the last, whatever the clock says.

/** `count` is the counter of a v7, or the 100 ns tick of a v1 within its millisecond. */
export type Moment = readonly [unixMs: number, count: number];

/** How far a burst may run ahead of the clock. */
export const MAX_LEAD_MS = 1000;

/**
 * The moment after `last`. The same millisecond, a clock that stepped back and a full count are one case.
 * `fresh` is where a new millisecond starts to count.
 */
export function stepMoment([unixMs, count]: Moment, now: number, fresh: number, maxCount: number): Moment {
  if (now > unixMs) return [now, fresh];
  return count < maxCount ? [unixMs, count + 1] : [unixMs + 1, fresh];
}

/** Before every moment that a clock can show. */
export const BEFORE_ALL: Moment = [-1, 0];
