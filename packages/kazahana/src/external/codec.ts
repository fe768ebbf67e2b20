// A codec turns 64-bit IDs into their public form and back: bigint, halves, permutation, base64url.
import type { KazahanaId } from '../id/layout.js';
import { decodeBase64Url, type ExternalId, encodeBase64Url } from './base64url.js';
import { loadId, newBlock, readId } from './block.js';
import { mix, unmix } from './mixer.js';
import { type Choice, choose, type ExternalIdOptions } from './options.js';
import { deriveKey } from './secret.js';
import { decrypt, encrypt, expandKey, type XteaKey } from './xtea.js';

export interface ExternalIdCodec {
  /** The public form of an ID, 11 characters; throws `InvalidArgumentError` for what is no bigint, `OutOfRangeError` for another size. */
  toExternalId(id: bigint): ExternalId;
  /** The ID of a public form; throws `ExternalIdFormatError` for what no ID has. */
  toInternalId(externalId: string): KazahanaId;
}

// Shared by all codecs, since a conversion runs to its end before another can begin.
const block = /* @__PURE__ */ newBlock();

// The three codecs are written out, rather than built around a permutation that is handed in: a call site that
// has met two functions is no longer inlined, and where one process uses two algorithms, each conversion would take some 10 ns more.

function plainCodec(): ExternalIdCodec {
  return {
    toExternalId(id) {
      loadId(block, id);
      return encodeBase64Url(block);
    },
    toInternalId(externalId) {
      decodeBase64Url(externalId, block);
      return readId(block);
    },
  };
}

function mixingCodec(): ExternalIdCodec {
  return {
    toExternalId(id) {
      loadId(block, id);
      mix(block);
      return encodeBase64Url(block);
    },
    toInternalId(externalId) {
      decodeBase64Url(externalId, block);
      unmix(block);
      return readId(block);
    },
  };
}

function encryptingCodec(key: XteaKey): ExternalIdCodec {
  const roundKeys = expandKey(key);
  return {
    toExternalId(id) {
      loadId(block, id);
      encrypt(block, roundKeys);
      return encodeBase64Url(block);
    },
    toInternalId(externalId) {
      decodeBase64Url(externalId, block);
      decrypt(block, roundKeys);
      return readId(block);
    },
  };
}

export function codecFor(choice: Choice): ExternalIdCodec {
  switch (choice.algorithm) {
    case 'none':
      return Object.freeze(plainCodec());
    case 'mix':
      return Object.freeze(mixingCodec());
    case 'xtea':
      return Object.freeze(encryptingCodec(deriveKey(choice.secret)));
  }
}

/**
 * Makes a codec and works out its key once; hold on to it where IDs are converted often.
 *
 * ```ts
 * const codec = createExternalIdCodec({ secret: 'correct horse battery staple' });
 * codec.toInternalId(codec.toExternalId(42n)); // → 42n
 * ```
 */
export function createExternalIdCodec(options?: ExternalIdOptions): ExternalIdCodec {
  return codecFor(choose(options));
}
