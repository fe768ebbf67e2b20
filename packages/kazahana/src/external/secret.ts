// From a secret of any length to the 128-bit key of the cipher. No error of this file carries the secret:
// errors end up in logs.
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, isBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { InvalidArgumentError } from '../errors.js';
import type { XteaKey } from './xtea.js';

/** Keeps these keys apart from any other use of the same secret; the NUL ends the label. */
const LABEL = 'kazahana external id xtea\0';

export type Secret = string | Uint8Array;

function refuse(given: unknown): never {
  throw new InvalidArgumentError(
    'secret',
    'a non-empty, well-formed string or a non-empty Uint8Array',
    given,
  );
}

export function checkSecret(secret: unknown): asserts secret is Secret {
  if (secret === undefined || secret === '') refuse(secret);
  if (typeof secret === 'string') return;
  if (!isBytes(secret)) refuse(`a value of type ${typeof secret}`);
  if (secret.length === 0) refuse('no bytes');
}

/** The first 16 bytes of SHA-256 over the label and the secret, as four big-endian words. */
export function deriveKey(secret: Secret): XteaKey {
  const digest = sha256(concatBytes(utf8ToBytes(LABEL), bytesOf(secret)));
  const words = new DataView(digest.buffer, digest.byteOffset);
  return [words.getInt32(0), words.getInt32(4), words.getInt32(8), words.getInt32(12)];
}

function bytesOf(secret: Secret): Uint8Array {
  if (typeof secret !== 'string') return secret;
  // UTF-8 has no lone surrogates: encoders write U+FFFD for each, and different secrets would share a key.
  if (/\p{Surrogate}/u.test(secret)) refuse('a string with a lone surrogate');
  return utf8ToBytes(secret);
}
