// The keyless permutation: hides the order of IDs, keeps nothing secret. A Feistel network, so it is one to
// one whatever its round function is, and needs no 64-bit multiplication. It never changes: external IDs made
// with it are in links and in other people's databases, and the vectors in the tests pin it.
import type { Block } from './block.js';

// The fractional parts of √2, √3, √5 and √7, 32 bits each. Any four numbers would do; these leave no choice
// to suspect. With them rounds differ from each other, and 0 does not become 0.
const ROUND_1 = 0x6a09e667;
const ROUND_2 = 0xbb67ae85;
const ROUND_3 = 0x3c6ef372;
const ROUND_4 = 0xa54ff53a;

/**
 * A 32-bit mixer in which every input bit moves every output bit: three shifts and two multipliers, the
 * parameters that Chris Wellons' search for low bias found (`lowbias32`).
 */
function scramble(half: number, round: number): number {
  const a = half ^ round;
  const b = Math.imul(a ^ (a >>> 16), 0x7feb352d);
  const c = Math.imul(b ^ (b >>> 15), 0x846ca68b);
  return c ^ (c >>> 16);
}

// Three rounds already reach full avalanche (docs/external-id-definition.md), but change the low half only once. The fourth
// is margin in both directions for some 8 ns, bought now because it can never be added.
export function mix(block: Block): void {
  let high = block[0];
  let low = block[1];
  high ^= scramble(low, ROUND_1);
  low ^= scramble(high, ROUND_2);
  high ^= scramble(low, ROUND_3);
  low ^= scramble(high, ROUND_4);
  block[0] = high;
  block[1] = low;
}

/** Undoes `mix`: the same rounds, last one first. */
export function unmix(block: Block): void {
  let high = block[0];
  let low = block[1];
  low ^= scramble(high, ROUND_4);
  high ^= scramble(low, ROUND_3);
  low ^= scramble(high, ROUND_2);
  high ^= scramble(low, ROUND_1);
  block[0] = high;
  block[1] = low;
}
