// A comparison with a faulty candidate would mean nothing: each is checked against published values, and
// against its own inverse, before it is measured.
import { FF1 } from '@noble/ciphers/ff1.js';
import { speck64 } from './ciphers.ts';
import { moremur, type Pair, splitmix64 } from './mixers.ts';

function check(what: string, actual: string, expected: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${expected}, got ${actual}`);
}

export function apply(permutation: Pair['forward'], id: bigint): bigint {
  const block = new Int32Array([Number(id >> 32n), Number(id & 0xffffffffn)]);
  permutation(block as Parameters<Pair['forward']>[0]);
  return (BigInt((block[0] as number) >>> 0) << 32n) | BigInt((block[1] as number) >>> 0);
}

export function checkPublishedVectors(): void {
  // The first number of SplitMix64 seeded with 0.
  check('SplitMix64', apply(splitmix64.forward, 0x9e3779b97f4a7c15n).toString(16), 'e220a8397b1dcdaf');

  // No vector of moremur is at hand; its definition in bigints is.
  const id = 0x0123456789abcdefn;
  let x = id ^ (id >> 27n);
  x = BigInt.asUintN(64, x * 0x3c79ac492ba7b653n);
  x ^= x >> 33n;
  x = BigInt.asUintN(64, x * 0x1c69b3f74ac4ae35n);
  x ^= x >> 27n;
  check('moremur', apply(moremur.forward, id).toString(16), x.toString(16));

  // The Simon and Speck paper, appendix C.
  const speck = speck64(0x03020100, 0x0b0a0908, 0x13121110, 0x1b1a1918);
  check('Speck64/128', apply(speck.forward, 0x3b7265747475432dn).toString(16), '8c6fa548454e028b');

  // NIST's first sample for FF1.
  const key = Uint8Array.from([43, 126, 21, 22, 40, 174, 210, 166, 171, 247, 21, 136, 9, 207, 79, 60]);
  check('FF1', FF1(10, key).encrypt([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).join(''), '2433477484');
}

export function checkInverse(name: string, { forward, backward }: Pair): void {
  let id = 0n;
  for (let i = 0; i < 1000; i++) {
    check(`${name}, there and back`, apply(backward, apply(forward, id)).toString(16), id.toString(16));
    id = BigInt.asUintN(64, id * 6364136223846793005n + 1442695040888963407n);
  }
}
