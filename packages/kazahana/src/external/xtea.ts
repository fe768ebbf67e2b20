// XTEA (Needham and Wheeler, 1997): a block cipher of 64 bits under a key of 128, in 64 Feistel rounds.
// Every intermediate is forced to int32; where one is not, the engine falls back to doubles, four times slower.
import type { Block } from './block.js';

/** Four 32-bit words; the first holds the first four bytes of the key, big-endian. */
export type XteaKey = readonly [number, number, number, number];

const DELTA = 0x9e3779b9;
const CYCLES = 32;
const ROUNDS = 2 * CYCLES;

/** What each of the 64 rounds mixes in, worked out once for a key. */
export type RoundKeys = Int32Array;

export function expandKey(key: XteaKey): RoundKeys {
  const roundKeys = new Int32Array(ROUNDS);
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 2) {
    roundKeys[round] = sum + (key[sum & 3] as number);
    sum = (sum + DELTA) | 0;
    roundKeys[round + 1] = sum + (key[(sum >>> 11) & 3] as number);
  }
  return roundKeys;
}

function roundOf(half: number, roundKey: number): number {
  return ((((half << 4) ^ (half >>> 5)) + half) | 0) ^ roundKey;
}

export function encrypt(block: Block, roundKeys: RoundKeys): void {
  let high = block[0];
  let low = block[1];
  for (let round = 0; round < ROUNDS; round += 2) {
    high = (high + roundOf(low, roundKeys[round] as number)) | 0;
    low = (low + roundOf(high, roundKeys[round + 1] as number)) | 0;
  }
  block[0] = high;
  block[1] = low;
}

export function decrypt(block: Block, roundKeys: RoundKeys): void {
  let high = block[0];
  let low = block[1];
  for (let round = ROUNDS - 2; round >= 0; round -= 2) {
    low = (low - roundOf(high, roundKeys[round + 1] as number)) | 0;
    high = (high - roundOf(low, roundKeys[round] as number)) | 0;
  }
  block[0] = high;
  block[1] = low;
}
