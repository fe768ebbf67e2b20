// Random bytes: always the platform's CSPRNG, never drawn at import time, since workers and some bundlers forbid that.

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/** Fills the first `length` bytes of `target`; when it throws, the caller has not changed its state yet. */
export type RandomSource = (target: Uint8Array, length: number) => void;

// One call of getRandomValues costs as much as a hundred IDs; a portion of this size makes that negligible.
const POOL_BYTES = 16384;

let pool: Uint8Array | undefined;
let used = POOL_BYTES;

/** The default source: hands out bytes of a pool that is filled when they have all been used once. */
export const pooledRandom: RandomSource = (target, length) => {
  pool ??= new Uint8Array(POOL_BYTES);
  for (let at = 0; at < length; ) {
    if (used === POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const end = Math.min(POOL_BYTES, used + length - at);
    target.set(pool.subarray(used, end), at);
    at += end - used;
    used = end;
  }
};
