// The times that an ID can carry: from its epoch to the end of its bits. Beyond them is an error, never a
// flipped sign bit.
import type { ErrorCode } from '../error-codes.js';
import type { IdLayout } from './layout.js';

/** A time before the epoch, or past the bits of the timestamp. */
export class TimestampOverflowError extends Error {
  override readonly name = 'TimestampOverflowError';
  readonly code = 'TIMESTAMP_OVERFLOW' satisfies ErrorCode;

  constructor(
    readonly unixMs: number,
    readonly min: number,
    readonly max: number,
  ) {
    super(`an ID of this layout carries Unix times from ${min} to ${max} ms, got ${unixMs}`);
  }
}

export function checkTimestamp(
  unixMs: number,
  { customEpoch, bitTs }: Pick<IdLayout, 'customEpoch' | 'bitTs'>,
): void {
  const max = customEpoch + 2 ** bitTs - 1;
  if (unixMs < customEpoch || unixMs > max) throw new TimestampOverflowError(unixMs, customEpoch, max);
}
