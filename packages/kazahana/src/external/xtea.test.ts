import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadId, newBlock, readId } from './block.js';
import { decrypt, encrypt, expandKey, type XteaKey } from './xtea.js';

function apply(cipher: typeof encrypt, key: XteaKey, id: bigint): bigint {
  const block = newBlock();
  loadId(block, id);
  cipher(block, expandKey(key));
  return readId(block);
}

describe('XTEA agrees with its published vectors', () => {
  const counting: XteaKey = [0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f];
  const zeros: XteaKey = [0, 0, 0, 0];
  const rows: [key: XteaKey, plain: bigint, sealed: bigint][] = [
    [counting, 0x4142434445464748n, 0x497df3d072612cb5n],
    [counting, 0x4141414141414141n, 0xe78f2d13744341d8n],
    [zeros, 0x4142434445464748n, 0xa0390589f8b8efa5n],
  ];
  for (const [key, plain, sealed] of rows) {
    it(`${plain.toString(16)} ↔ ${sealed.toString(16)}`, () => {
      expect(apply(encrypt, key, plain)).toBe(sealed);
      expect(apply(decrypt, key, sealed)).toBe(plain);
    });
  }
});

/** The cipher as its authors wrote it down, in bigints: slow, and without a trick to get wrong. */
function xteaWithBigints(key: readonly bigint[], id: bigint): bigint {
  const M = 0xffffffffn;
  let v0 = id >> 32n;
  let v1 = id & M;
  let sum = 0n;
  for (let cycle = 0; cycle < 32; cycle++) {
    v0 = (v0 + ((((v1 << 4n) ^ (v1 >> 5n)) + v1) ^ (sum + (key[Number(sum & 3n)] ?? 0n)))) & M;
    sum = (sum + 0x9e3779b9n) & M;
    v1 = (v1 + ((((v0 << 4n) ^ (v0 >> 5n)) + v0) ^ (sum + (key[Number((sum >> 11n) & 3n)] ?? 0n)))) & M;
  }
  return (v0 << 32n) | v1;
}

describe('for every key and every block', () => {
  const word = fc.integer({ min: 0, max: 0xffffffff });
  const anyKey = fc.tuple(word, word, word, word);
  const anyBlock = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

  it('XTEA on int32 halves is XTEA in bigints', () => {
    fc.assert(
      fc.property(anyKey, anyBlock, (key, id) => {
        expect(apply(encrypt, key, id)).toBe(xteaWithBigints(key.map(BigInt), id));
      }),
    );
  });

  it('decrypt undoes encrypt', () => {
    fc.assert(
      fc.property(anyKey, anyBlock, (key, id) => {
        expect(apply(decrypt, key, apply(encrypt, key, id))).toBe(id);
      }),
    );
  });

  it('a key means the same with its words signed or unsigned', () => {
    fc.assert(
      fc.property(anyKey, anyBlock, ([a, b, c, d], id) => {
        const signed: XteaKey = [a | 0, b | 0, c | 0, d | 0];
        expect(apply(encrypt, signed, id)).toBe(apply(encrypt, [a, b, c, d], id));
      }),
    );
  });
});
