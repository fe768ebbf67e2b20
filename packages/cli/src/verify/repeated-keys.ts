// Finds repeated 64-bit keys in any number of them, in bounded memory: sorted runs, spilled to disk when there are more
// than one, and merged.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** 16 MB of keys. */
const RUN = 2 ** 21;
/** How many keys of a run are read at a time when runs are merged. */
const WINDOW = 2 ** 14;

/** One sorted run on disk, read from its beginning. */
class RunReader {
  readonly #file: number;
  readonly #window = new BigUint64Array(WINDOW);
  #length = 0;
  #at = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** The next key; undefined at the end. */
  next(): bigint | undefined {
    if (this.#at === this.#length) {
      this.#length = readSync(this.#file, new Uint8Array(this.#window.buffer)) / 8;
      this.#at = 0;
      if (this.#length === 0) return undefined;
    }
    return this.#window[this.#at++];
  }

  close(): void {
    closeSync(this.#file);
  }
}

export class RepeatedKeys {
  readonly #run = new BigUint64Array(RUN);
  #size = 0;
  readonly #paths: string[] = [];
  #folder: string | undefined;

  add(key: bigint): void {
    if (this.#size === RUN) this.#spill();
    this.#run[this.#size++] = key;
  }

  get runs(): number {
    return this.#paths.length;
  }

  /** Every key that was added more than once, rising; no more than `limit` of them. */
  find(limit: number): Set<bigint> {
    const found = new Set<bigint>();
    if (this.#paths.length === 0) {
      const keys = this.#run.subarray(0, this.#size).sort();
      for (let i = 1; i < keys.length && found.size < limit; i++)
        if (keys[i] === keys[i - 1]) found.add(keys[i] ?? 0n);
      return found;
    }
    this.#spill();
    const readers = this.#paths.map((path) => new RunReader(path));
    let last: bigint | undefined;
    for (const key of merge(readers)) {
      if (key === last) found.add(key);
      if (found.size >= limit) break;
      last = key;
    }
    for (const reader of readers) reader.close();
    return found;
  }

  dispose(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #spill(): void {
    if (this.#size === 0) return;
    this.#folder ??= mkdtempSync(join(tmpdir(), 'kazahana-verify-'));
    const keys = this.#run.subarray(0, this.#size).sort();
    const path = join(this.#folder, `run-${this.#paths.length}`);
    const file = openSync(path, 'w');
    writeSync(file, new Uint8Array(keys.buffer, 0, keys.byteLength));
    closeSync(file);
    this.#paths.push(path);
    this.#size = 0;
  }
}

/** All keys of all runs, rising. There are few runs, so the least is found by looking at each. */
function* merge(readers: readonly RunReader[]): Generator<bigint> {
  const heads = readers.map((reader) => reader.next());
  for (;;) {
    let least = -1;
    for (let i = 0; i < heads.length; i++) {
      const head = heads[i];
      const best = heads[least];
      if (head !== undefined && (best === undefined || head < best)) least = i;
    }
    const key = heads[least];
    if (key === undefined) return;
    yield key;
    heads[least] = readers[least]?.next();
  }
}
