// The exit code and the message of a failure. Errors are told apart by their fields, not by class: `main.js` has copies
// of its own of some classes.
import type { ErrorCode } from 'kazahana';
import { EXIT } from './terminal.js';

const CODES: Readonly<Partial<Record<ErrorCode | 'USAGE', number>>> = {
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
    ? (CODES[code as keyof typeof CODES] ?? EXIT.invalid)
    : EXIT.invalid;
}

/** The message for the user; for a refusal of a server that has no class of its own, the server's words. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, status, detail } = error as { code?: unknown; status?: unknown; detail?: unknown };
  if (typeof detail !== 'string' || typeof status !== 'number') return error.message;
  return `${detail} (HTTP status ${status}, ${String(code)})`;
}
