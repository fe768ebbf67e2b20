// 64-bit IDs as 11 characters and back, for each algorithm: bigint, halves, permutation, base64url.
import type { KazahanaId } from '../id/layout.js';
import { decodeBase64Url, type ExternalId, encodeBase64Url, tryDecodeBase64Url } from './base64url.js';
import { loadId, newBlock, readId } from './block.js';
import { mix, unmix } from './mixer.js';
import type { Cipher } from './options.js';
import { deriveKey, deriveTweak } from './secret.js';
import { decrypt, encrypt, expandKey, type XteaKey } from './xtea.js';

/** Knows the 11 characters only. */
export interface BodyCodec {
  toExternalId(id: bigint): ExternalId;
  toInternalId(body: string): KazahanaId;
  /** Undefined where `toInternalId` throws. */
  tryInternalId(body: unknown): KazahanaId | undefined;
}

// Shared by all codecs, since a conversion runs to its end before another can begin.
const block = /* @__PURE__ */ newBlock();

// The codecs are written out, rather than built around a permutation that is handed in: a call site that has met two
// functions is no longer inlined, and where one process uses two algorithms, each conversion would take some 10 ns more.

function plainCodec(): BodyCodec {
  return {
    toExternalId(id) {
      loadId(block, id);
      return encodeBase64Url(block);
    },
    toInternalId(body) {
      decodeBase64Url(body, block);
      return readId(block);
    },
    tryInternalId: (body) => (tryDecodeBase64Url(body, block) ? readId(block) : undefined),
  };
}

function mixingCodec(): BodyCodec {
  return {
    toExternalId(id) {
      loadId(block, id);
      mix(block);
      return encodeBase64Url(block);
    },
    toInternalId(body) {
      decodeBase64Url(body, block);
      unmix(block);
      return readId(block);
    },
    tryInternalId(body) {
      if (!tryDecodeBase64Url(body, block)) return undefined;
      unmix(block);
      return readId(block);
    },
  };
}

/** `mix` for IDs of one prefix: the same ID has another text under another prefix. */
function tweakedCodec(prefix: string): BodyCodec {
  const { 0: high, 1: low } = deriveTweak(prefix);
  const tweak = () => {
    block[0] ^= high;
    block[1] ^= low;
  };
  const read = () => {
    unmix(block);
    tweak();
    return readId(block);
  };
  return {
    toExternalId(id) {
      loadId(block, id);
      tweak();
      mix(block);
      return encodeBase64Url(block);
    },
    toInternalId(body) {
      decodeBase64Url(body, block);
      return read();
    },
    tryInternalId: (body) => (tryDecodeBase64Url(body, block) ? read() : undefined),
  };
}

function encryptingCodec(key: XteaKey): BodyCodec {
  const roundKeys = expandKey(key);
  return {
    toExternalId(id) {
      loadId(block, id);
      encrypt(block, roundKeys);
      return encodeBase64Url(block);
    },
    toInternalId(body) {
      decodeBase64Url(body, block);
      decrypt(block, roundKeys);
      return readId(block);
    },
    tryInternalId(body) {
      if (!tryDecodeBase64Url(body, block)) return undefined;
      decrypt(block, roundKeys);
      return readId(block);
    },
  };
}

/** The codec of a cipher, for one prefix; `name` is the option that the secret came from. */
export function bodyCodecFor(cipher: Cipher, prefix?: string, name = 'secret'): BodyCodec {
  switch (cipher.algorithm) {
    case 'none':
      return plainCodec();
    case 'mix':
      return prefix === undefined ? mixingCodec() : tweakedCodec(prefix);
    case 'xtea':
      return encryptingCodec(deriveKey(name, cipher.secret, prefix));
  }
}
