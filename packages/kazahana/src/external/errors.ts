// What can be wrong with an external ID that came in from outside.
import type { ErrorCode } from '../error-codes.js';
import { show } from '../errors.js';

export type ExternalIdProblem = 'NOT_A_STRING' | 'PREFIX' | 'LENGTH' | 'LABEL' | 'CHARACTER' | 'SPARE_BITS';

/** A string that is the external form of no ID. */
export class ExternalIdFormatError extends Error {
  override readonly name = 'ExternalIdFormatError';
  readonly code = 'EXTERNAL_ID_FORMAT' satisfies ErrorCode;

  constructor(
    readonly problem: ExternalIdProblem,
    /** What is allowed, in words. */
    readonly allowed: string,
    /** What was given, whole. */
    readonly value: unknown,
    /** The 0-based index of the offending character, where there is one. */
    readonly position?: number,
  ) {
    super(`external ID must be ${allowed}, got ${given(value, position)}`);
  }
}

function given(value: unknown, position: number | undefined): string {
  if (typeof value !== 'string') return show(value);
  if (position === undefined) return `${value.length} characters: ${show(value)}`;
  const character = String.fromCodePoint(value.codePointAt(position) ?? 0);
  return `${show(character)} at position ${position} of ${show(value)}`;
}
