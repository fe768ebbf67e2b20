import { describe, expect, it } from 'vitest';
import {
  isBelieved,
  isProvenLease,
  isProvenSerial,
  keyOfPool,
  proveLease,
  proveSerial,
} from './loss-proof.js';

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

describe('proofs that an earlier version gave', () => {
  it('are those of this one: a fleet that is upgraded keeps what it can prove', () => {
    expect([keyOfPool(KEY, 'a'), proveSerial(KEY, 'pool-1', 7), proveLease(KEY, 'pool-1', WINDOW)]).toEqual([
      '040e11ca17289cb3b259a5b526e4f9bce9197ae5d6e4935f317d6f9a524c162c',
      'ddf2440258b82aec92030c6e901635b459ab33bf93bd8dfd48904571d27f3a28',
      '3a070da1768441f7e7d044cb7ce6ee790f67eb37e5c86926db9d335d64824dd8',
    ]);
  });
});

describe('what a caller says', () => {
  const proof = proveSerial(KEY, 'pool-1', 7);
  const believed = (claim: object, trust: { isTrusted: boolean; lossKey: string | undefined }) =>
    isBelieved({ ...SEEN, ...claim }, trust, isProvenSerial);

  it('is believed with a proof, from any caller, where there is a key', () => {
    expect(believed({ proof }, { isTrusted: false, lossKey: KEY })).toBe(true);
    expect(believed({ proof }, { isTrusted: false, lossKey: undefined })).toBe(false);
  });

  it('is believed without a proof from a caller that is trusted', () => {
    expect(believed({}, { isTrusted: true, lossKey: KEY })).toBe(true);
    expect(believed({}, { isTrusted: true, lossKey: undefined })).toBe(true);
    expect(believed({}, { isTrusted: false, lossKey: KEY })).toBe(false);
  });

  it('is not believed with a proof that does not fit, whichever client says it', () => {
    expect(believed({ proof: 'x' }, { isTrusted: true, lossKey: KEY })).toBe(false);
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
