// What a failure means for the exit code.
import { LeaseError, PoolExhaustedError } from 'kazahana/lease';
import { EXIT, UsageError } from './terminal.js';

const UNREACHABLE = ['UNREACHABLE', 'TIMEOUT', 'STORE_UNAVAILABLE', 'STORE_BUSY', 'BAD_RESPONSE'];

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof PoolExhaustedError) return EXIT.exhausted;
  if (error instanceof LeaseError && UNREACHABLE.includes(error.code)) return EXIT.unreachable;
  const { code } = (error ?? {}) as { code?: unknown };
  // Settings that the library or the server refuses are the user's.
  return ['INVALID_CONFIG', 'INVALID_ARGUMENT', 'OUT_OF_RANGE'].includes(String(code))
    ? EXIT.usage
    : EXIT.invalid;
}
