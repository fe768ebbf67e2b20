// The 64-bit key of an ID, by which repeated ones are found: a number is its own, of a UUID the halves are mixed, so that
// equal keys are suspects only.
import type { Words } from './read-id.js';

/** Calls back with the two words of the key; nothing is made for it, for there are millions. */
export function withKey(words: Words, bits: 64 | 128, use: (high: number, low: number) => void): void {
  const first = words[0] ?? 0;
  const second = words[1] ?? 0;
  if (bits === 64) use(first, second);
  else use(mix(first ^ mix(words[2] ?? 0)), mix(second ^ mix(words[3] ?? 0)));
}

/** A bijection of 32 bits with full avalanche: the finalizer of MurmurHash3. */
function mix(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
