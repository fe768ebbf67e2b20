// The errors of UUIDs.
import { show } from '../errors.js';
import type { UuidVersion, ValidationError } from './types.js';

/** The clock did not move while a generator that had run ahead of it was waiting for it. */
export class ClockStalledError extends Error {
  override readonly name = 'ClockStalledError';
  readonly code = 'CLOCK_STALLED';

  constructor(
    readonly now: number,
    readonly leadMs: number,
  ) {
    super(`the clock stands still at ${now}, and IDs are ${leadMs} ms ahead of it`);
  }
}

/** Text that is not a UUID; `errors` says what is wrong, and where. */
export class UuidFormatError extends Error {
  override readonly name = 'UuidFormatError';
  readonly code = 'UUID_FORMAT';

  constructor(
    readonly input: unknown,
    readonly errors: readonly ValidationError[],
  ) {
    super(`not a UUID: ${show(input)}: ${errors.map((error) => error.message).join('; ')}`);
  }
}

/** A valid UUID of a version that can be neither made nor taken apart here. */
export class UnsupportedUuidVersionError extends Error {
  override readonly name = 'UnsupportedUuidVersionError';
  readonly code = 'UNSUPPORTED_UUID_VERSION';

  constructor(readonly version: UuidVersion | unknown) {
    super(`UUID version must be v1, v4 or v7, got ${show(version)}`);
  }
}

/** A history that does not have the shape of `UuidHistoryItem[]`. */
export class HistoryFormatError extends Error {
  override readonly name = 'HistoryFormatError';
  readonly code = 'HISTORY_FORMAT';

  constructor(
    /** Where in the history, for example `[3].createdAt`. */
    readonly path: string,
    readonly allowed: string,
    readonly value: unknown,
  ) {
    super(`history${path} must be ${allowed}, got ${show(value)}`);
  }
}
