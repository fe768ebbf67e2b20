// IDs as runs: a client counts up within a millisecond, so that what it makes are few runs of consecutive IDs. A run
// says exactly what its IDs are, at a hundredth of their cost; whether they do follow one another is looked at ID by ID.
import type { IdLayout } from 'kazahana';

/** The IDs of one millisecond with the suffixes from `start` to before `end`. */
export interface Run {
  readonly t: number;
  readonly start: number;
  readonly end: number;
}

/** Which of an ID's two words is the lower one: arrays have the byte order of the machine. */
const LOW = new Uint32Array(new BigUint64Array([1n]).buffer)[0] === 1 ? 0 : 1;

/** The runs of these IDs, in the order of the IDs. Suffixes have fewer than 32 bits in every layout. */
export function toRuns(ids: BigUint64Array, { customEpoch, bitId, bitSeq }: IdLayout): Run[] {
  const bits = bitId + bitSeq;
  const suffixes = 2 ** bits;
  // Words, not bigints: there may be a thousand million of them.
  const words = new Uint32Array(ids.buffer, ids.byteOffset, 2 * ids.length);
  const runs: Run[] = [];
  for (let i = 0; i < words.length; ) {
    const high = words[i + 1 - LOW] as number;
    const low = words[i + LOW] as number;
    const start = low % suffixes;
    let length = 0;
    do {
      length++;
      i += 2;
    } while (words[i + 1 - LOW] === high && words[i + LOW] === low + length && start + length < suffixes);
    runs.push({
      t: high * 2 ** (32 - bits) + (low - start) / suffixes + customEpoch,
      start,
      end: start + length,
    });
  }
  return runs;
}
