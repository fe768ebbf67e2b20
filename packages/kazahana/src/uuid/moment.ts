// The step that v1 and v7 share: a time and a count within it, always later than the last, whatever the clock says.

export interface Moment {
  readonly unixMs: number;
  /** v7: the counter; v1: the 100 ns tick within the millisecond. */
  readonly count: number;
}

/**
 * The moment after `last`. The same millisecond, a clock that stepped back and a full count are one case.
 * `fresh` is where a new millisecond starts to count.
 */
export function stepMoment(last: Moment, now: number, fresh: number, maxCount: number): Moment {
  if (now > last.unixMs) return { unixMs: now, count: fresh };
  if (last.count < maxCount) return { unixMs: last.unixMs, count: last.count + 1 };
  return { unixMs: last.unixMs + 1, count: fresh };
}

/** Before every moment that a clock can show. */
export const BEFORE_ALL: Moment = { unixMs: -1, count: 0 };
