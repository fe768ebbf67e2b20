// The signature of a release: proves that the caller holds the lease's secret without sending it.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const BLOCK = 64;
const DIGEST = 32;
/** More than the longest pair of numbers with a colon between them. */
const MESSAGE = 64;

/** A store signs at every release, so what it signs with is made once, and wiped after every use. */
const begun = sha256.create();
const hash = sha256.create();
const inner = new Uint8Array(BLOCK + MESSAGE);
const outer = new Uint8Array(BLOCK + DIGEST);
const digest = new Uint8Array(DIGEST);

function writeAscii(text: string, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[at + i] = code;
  }
  return true;
}

/** SHA-256 of the first bytes, into `digest`. */
function digestOf(bytes: Uint8Array, length: number): void {
  begun._cloneInto(hash).update(bytes.subarray(0, length)).digestInto(digest);
}

/** The hexadecimal HMAC-SHA-256 of `${id}:${timestamp}`, with the secret's text as its key. */
export function signRelease(secret: string, id: number, timestamp: number): string {
  const message = `${id}:${timestamp}`;
  const isShort = secret.length <= BLOCK && message.length <= MESSAGE;
  if (!isShort || !writeAscii(secret, inner, 0)) {
    return bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(message)));
  }
  for (let i = 0; i < BLOCK; i++) {
    const byte = i < secret.length ? (inner[i] as number) : 0;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  writeAscii(message, inner, BLOCK);
  digestOf(inner, BLOCK + message.length);
  outer.set(digest, BLOCK);
  digestOf(outer, outer.length);
  inner.fill(0);
  outer.fill(0);
  return bytesToHex(digest);
}

/** Whether two texts are equal, in a time that does not tell how much of them is. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length));
  return difference === 0;
}
