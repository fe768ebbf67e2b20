// Numbers things within a range: hands out the lowest free index and takes indexes back. This is what a relay
// needs to number devices, workspaces and conversations; it knows nothing of IDs.
//
// What is taken is kept as a list of unbroken runs, so that dense use costs nothing to keep. The ranges of the hierarchy have
// at most 1,023 indexes, which is 512 runs at worst.
import type { ErrorCode } from '../error-codes.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { type AllocatorState, highestMax, type IndexRange, readAllocatorState } from './allocator-state.js';

/** Every index of the range is taken. */
export class IndexesExhaustedError extends Error {
  override readonly name = 'IndexesExhaustedError';
  readonly code = 'INDEXES_EXHAUSTED' satisfies ErrorCode;

  constructor(
    readonly min: number,
    readonly max: number,
  ) {
    super(`an index from ${min} to ${max} must be free, got none: all ${max - min + 1} are taken`);
  }
}

/** An index was reserved that is taken already. */
export class IndexTakenError extends Error {
  override readonly name = 'IndexTakenError';
  readonly code = 'INDEX_TAKEN' satisfies ErrorCode;

  constructor(readonly index: number) {
    super(`index must be free to be reserved, got ${index}, which is taken`);
  }
}

/** An index was released that is not taken; perhaps it was released twice. */
export class IndexNotTakenError extends Error {
  override readonly name = 'IndexNotTakenError';
  readonly code = 'INDEX_NOT_TAKEN' satisfies ErrorCode;

  constructor(readonly index: number) {
    super(`index must be taken to be released, got ${index}, which is free`);
  }
}

type Run = readonly [first: number, last: number];

/**
 * ```ts
 * const devices = new IndexAllocator({ min: 1, max: 15 });
 * devices.allocate();   // → 1
 * devices.allocate();   // → 2
 * devices.release(1);
 * devices.allocate();   // → 1
 * ```
 */
export class IndexAllocator {
  readonly min: number;
  readonly max: number;
  /** Highest first: allocation works at the low end, and an array changes at its own end for nothing. */
  readonly #runs: Run[] = [];
  #size = 0;

  /** `min` is at least 0, and a range has at most 2^24 indexes. */
  constructor(range: IndexRange) {
    if (typeof range !== 'object' || range === null) {
      throw new InvalidArgumentError('range', 'an object { min, max }', range);
    }
    const { min, max } = range;
    checkInteger('min', min, 0, Number.MAX_SAFE_INTEGER);
    checkInteger('max', max, min, highestMax(min));
    // Adding 0 turns -0 into 0.
    this.min = min + 0;
    this.max = max + 0;
  }

  /** An allocator in an exported state; anything else is an `AllocatorStateError`. */
  static from(state: unknown): IndexAllocator {
    const read = readAllocatorState(state);
    const allocator = new IndexAllocator(read);
    for (const [first, last] of read.allocated.toReversed()) {
      // Adding 0 turns -0 into 0.
      allocator.#runs.push([first + 0, last + 0]);
      allocator.#size += last - first + 1;
    }
    return allocator;
  }

  /** How many indexes there are, taken or not. */
  get capacity(): number {
    return this.max - this.min + 1;
  }

  /** How many are taken. */
  get size(): number {
    return this.#size;
  }

  /** How many are free. */
  get free(): number {
    return this.capacity - this.size;
  }

  /** Whether an index is taken; false for everything that is no index of the range. */
  has(index: number): boolean {
    if (!Number.isInteger(index)) return false;
    const run = this.#runs[this.#placeOf(index)];
    return run !== undefined && index <= run[1];
  }

  /** Takes the lowest free index; an `IndexesExhaustedError` when there is none. */
  allocate(): number {
    const lowest = this.#runs.at(-1);
    const index = lowest?.[0] === this.min ? lowest[1] + 1 : this.min;
    if (index > this.max) throw new IndexesExhaustedError(this.min, this.max);
    this.#take(index);
    return index;
  }

  /** Takes one particular index, such as that of a device known from before. */
  reserve(index: number): void {
    checkInteger('index', index, this.min, this.max);
    if (this.has(index)) throw new IndexTakenError(index);
    this.#take(index + 0);
  }

  /** Gives an index back. */
  release(index: number): void {
    checkInteger('index', index, this.min, this.max);
    const place = this.#placeOf(index);
    const run = this.#runs[place];
    if (run === undefined || index > run[1]) throw new IndexNotTakenError(index);
    const [first, last] = run;
    const rest: Run[] = [];
    if (index < last) rest.push([index + 1, last]);
    if (first < index) rest.push([first, index - 1]);
    this.#runs.splice(place, 1, ...rest);
    this.#size -= 1;
  }

  /** The state as plain data, for `IndexAllocator.from`; `JSON.stringify` calls this by itself. */
  toJSON(): AllocatorState {
    const allocated = this.#runs.map(([first, last]) => [first, last] as const).reverse();
    return { min: this.min, max: this.max, allocated };
  }

  /** Adds a free index, alone or to the runs that it touches. */
  #take(index: number): void {
    const place = this.#placeOf(index);
    const [above, below] = [this.#runs[place - 1], this.#runs[place]];
    const first = below?.[1] === index - 1 ? below[0] : index;
    const last = above?.[0] === index + 1 ? above[1] : index;
    const start = last > index ? place - 1 : place;
    const end = first < index ? place + 1 : place;
    this.#runs.splice(start, end - start, [first, last]);
    this.#size += 1;
  }

  /** The place of the highest run that begins at an index or below it; the end of the list when none does. */
  #placeOf(index: number): number {
    let [start, end] = [0, this.#runs.length];
    while (start < end) {
      const middle = (start + end) >>> 1;
      if ((this.#runs[middle]?.[0] ?? 0) > index) start = middle + 1;
      else end = middle;
    }
    return start;
  }
}
