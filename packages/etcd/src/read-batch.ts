// Reads that are sent together, and so are of one revision.
import type { Gateway } from './gateway.js';
import {
  getAll,
  type KeyRange,
  type KeyValue,
  type Operation,
  type RangeResult,
  readTogether,
} from './kv.js';

export class ReadBatch {
  readonly #operations: Operation[] = [];
  #results: readonly RangeResult[] = [];

  /** What it returns is to be called when the batch has been sent. */
  add(operation: Operation): () => RangeResult {
    const index = this.#operations.push(operation) - 1;
    return () => this.#results[index] ?? { kvs: [], count: 0 };
  }

  /** The revision at which they were read. */
  async send(gateway: Gateway, signal?: AbortSignal): Promise<number> {
    const { ranges, revision } = await readTogether(gateway, this.#operations, signal);
    this.#results = ranges;
    return revision;
  }
}

/**
 * The first entries of a range that may be long. etcd counts all that is in a range, whatever its limit, so that a
 * read would cost more the larger the pool is. So it ends behind the first few entries that were seen last time:
 * whatever comes before them is before that end, too.
 */
export class FirstOf {
  readonly #ahead: number;
  #end: string | undefined;

  /** `ahead` is how many are looked at in order to have an end for the next times. */
  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  forget(): void {
    this.#end = undefined;
  }

  /** Not `isEnough`: there may be more behind the end, which is forgotten; read again. */
  add(
    batch: ReadBatch,
    { from, to }: KeyRange,
    limit: number,
  ): () => { readonly kvs: readonly KeyValue[]; readonly isEnough: boolean } {
    const end = this.#end !== undefined && from < this.#end && this.#end < to ? this.#end : undefined;
    const isWhole = end === undefined;
    const read = batch.add(
      getAll({ from, to: end ?? to }, { limit: isWhole ? Math.max(limit, this.#ahead) : limit }),
    );
    return () => {
      const { kvs, count } = read();
      if (isWhole && count > kvs.length) this.#end = `${kvs.at(-1)?.key}/`;
      const isEnough = isWhole || kvs.length >= limit;
      if (!isEnough) this.forget();
      return { kvs: kvs.slice(0, limit), isEnough };
    };
  }
}
