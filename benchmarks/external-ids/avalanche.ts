// How close a permutation comes to full avalanche: every input bit flips every output bit half of the time.
import type { Block, Permutation } from '../../packages/kazahana/dist/external/block.js';

export interface Avalanche {
  readonly samples: number;
  /** How often an output bit flips, over all pairs of an input bit and an output bit. */
  readonly mean: number;
  /** The largest distance from ½ among the 4,096 pairs. */
  readonly worst: number;
  /** The same in standard deviations of a fair coin thrown as often. The worst of 4,096 coins shows 3.3 to 4.5. */
  readonly sigmas: number;
}

/** A fixed sequence of 32-bit numbers (xorshift32), so that every run measures the same. */
function sequence(): () => number {
  let state = 0x6b617a61;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}

export function measureAvalanche(permutation: Permutation, samples: number): Avalanche {
  const next = sequence();
  const block = new Int32Array(2) as Block;
  const flipped = new Int32Array(2) as Block;
  // How often each byte of the difference had each value, for each flipped bit: eight counts instead of
  // sixty-four a sample, and the bits can be told from the bytes afterwards.
  const counts = new Uint32Array(64 * 8 * 256);
  const count = (byteOfDifference: number, value: number) => {
    const cell = byteOfDifference * 256 + (value & 255);
    counts[cell] = (counts[cell] as number) + 1;
  };
  for (let sample = 0; sample < samples; sample++) {
    const high = next();
    const low = next();
    block[0] = high;
    block[1] = low;
    permutation(block);
    for (let input = 0; input < 64; input++) {
      flipped[0] = input < 32 ? high ^ (1 << input) : high;
      flipped[1] = input < 32 ? low : low ^ (1 << (input - 32));
      permutation(flipped);
      const highDifference = block[0] ^ flipped[0];
      const lowDifference = block[1] ^ flipped[1];
      for (let byte = 0; byte < 4; byte++) {
        count(input * 8 + byte, highDifference >>> (8 * byte));
        count(input * 8 + 4 + byte, lowDifference >>> (8 * byte));
      }
    }
  }
  let sum = 0;
  let worst = 0;
  for (let byte = 0; byte < 64 * 8; byte++) {
    for (let bit = 0; bit < 8; bit++) {
      let flips = 0;
      for (let value = 0; value < 256; value++) {
        if ((value >>> bit) & 1) flips += counts[byte * 256 + value] as number;
      }
      sum += flips / samples;
      worst = Math.max(worst, Math.abs(flips / samples - 0.5));
    }
  }
  return { samples, mean: sum / 4096, worst, sigmas: (worst * Math.sqrt(samples)) / 0.5 };
}
