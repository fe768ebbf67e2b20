// The times that an ID can carry: from its epoch to the end of its bits. Beyond them is an error, never a
// flipped sign bit.
import type { ErrorCode } from '../error-codes.js';
import type { IdLayout } from './layout.js';

/** A time for people to read; a `Date` holds 8.64e15 ms on both sides of 1970. */
function timeText(unixMs: number): string {
  return Math.abs(unixMs) <= 8.64e15 ? new Date(unixMs).toISOString() : `${unixMs} ms`;
}

/** A time before the epoch, or past the bits of the timestamp. */
export class TimestampOverflowError extends Error {
  override readonly name = 'TimestampOverflowError';
  readonly code = 'TIMESTAMP_OVERFLOW' satisfies ErrorCode;

  constructor(
    readonly unixMs: number,
    readonly min: number,
    readonly max: number,
  ) {
    super(
      unixMs < min
        ? `the time ${timeText(unixMs)} is before the epoch of this layout, ${timeText(min)}: check the clock and customEpoch`
        : `an ID of this layout carries times from ${timeText(min)} to ${timeText(max)}, got ${timeText(unixMs)}`,
    );
  }
}

export function checkTimestamp(
  unixMs: number,
  { customEpoch, bitTs }: Pick<IdLayout, 'customEpoch' | 'bitTs'>,
): void {
  const max = customEpoch + 2 ** bitTs - 1;
  if (unixMs < customEpoch || unixMs > max) throw new TimestampOverflowError(unixMs, customEpoch, max);
}
