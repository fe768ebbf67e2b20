// Signatures that a holder makes with the secret of its lease. They prove that it holds the lease without sending the
// secret.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The hexadecimal HMAC-SHA-256 of a text, with another text as its key. */
export function hmacHex(key: string, text: string): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(text)));
}

/** Signs a release: the HMAC of `${id}:${timestamp}`. */
export function signRelease(secret: string, id: number, timestamp: number): string {
  return hmacHex(secret, `${id}:${timestamp}`);
}

/** Signs a renewal: the HMAC of `hold:${id}:${timestamp}`. It is no release, so it cannot be used as one. */
export function signHold(secret: string, id: number, timestamp: number): string {
  return hmacHex(secret, `hold:${id}:${timestamp}`);
}

/** Whether two texts are equal, in a time that does not tell how much of them is. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length));
  return difference === 0;
}
