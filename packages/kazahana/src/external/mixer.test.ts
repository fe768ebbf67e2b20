import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, loadId, newBlock, type Permutation, readId } from './block.js';
import { mix, unmix } from './mixer.js';

function apply(permutation: Permutation, id: bigint): bigint {
  const block = newBlock();
  loadId(block, id);
  permutation(block);
  return readId(block);
}

describe('the keyless mixer', () => {
  // External IDs are for ever. If one of these rows must be changed, the mixer must not.
  const rows: [id: bigint, mixed: bigint][] = [
    [0n, 0xcad592fb8012dfebn],
    [1n, 0x0e119433510ba46en],
    [2n, 0x0896ea81e3b102fan],
    [0x0123456789abcdefn, 0xc6daf4e4af5fb2b8n],
    [251658240000001280n, 0x69a5ae8a6f9e6593n],
    [2n ** 63n - 1n, 0xed3ae4b0037f363en],
    [2n ** 64n - 1n, 0x33e7460a14fcac66n],
  ];
  for (const [id, mixed] of rows) {
    it(`makes 0x${mixed.toString(16)} of 0x${id.toString(16)}, for ever`, () => {
      expect(apply(mix, id)).toBe(mixed);
      expect(apply(unmix, mixed)).toBe(id);
    });
  }

  it('is undone by its inverse, from either side', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
        expect(apply(unmix, apply(mix, id))).toBe(id);
        expect(apply(mix, apply(unmix, id))).toBe(id);
      }),
    );
  });

  it('follows its definition, written with bigints', () => {
    const M = 0xffffffffn;
    const scramble = (half: bigint) => {
      const b = ((half ^ (half >> 16n)) * 0x7feb352dn) & M;
      const c = ((b ^ (b >> 15n)) * 0x846ca68bn) & M;
      return c ^ (c >> 16n);
    };
    const defined = (id: bigint) => {
      let high = id >> 32n;
      let low = id & M;
      high ^= scramble(low ^ 0x6a09e667n);
      low ^= scramble(high ^ 0xbb67ae85n);
      high ^= scramble(low ^ 0x3c6ef372n);
      low ^= scramble(high ^ 0xa54ff53an);
      return (high << 32n) | low;
    };
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
        expect(apply(mix, id)).toBe(defined(id));
      }),
    );
  });
});

/** A fixed sequence of 32-bit numbers (xorshift32), so that a run can be repeated. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}

/** How often each of the 64 output bits flips when each of the 64 input bits does; `flips[64 * input + output]`. */
function countFlips(permutation: Permutation, samples: number, fill: (block: Block) => void): Uint32Array {
  const flips = new Uint32Array(64 * 64);
  const base = newBlock();
  const block = newBlock();
  const flipped = newBlock();
  for (let sample = 0; sample < samples; sample++) {
    fill(base);
    block.set(base);
    permutation(block);
    for (let input = 0; input < 64; input++) {
      flipped.set(base);
      const half = input >> 5;
      flipped[half] = (flipped[half] ?? 0) ^ (1 << (input & 31));
      permutation(flipped);
      for (let output = 0; output < 64; output++) {
        const difference = (block[output >> 5] ?? 0) ^ (flipped[output >> 5] ?? 0);
        const cell = 64 * input + output;
        flips[cell] = (flips[cell] ?? 0) + ((difference >>> (output & 31)) & 1);
      }
    }
  }
  return flips;
}

describe('full avalanche: each input bit flips each output bit half of the time', () => {
  const SAMPLES = 2 ** 13;
  // A fair coin thrown n times strays from ½ by 0.5/√n, one standard deviation; the worst of 4,096 such coins
  // by about four of those. Six leave room for chance and none for a bit that is left behind.
  const tolerance = (throws: number) => (6 * 0.5) / Math.sqrt(throws);

  const next = sequence(0x6b617a61);
  const anywhere = (block: Block) => {
    block[0] = next();
    block[1] = next();
  };
  let counter = 0;
  // IDs of one machine, one a millisecond: the bits that rise are those of the timestamp.
  const inARow = (block: Block) => {
    loadId(block, 251658240000001280n + (BigInt(counter++) << 22n));
  };

  const rows: [title: string, permutation: Permutation, fill: (block: Block) => void, throws: number][] = [
    ['mixing IDs from anywhere', mix, anywhere, SAMPLES],
    ['unmixing IDs from anywhere', unmix, anywhere, SAMPLES],
    // With a rising bit flipped, an ID is another one of the row, which meets this one in turn: each throw of
    // the coin is counted twice.
    ['mixing IDs made in a row', mix, inARow, SAMPLES / 2],
  ];
  for (const [title, permutation, fill, throws] of rows) {
    it(title, () => {
      const flips = countFlips(permutation, SAMPLES, fill);
      const worst = flips.reduce((most, count) => Math.max(most, Math.abs(count / SAMPLES - 0.5)), 0);
      const mean = flips.reduce((sum, count) => sum + count / SAMPLES, 0) / flips.length;
      expect(worst).toBeLessThan(tolerance(throws));
      expect(Math.abs(mean - 0.5)).toBeLessThan(0.001);
    });
  }
});
