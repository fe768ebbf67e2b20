// The errors of UUIDs.
import type { ErrorCode } from '../error-codes.js';
import { InvalidArgumentError, show } from '../errors.js';
import { SUPPORTED_UUID_VERSIONS, type ValidationError } from './types.js';

/** The clock did not move while a generator that had run ahead of it was waiting for it. */
export class ClockStalledError extends Error {
  override readonly name = 'ClockStalledError';
  readonly code = 'CLOCK_STALLED' satisfies ErrorCode;

  constructor(readonly leadMs: number) {
    super(`the clock stands still, ${leadMs} ms behind the IDs`);
  }
}

/** Text that is not a UUID; `errors` says what is wrong, and where. */
export class UuidFormatError extends Error {
  override readonly name = 'UuidFormatError';
  readonly code = 'UUID_FORMAT' satisfies ErrorCode;

  constructor(
    readonly input: unknown,
    readonly errors: readonly ValidationError[],
  ) {
    super(`not a UUID: ${show(input)}: ${errors.map((error) => error.message).join('; ')}`);
  }
}

/** A valid UUID of a version that can be neither made nor taken apart here. */
export class UnsupportedUuidVersionError extends InvalidArgumentError {
  override readonly name = 'UnsupportedUuidVersionError';
  override readonly code = 'UNSUPPORTED_UUID_VERSION' satisfies ErrorCode;

  constructor(version: unknown) {
    super('UUID version', `one of ${SUPPORTED_UUID_VERSIONS.join(', ')}`, version);
  }
}

/** A history that does not have the shape of `UuidHistoryItem[]`. */
export class HistoryFormatError extends InvalidArgumentError {
  override readonly name = 'HistoryFormatError';
  override readonly code = 'HISTORY_FORMAT' satisfies ErrorCode;

  /** `path` is where in the history, for example `[3].createdAt`. */
  constructor(path: string, allowed: string, value: unknown) {
    super(`history${path}`, allowed, value);
  }
}
