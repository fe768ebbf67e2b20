// Finds repeated 64-bit keys in any number of them, in bounded memory: sorted runs, spilled to disk when there are more
// than one, and merged.
import { endianness } from 'node:os';
import { TemporaryFile } from './temporary-file.js';

/** 16 MB of keys. */
const RUN_KEYS = 2 ** 21;
/** How many keys of a run are read at a time when runs are merged; fewer when there are many runs. */
const MAX_WINDOW_KEYS = 2 ** 14;
const MIN_WINDOW_KEYS = 2 ** 9;
const KEY_BYTES = 8;
/** Of the two words of a key, which stands first. */
const LOW = endianness() === 'LE' ? 0 : 1;

/** What was found; `keys` holds no more than were requested. */
export interface Repeated {
  /** How often any key came again. */
  readonly count: number;
  /** Repeated keys, with how often each came again. */
  readonly keys: ReadonlyMap<bigint, number>;
}

export class RepeatedKeys {
  readonly #runKeys: number;
  readonly #run: BigUint64Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  #size = 0;
  #file: TemporaryFile | undefined;
  readonly #runs: number[] = [];

  constructor({ runKeys = RUN_KEYS }: { readonly runKeys?: number } = {}) {
    this.#runKeys = runKeys;
    this.#run = new BigUint64Array(runKeys);
    this.#words = new Uint32Array(this.#run.buffer);
  }

  /** Adds a key by its two words of 32 bits. */
  add(high: number, low: number): void {
    if (this.#size === this.#runKeys) this.#spill();
    const at = 2 * this.#size++;
    this.#words[at + LOW] = low;
    this.#words[at + 1 - LOW] = high;
  }

  /** How many runs are on disk. */
  get runs(): number {
    return this.#runs.length;
  }

  /** Every key that was added more than once; the lowest `limit` of them are told. */
  find(limit: number): Repeated {
    const keys = new Map<bigint, number>();
    let count = 0;
    let last: bigint | undefined;
    for (const key of this.#sorted()) {
      if (key === last) {
        count++;
        if (keys.size < limit || keys.has(key)) keys.set(key, (keys.get(key) ?? 0) + 1);
      }
      last = key;
    }
    return { count, keys };
  }

  dispose(): void {
    this.#file?.close();
  }

  #sorted(): Iterable<bigint> {
    if (!this.#file) return this.#run.subarray(0, this.#size).sort();
    this.#spill();
    return merge(this.#file, this.#runs, this.#runKeys);
  }

  #spill(): void {
    if (this.#size === 0) return;
    this.#file ??= new TemporaryFile();
    const keys = this.#run.subarray(0, this.#size).sort();
    this.#file.write(new Uint8Array(keys.buffer, 0, keys.byteLength));
    this.#runs.push(this.#size);
    this.#size = 0;
  }
}

/** One sorted run on disk, read from its beginning. */
class RunReader {
  readonly #file: TemporaryFile;
  readonly #window: BigUint64Array<ArrayBuffer>;
  #next: number;
  readonly #end: number;
  #length = 0;
  #at = 0;

  constructor(file: TemporaryFile, start: number, keys: number, windowKeys: number) {
    this.#file = file;
    this.#window = new BigUint64Array(Math.min(windowKeys, keys));
    this.#next = start;
    this.#end = start + keys;
  }

  /** The next key; undefined at the end. */
  next(): bigint | undefined {
    if (this.#at === this.#length) {
      this.#length = Math.min(this.#window.length, this.#end - this.#next);
      this.#at = 0;
      if (this.#length === 0) return undefined;
      const bytes = new Uint8Array(this.#window.buffer, 0, this.#length * KEY_BYTES);
      this.#file.read(bytes, this.#next * KEY_BYTES);
      this.#next += this.#length;
    }
    return this.#window[this.#at++];
  }
}

interface Head {
  key: bigint;
  readonly reader: RunReader;
}

/** All keys of all runs, rising: a heap of the runs by the key that each has next. */
function* merge(file: TemporaryFile, runs: readonly number[], runKeys: number): Generator<bigint> {
  const share = Math.floor(RUN_KEYS / runs.length);
  const windowKeys = Math.max(MIN_WINDOW_KEYS, Math.min(MAX_WINDOW_KEYS, share));
  const heads = runs.map((keys, i): Head => {
    const reader = new RunReader(file, i * runKeys, keys, windowKeys);
    return { key: reader.next() ?? 0n, reader };
  });
  heads.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (let first = heads[0]; first; first = heads[0]) {
    yield first.key;
    const key = first.reader.next();
    if (key === undefined) {
      const last = heads.pop();
      if (last && heads.length > 0) heads[0] = last;
    } else {
      first.key = key;
    }
    sink(heads);
  }
}

/** Puts the first of a heap where it belongs. */
function sink(heads: Head[]): void {
  for (let at = 0; ; ) {
    const moved = heads[at];
    const left = heads[2 * at + 1];
    const right = heads[2 * at + 2];
    if (!moved || !left) return;
    const isRight = right !== undefined && right.key < left.key;
    const least = isRight ? right : left;
    if (moved.key <= least.key) return;
    heads[at] = least;
    at = 2 * at + (isRight ? 2 : 1);
    heads[at] = moved;
  }
}
