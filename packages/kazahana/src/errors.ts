// The errors that more than one room throws. Every error of kazahana has a class, a stable `code`, and a
// message that says what was wrong, what is allowed and what was given.

/** A value short enough to stand in a message, whatever was given; never throws. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  // String() would ask an object to describe itself, and it may refuse; a symbol always does.
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  return String(value);
}

/** A number that is not an integer of the allowed range, or not a number at all. */
export class OutOfRangeError extends RangeError {
  override readonly name = 'OutOfRangeError';
  readonly code = 'OUT_OF_RANGE';

  constructor(
    readonly field: string,
    readonly min: number | bigint,
    readonly max: number | bigint,
    readonly value: unknown,
  ) {
    super(`${field} must be an integer from ${min} to ${max}, got ${show(value)}`);
  }
}

/** Refuses everything but an integer `number` from `min` to `max`. */
export function checkInteger(
  field: string,
  value: unknown,
  min: number,
  max: number,
): asserts value is number {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    throw new OutOfRangeError(field, min, max, value);
  }
}

/** A value of the wrong type or shape. */
export class InvalidArgumentError extends TypeError {
  override readonly name = 'InvalidArgumentError';
  readonly code = 'INVALID_ARGUMENT';

  constructor(
    readonly argument: string,
    readonly allowed: string,
    readonly value: unknown,
  ) {
    super(`${argument} must be ${allowed}, got ${show(value)}`);
  }
}
