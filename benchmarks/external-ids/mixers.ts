// The keyless mixers that kazahana's was compared with: SplitMix64's finaliser and moremur, both of the form
// "xorshift, multiply, xorshift, multiply, xorshift" on 64 bits, here on two 32-bit halves; and kazahana's own
// Feistel network with one round less.
import type { Block, Permutation } from '../../packages/kazahana/dist/external/block.js';

export interface Pair {
  readonly forward: Permutation;
  readonly backward: Permutation;
}

const M64 = (1n << 64n) - 1n;

/** The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the bits that are right. */
export function inverse(odd: bigint): bigint {
  let x = odd;
  for (let step = 0; step < 5; step++) x = (x * (2n - odd * x)) & M64;
  if (((x * odd) & M64) !== 1n) throw new Error(`${odd} has no inverse`);
  return x;
}

/** block ^= block >>> shift, for shifts from 1 to 63 but 32. */
function xorshift(block: Block, shift: number): void {
  const high = block[0];
  if (shift < 32) {
    block[1] ^= (block[1] >>> shift) | (high << (32 - shift));
    block[0] = high ^ (high >>> shift);
  } else {
    block[1] ^= high >>> (shift - 32);
  }
}

/** block *= factor: the high half of low × low is gathered from 16-bit products, the rest is `Math.imul`. */
function multiply(block: Block, factorHigh: number, factorLow: number): void {
  const low = block[1];
  const a0 = low & 0xffff;
  const a1 = low >>> 16;
  const b0 = factorLow & 0xffff;
  const b1 = factorLow >>> 16;
  const cross0 = Math.imul(a1, b0);
  const cross1 = Math.imul(a0, b1);
  const middle = (((Math.imul(a0, b0) >>> 16) + (cross0 & 0xffff)) | 0) + (cross1 & 0xffff);
  const carried = (Math.imul(a1, b1) + (cross0 >>> 16)) | 0;
  const top = (((carried + (cross1 >>> 16)) | 0) + (middle >>> 16)) | 0;
  block[0] = (((top + Math.imul(block[0], factorLow)) | 0) + Math.imul(low, factorHigh)) | 0;
  block[1] = Math.imul(low, factorLow);
}

type Shifts = readonly [first: number, second: number, third: number];

function multiplyXorshift([first, second, third]: Shifts, factor1: bigint, factor2: bigint): Pair {
  const halves = (factor: bigint) => [Number(factor >> 32n) | 0, Number(factor & 0xffffffffn) | 0] as const;
  const [high1, low1] = halves(factor1);
  const [high2, low2] = halves(factor2);
  const [inverseHigh1, inverseLow1] = halves(inverse(factor1));
  const [inverseHigh2, inverseLow2] = halves(inverse(factor2));
  // x ^ x>>>s is undone by x ^ x>>>s ^ x>>>2s ^ …, as far as there are bits.
  const undo = (block: Block, shift: number) => {
    xorshift(block, shift);
    if (2 * shift < 64) xorshift(block, 2 * shift);
  };
  return {
    forward(block) {
      xorshift(block, first);
      multiply(block, high1, low1);
      xorshift(block, second);
      multiply(block, high2, low2);
      xorshift(block, third);
    },
    backward(block) {
      undo(block, third);
      multiply(block, inverseHigh2, inverseLow2);
      undo(block, second);
      multiply(block, inverseHigh1, inverseLow1);
      undo(block, first);
    },
  };
}

// Stafford's variant 13 of the MurmurHash3 finaliser.
export const splitmix64 = multiplyXorshift([30, 27, 31], 0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn);

// Pelle Evensen, 2019.
export const moremur = multiplyXorshift([27, 33, 27], 0x3c79ac492ba7b653n, 0x1c69b3f74ac4ae35n);

function scramble(half: number): number {
  const b = Math.imul(half ^ (half >>> 16), 0x7feb352d);
  const c = Math.imul(b ^ (b >>> 15), 0x846ca68b);
  return c ^ (c >>> 16);
}

export const feistel3: Pair = {
  forward(block) {
    block[0] ^= scramble(block[1] ^ 0x6a09e667);
    block[1] ^= scramble(block[0] ^ 0xbb67ae85);
    block[0] ^= scramble(block[1] ^ 0x3c6ef372);
  },
  backward(block) {
    block[0] ^= scramble(block[1] ^ 0x3c6ef372);
    block[1] ^= scramble(block[0] ^ 0xbb67ae85);
    block[0] ^= scramble(block[1] ^ 0x6a09e667);
  },
};
