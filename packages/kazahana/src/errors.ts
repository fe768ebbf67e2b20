// The errors that more than one room throws. Every error of kazahana has a class, a stable `code`, and a
// message that says what was wrong, what is allowed and what was given.
import type { ErrorCode } from './error-codes.js';

/** A value short enough to stand in a message, whatever was given; never throws. */
export function show(value: unknown): string {
  const type = typeof value;
  if (type === 'string') return JSON.stringify((value as string).slice(0, 60));
  if (type === 'bigint') return `${String(value).slice(0, 60)}n`;
  // String() would ask an object to describe itself, and it may refuse; a symbol always does.
  if (value !== Object(value) && type !== 'symbol') return String(value);
  return `${type === 'object' ? 'an' : 'a'} ${type}`;
}

/** A number that is not an integer of the allowed range, or not a number at all. */
export class OutOfRangeError extends RangeError {
  override readonly name = 'OutOfRangeError';
  readonly code = 'OUT_OF_RANGE' satisfies ErrorCode;

  constructor(
    readonly field: string,
    readonly min: number | bigint,
    readonly max: number | bigint,
    readonly value: unknown,
  ) {
    super(`${field} must be an integer from ${min} to ${max}, got ${show(value)}`);
  }
}

/** The value, if it is an integer `number` from `min` to `max`; everything else is refused. */
export function checkInteger(field: string, value: unknown, min: number, max: number): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw new OutOfRangeError(field, min, max, value);
}

/** A value of the wrong type or shape. */
export class InvalidArgumentError extends TypeError {
  override readonly name: string = 'InvalidArgumentError';
  readonly code: ErrorCode = 'INVALID_ARGUMENT';

  constructor(
    readonly argument: string,
    readonly allowed: string,
    readonly value: unknown,
  ) {
    super(`${argument} must be ${allowed}, got ${show(value)}`);
  }
}

/** The value, if it is a bigint; a text or a number, as drivers of databases give, is refused with the cure. */
export function checkBigint(field: string, value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  const hasLostDigits = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  const isConvertible = typeof value === 'string' || Number.isSafeInteger(value);
  const cure = hasLostDigits ? ' (read it as text: a number has lost digits)' : ' (write BigInt(value))';
  const allowed = `a bigint${hasLostDigits || isConvertible ? cure : ''}`;
  throw new InvalidArgumentError(field, allowed, value);
}
