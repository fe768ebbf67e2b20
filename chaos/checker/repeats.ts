// IDs that were made more than once, found among any number of them in bounded memory: each pass over all IDs sorts those
// whose lower word leaves one remainder.
import type { Pieces } from './id.ts';

/** Some 64 MB. */
const MOST_AT_ONCE = 2 ** 23;

export function repeatedIds(all: readonly Pieces[], count: number, mostAtOnce = MOST_AT_ONCE): Set<bigint> {
  // Odd, so that all bits of a word count; one more than needed, since remainders are not equally frequent.
  const passes = count <= mostAtOnce ? 1 : Math.ceil((1.5 * count) / mostAtOnce) | 1;
  const repeated = new Set<bigint>();
  for (let pass = 0; pass < passes; pass++) {
    for (const id of repeatsOf(idsOfPass(all, pass, passes, count))) repeated.add(id);
  }
  return repeated;
}

function idsOfPass(
  all: readonly Pieces[],
  pass: number,
  passes: number,
  count: number,
): BigUint64Array<ArrayBuffer> {
  let words = new Uint32Array(passes === 1 ? 2 * count : 2 ** 16);
  let length = 0;
  for (const pieces of all) {
    for (const piece of pieces()) {
      for (let at = 0; at < piece.length; at += 2) {
        const low = piece[at] as number;
        if (passes > 1 && low % passes !== pass) continue;
        if (length === words.length) {
          const larger = new Uint32Array(2 * length);
          larger.set(words);
          words = larger;
        }
        words[length++] = low;
        words[length++] = piece[at + 1] as number;
      }
    }
  }
  return new BigUint64Array(words.buffer, 0, length / 2);
}

function* repeatsOf(ids: BigUint64Array): Generator<bigint> {
  ids.sort();
  for (let at = 1; at < ids.length; at++) if (ids[at] === ids[at - 1]) yield ids[at] as bigint;
}
