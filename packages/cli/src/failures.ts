// What a failure means for the exit code. Told by the stable codes of errors: a class may be there twice, for `main.js`
// holds copies of its own.
import { EXIT } from './terminal.js';

const CODES: Readonly<Record<string, number>> = {
  USAGE: EXIT.usage,
  // Settings that the library or the server refuses are the user's.
  INVALID_CONFIG: EXIT.usage,
  INVALID_ARGUMENT: EXIT.usage,
  OUT_OF_RANGE: EXIT.usage,
  INVALID_REQUEST: EXIT.usage,
  UNREACHABLE: EXIT.unreachable,
  TIMEOUT: EXIT.unreachable,
  BAD_RESPONSE: EXIT.unreachable,
  STORE_UNAVAILABLE: EXIT.unreachable,
  STORE_BUSY: EXIT.unreachable,
  POOL_MISSING: EXIT.unreachable,
  POOL_EXHAUSTED: EXIT.exhausted,
};

export function exitCodeOf(error: unknown): number {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(CODES, code)
    ? (CODES[code] ?? EXIT.invalid)
    : EXIT.invalid;
}
