// From a secret of any length to the 128-bit key of the cipher, and from a prefix to a number that tells it apart where
// there is no secret. No error of this file carries the secret: errors end up in logs.
import { sha256 } from '@noble/hashes/sha2.js';
import { isBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { InvalidArgumentError } from '../errors.js';
import type { Block } from './block.js';
import type { XteaKey } from './xtea.js';

/** Keeps these keys apart from any other use of the same secret; the NUL ends the label. */
const LABEL = 'kazahana external id xtea\0';
/** Another label, then the prefix and a NUL: no prefix has a NUL in it, so no two pairs of prefix and secret meet. */
const PREFIX_LABEL = 'kazahana external id xtea prefix\0';
const TWEAK_LABEL = 'kazahana external id mix prefix\0';

export type Secret = string | Uint8Array;

function refuse(name: string, given: unknown): never {
  throw new InvalidArgumentError(name, 'a non-empty, well-formed string or a non-empty Uint8Array', given);
}

export function checkSecret(name: string, secret: unknown): asserts secret is Secret {
  if (secret === undefined || secret === '') refuse(name, secret);
  if (typeof secret === 'string') return;
  if (!isBytes(secret)) refuse(name, `a value of type ${typeof secret}`);
  if (secret.length === 0) refuse(name, 'no bytes');
}

/** The words of a digest over texts and bytes, big-endian. */
function wordsOf(text: string, bytes: Uint8Array): DataView {
  const digest = sha256.create().update(utf8ToBytes(text)).update(bytes).digest();
  return new DataView(digest.buffer, digest.byteOffset);
}

/** The first 16 bytes of SHA-256 over the label, a prefix where there is one, and the secret, as four big-endian words. */
export function deriveKey(name: string, secret: Secret, prefix?: string): XteaKey {
  const label = prefix === undefined ? LABEL : `${PREFIX_LABEL}${prefix}\0`;
  const words = wordsOf(label, bytesOf(name, secret));
  return [words.getInt32(0), words.getInt32(4), words.getInt32(8), words.getInt32(12)];
}

/** What `mix` adds to an ID of a prefix before mixing: the first 8 bytes of SHA-256 over a label and the prefix. */
export function deriveTweak(prefix: string): Readonly<Pick<Block, 0 | 1>> {
  const words = wordsOf(TWEAK_LABEL, utf8ToBytes(prefix));
  return [words.getInt32(0), words.getInt32(4)];
}

function bytesOf(name: string, secret: Secret): Uint8Array {
  if (typeof secret !== 'string') return secret;
  // UTF-8 has no lone surrogates: encoders write U+FFFD for each, and different secrets would share a key.
  if (/\p{Surrogate}/u.test(secret)) refuse(name, 'a string with a lone surrogate');
  return utf8ToBytes(secret);
}
