// Numbers things within a range: hands out the lowest free index and takes indexes back. This is what a relay
// needs to number devices, workspaces and conversations; it knows nothing of IDs.
//
// What is taken is kept as a mark and the exceptions to it, so that dense use costs nothing to keep: below the
// mark every index is taken but the returned ones; from the mark on every index is free but the reserved ones.
// The index just below the mark is always taken, the one at the mark always free. Every operation but the
// export and the import is O(log n) or better, amortised.
import type { ErrorCode } from '../error-codes.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { type AllocatorState, highestMax, type IndexRange, readAllocatorState } from './allocator-state.js';
import { LowestSet } from './lowest-set.js';

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

const ascending = (indexes: Iterable<number>): number[] => [...indexes].sort((a, b) => a - b);

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
  #mark: number;
  readonly #returned = new LowestSet();
  readonly #reserved = new Set<number>();

  /** `min` is at least 0, and a range has at most 2^24 indexes. */
  constructor(range: IndexRange) {
    if (typeof range !== 'object' || range === null) {
      throw new InvalidArgumentError('range', 'an object { min, max }', range);
    }
    const { min, max } = range;
    checkInteger('min', min, 0, Number.MAX_SAFE_INTEGER);
    checkInteger('max', max, min, highestMax(min));
    // Adding 0 turns -0 into 0; every other index is counted up from here.
    this.min = min + 0;
    this.max = max + 0;
    this.#mark = this.min;
  }

  /** An allocator in an exported state; anything else is an `AllocatorStateError`. */
  static from(state: unknown): IndexAllocator {
    const read = readAllocatorState(state);
    const allocator = new IndexAllocator(read);
    allocator.#restore(read.allocated);
    return allocator;
  }

  /** How many indexes there are, taken or not. */
  get capacity(): number {
    return this.max - this.min + 1;
  }

  /** How many are taken. */
  get size(): number {
    return this.#mark - this.min - this.#returned.size + this.#reserved.size;
  }

  /** How many are free. */
  get free(): number {
    return this.capacity - this.size;
  }

  /** Whether an index is taken; false for everything that is no index of the range. */
  has(index: number): boolean {
    if (!Number.isInteger(index) || index < this.min || index > this.max) return false;
    return index < this.#mark ? !this.#returned.has(index) : this.#reserved.has(index);
  }

  /** Takes the lowest free index; an `IndexesExhaustedError` when there is none. */
  allocate(): number {
    const index = this.#returned.lowest ?? this.#mark;
    if (index > this.max) throw new IndexesExhaustedError(this.min, this.max);
    this.#take(index);
    return index;
  }

  /** Takes one particular index, such as that of a device known from before. */
  reserve(index: number): void {
    checkInteger('index', index, this.min, this.max);
    if (this.has(index)) throw new IndexTakenError(index);
    this.#take(index);
  }

  /** Gives an index back. */
  release(index: number): void {
    checkInteger('index', index, this.min, this.max);
    if (!this.has(index)) throw new IndexNotTakenError(index);
    if (index > this.#mark) {
      this.#reserved.delete(index);
    } else if (index < this.#mark - 1) {
      // Adding 0 turns -0, which equals 0, into it: allocate would hand it out as it came.
      this.#returned.add(index + 0);
    } else {
      this.#mark -= 1;
      while (this.#returned.delete(this.#mark - 1)) this.#mark -= 1;
    }
  }

  /** The state as plain data, for `IndexAllocator.from`; `JSON.stringify` calls this by itself. */
  toJSON(): AllocatorState {
    const allocated: [number, number][] = [];
    let first = this.min;
    for (const hole of ascending(this.#returned)) {
      if (first < hole) allocated.push([first, hole - 1]);
      first = hole + 1;
    }
    if (first < this.#mark) allocated.push([first, this.#mark - 1]);
    for (const index of ascending(this.#reserved)) {
      const run = allocated.at(-1);
      if (run?.[1] === index - 1) run[1] = index;
      else allocated.push([index, index]);
    }
    return { min: this.min, max: this.max, allocated };
  }

  #take(index: number): void {
    if (index < this.#mark) {
      this.#returned.delete(index);
    } else if (index > this.#mark) {
      this.#reserved.add(index);
    } else {
      this.#mark += 1;
      while (this.#reserved.delete(this.#mark)) this.#mark += 1;
    }
  }

  /** Sets the mark after the run where the fewest exceptions remain: gaps below it, indexes above it. */
  #restore(runs: AllocatorState['allocated']): void {
    let exceptions = 0;
    let fewest = 0;
    let end = this.min;
    for (const [first, last] of runs) {
      exceptions += first - end - (last - first + 1);
      end = last + 1;
      if (exceptions < fewest) {
        fewest = exceptions;
        this.#mark = end;
      }
    }
    end = this.min;
    for (const [first, last] of runs) {
      if (first < this.#mark) for (let gap = end; gap < first; gap += 1) this.#returned.add(gap);
      else for (let index = first; index <= last; index += 1) this.#reserved.add(index);
      end = last + 1;
    }
  }
}
