// The lowest and the highest v7 of a millisecond, for range queries. Cut out as text, like `parseUuid`, which keeps the
// layout engine out of pages that only want UUIDs; a test holds them equal to the layout.
import { checkInteger } from '../errors.js';

/** The time, if it is whole milliseconds that the 48 bits of a v7 can hold. */
export function checkUnixMs(field: string, value: unknown): number {
  return checkInteger(field, value, 0, 2 ** 48 - 1);
}

function boundAt(time: Date | number, rest: string): string {
  const unixMs = checkUnixMs('time', time instanceof Date ? time.getTime() : time);
  const digits = unixMs.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-${rest}`;
}

/**
 * The lowest v7 of a millisecond: `id >= minUuidV7At(from)`.
 *
 * ```ts
 * minUuidV7At(new Date('2025-01-01T00:00:00Z')); // → 01941f29-7c00-7000-8000-000000000000
 * ```
 */
export function minUuidV7At(time: Date | number): string {
  return boundAt(time, '7000-8000-000000000000');
}

/**
 * The highest v7 of a millisecond: `id <= maxUuidV7At(to)`.
 *
 * ```ts
 * maxUuidV7At(1_735_689_600_000); // → 01941f29-7c00-7fff-bfff-ffffffffffff
 * ```
 */
export function maxUuidV7At(time: Date | number): string {
  return boundAt(time, '7fff-bfff-ffffffffffff');
}
