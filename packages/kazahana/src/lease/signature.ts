// The signature of a release: proves that the caller holds the lease's secret without sending it.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The hexadecimal HMAC-SHA-256 of `${id}:${timestamp}`, with the secret's text as its key. */
export function signRelease(secret: string, id: number, timestamp: number): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${id}:${timestamp}`)));
}

/** Whether two texts are equal, in a time that does not tell how much of them is. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length));
  return difference === 0;
}
