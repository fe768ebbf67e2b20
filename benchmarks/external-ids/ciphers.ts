// The keyed permutations that XTEA was compared with: Speck64/128, and AES in the format-preserving mode FF1.
import { FF1 } from '@noble/ciphers/ff1.js';
import type { Pair } from './mixers.ts';

const SPECK_ROUNDS = 27;

/** Speck64/128 (NSA, 2013) under the key words k0, l0, l1, l2; the specification prints them the other way round. */
export function speck64(k0: number, l0: number, l1: number, l2: number): Pair {
  const roundKeys = new Int32Array(SPECK_ROUNDS);
  const l = [l0 | 0, l1 | 0, l2 | 0];
  let k = k0 | 0;
  for (let round = 0; round < SPECK_ROUNDS; round++) {
    roundKeys[round] = k;
    const word = l[round % 3] as number;
    const next = ((k + ((word >>> 8) | (word << 24))) | 0) ^ round;
    l[round % 3] = next;
    k = ((k << 3) | (k >>> 29)) ^ next;
  }
  return {
    forward(block) {
      let x = block[0];
      let y = block[1];
      for (let round = 0; round < SPECK_ROUNDS; round++) {
        x = ((((x >>> 8) | (x << 24)) + y) | 0) ^ (roundKeys[round] as number);
        y = ((y << 3) | (y >>> 29)) ^ x;
      }
      block[0] = x;
      block[1] = y;
    },
    backward(block) {
      let x = block[0];
      let y = block[1];
      for (let round = SPECK_ROUNDS - 1; round >= 0; round--) {
        const mixed = y ^ x;
        y = (mixed >>> 3) | (mixed << 29);
        const sum = ((x ^ (roundKeys[round] as number)) - y) | 0;
        x = (sum << 8) | (sum >>> 24);
      }
      block[0] = x;
      block[1] = y;
    },
  };
}

/** AES-128 in FF1 over eight digits of radix 256, by `@noble/ciphers`. */
export function ff1(key: Uint8Array): Pair {
  const cipher = FF1(256, key);
  const digits = (word: number) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255];
  const word = (bytes: number[], at: number) =>
    bytes.slice(at, at + 4).reduce((sum, byte) => (sum << 8) | byte, 0);
  const on = (permute: (digits: number[]) => number[]) => (block: { 0: number; 1: number }) => {
    const bytes = permute([...digits(block[0]), ...digits(block[1])]);
    block[0] = word(bytes, 0);
    block[1] = word(bytes, 4);
  };
  return { forward: on(cipher.encrypt), backward: on(cipher.decrypt) };
}
