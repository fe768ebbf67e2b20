// The state of an `IndexAllocator` as plain JSON data, and the check of such data when it comes back from
// outside. One state has one form: sorted pairs that do not touch. A reader refuses what the allocator
// cannot have written, and coerces nothing.
import type { ErrorCode } from '../error-codes.js';
import { show } from '../errors.js';

export interface IndexRange {
  readonly min: number;
  readonly max: number;
}

/** `{ min: 1, max: 15, allocated: [[1, 4], [7, 7]] }`: 1, 2, 3, 4 and 7 are taken. */
export interface AllocatorState extends IndexRange {
  /** The first and the last index of every unbroken run, lowest run first; dense use stays a single pair. */
  readonly allocated: readonly (readonly [first: number, last: number])[];
}

/** Data that no `IndexAllocator` can have exported. */
export class AllocatorStateError extends Error {
  override readonly name = 'AllocatorStateError';
  readonly code = 'ALLOCATOR_STATE' satisfies ErrorCode;

  constructor(
    /** Where in the data: `state`, `max`, `allocated[2]`. */
    readonly path: string,
    readonly allowed: string,
    readonly value: unknown,
  ) {
    super(`allocator state: ${path} must be ${allowed}, got ${show(value)}`);
  }
}

// Far more than the hierarchy numbers, and few enough for a list of runs: half as many at worst.
const MAX_CAPACITY = 2 ** 24;

/** The highest `max` that a range from `min` may have. */
export function highestMax(min: number): number {
  return Math.min(min + MAX_CAPACITY - 1, Number.MAX_SAFE_INTEGER);
}

function readInteger(path: string, value: unknown, min: number, max: number): number {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    throw new AllocatorStateError(path, `an integer from ${min} to ${max}`, value);
  }
  return value as number;
}

function readArray(path: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new AllocatorStateError(path, 'an array', value);
  return value;
}

type Unread = { readonly [Key in keyof AllocatorState]?: unknown };

function readObject(value: unknown): Unread {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AllocatorStateError('state', 'an object, and no array', value);
  }
  const stranger = Object.keys(value).find((key) => !['min', 'max', 'allocated'].includes(key));
  if (stranger !== undefined) {
    throw new AllocatorStateError('every key', 'one of min, max, allocated', stranger);
  }
  return value;
}

/** The data as a state, copied; throws `AllocatorStateError` when it is none. */
export function readAllocatorState(data: unknown): AllocatorState {
  const state = readObject(data);
  const min = readInteger('min', state.min, 0, Number.MAX_SAFE_INTEGER);
  const max = readInteger('max', state.max, min, highestMax(min));
  const allocated: [number, number][] = [];
  for (const [i, run] of readArray('allocated', state.allocated).entries()) {
    const path = `allocated[${i}]`;
    const pair = readArray(path, run);
    if (pair.length !== 2) throw new AllocatorStateError(`${path}.length`, '2', pair.length);
    const first = readInteger(`${path}[0]`, pair[0], min, max);
    const last = readInteger(`${path}[1]`, pair[1], first, max);
    const before = allocated.at(-1)?.[1];
    // Two runs without a free index between them would be one run.
    if (before !== undefined && first <= before + 1) {
      throw new AllocatorStateError(`${path}[0]`, `above ${before + 1}: runs are sorted and apart`, first);
    }
    allocated.push([first, last]);
  }
  return { min, max, allocated };
}
