import { describe, expect, it } from 'vitest';
import { isProvenLease, isProvenSerial, keyOfPool, proveLease, proveSerial } from './loss-proof.js';

const KEY = 'the same on all servers';
const WINDOW = { id: 5, bitId: 14, bitSeq: 8, created: 1000, expired: 2000, fallbackUntil: 3000 };
const CLAIM = { pool: 'pool-1', ...WINDOW, timestamp: 1500, signature: 'any' };
const SEEN = { pool: 'pool-1', serial: 7 };

describe('the key of a pool', () => {
  it('is another for each pool and each key, and never the key itself', () => {
    const keys = [KEY, keyOfPool(KEY, 'a'), keyOfPool(KEY, 'b'), keyOfPool('another key', 'a')];
    expect(new Set(keys).size).toBe(4);
    expect(keyOfPool(KEY, 'a')).toBe(keyOfPool(KEY, 'a'));
  });
});

describe('R7: the proof of a serial', () => {
  const proof = proveSerial(KEY, 'pool-1', 7);

  it('is believed by every server that knows the key', () => {
    expect(isProvenSerial(KEY, { ...SEEN, proof })).toBe(true);
  });

  const rows: [title: string, key: string, seen: object][] = [
    ['another key', 'another key', {}],
    ['another serial', KEY, { serial: 8 }],
    ['another pool', KEY, { pool: 'pool-2' }],
    ['no proof', KEY, { proof: undefined }],
    ['an empty proof', KEY, { proof: '' }],
    ['a part of the proof', KEY, { proof: proof.slice(0, 32) }],
  ];
  for (const [title, key, change] of rows) {
    it(`is not, with ${title}`, () => {
      expect(isProvenSerial(key, { ...SEEN, proof, ...change } as typeof SEEN)).toBe(false);
    });
  }
});

describe('R7: the proof of a lease', () => {
  const proof = proveLease(KEY, 'pool-1', WINDOW);

  it('is believed by every server that knows the key, whenever the claim was signed', () => {
    expect(isProvenLease(KEY, { ...CLAIM, proof })).toBe(true);
    expect(isProvenLease(KEY, { ...CLAIM, proof, timestamp: 9999, signature: 'another' })).toBe(true);
  });

  it('is not, with another key or without a proof', () => {
    expect(isProvenLease('another key', { ...CLAIM, proof })).toBe(false);
    expect(isProvenLease(KEY, CLAIM)).toBe(false);
  });

  for (const name of ['id', 'bitId', 'bitSeq', 'created', 'expired', 'fallbackUntil'] as const) {
    it(`is not, with another ${name}`, () => {
      expect(isProvenLease(KEY, { ...CLAIM, proof, [name]: CLAIM[name] + 1 })).toBe(false);
    });
  }

  it('is not, with another pool', () =>
    expect(isProvenLease(KEY, { ...CLAIM, proof, pool: 'pool-2' })).toBe(false));

  it('is no proof of a serial', () => {
    expect(isProvenSerial(KEY, { ...SEEN, proof: proveLease(KEY, 'pool-1', { ...WINDOW, id: 7 }) })).toBe(
      false,
    );
  });
});
