// Random words and bytes: always the platform's CSPRNG, never drawn at import time, since workers and some bundlers
// forbid that.

declare const crypto: { getRandomValues(array: Int32Array): Int32Array };

/**
 * The pool: words from the index that `drawWords` returns on are its caller's. One call of getRandomValues costs as
 * much as a hundred IDs; 64 KiB, the most that it gives at once, make that negligible.
 */
export const randomWords = new Int32Array(16_384);
let used = randomWords.length;

/** Where the next `count` words of the pool stand that have not been used; when it throws, nothing has changed. */
export function drawWords(count: number): number {
  if (used + count > randomWords.length) {
    crypto.getRandomValues(randomWords);
    used = 0;
  }
  used += count;
  return used - count;
}

/** Fills the first `length` bytes of `target`. */
export function pooledRandom(target: Uint8Array, length: number): void {
  for (let at = 0; at < length; at += randomWords.byteLength) {
    const size = Math.min(length - at, randomWords.byteLength);
    const start = 4 * drawWords(Math.ceil(size / 4));
    target.set(new Uint8Array(randomWords.buffer, start, size), at);
  }
}
