// What every version does with the caller's bytes: take random ones, write a UUID into a buffer. Callers of `uuid` also pass
// plain arrays, so nothing here needs more than a length and indexes.
import { pooledRandom } from '../../random.js';

const random = /* @__PURE__ */ new Uint8Array(16);

/** Random bytes of the platform; to be used before the next call. */
export function platformRandom(): Uint8Array {
  pooledRandom(random, 16);
  return random;
}

/** Random bytes: the caller's, or the platform's. */
export function randomOf(options: { random?: Uint8Array; rng?: () => Uint8Array }): Uint8Array {
  const bytes = options.random ?? options.rng?.() ?? platformRandom();
  if (bytes.length < 16) throw new Error('Random bytes length must be >= 16');
  return bytes;
}

/** Copies the 16 bytes of a UUID into the caller's buffer. */
export function writeTo<Buf extends Uint8Array>(bytes: Uint8Array, buf: Buf, offset = 0): Buf {
  if (offset < 0 || offset + 16 > buf.length) {
    throw new RangeError(`UUID byte range ${offset}:${offset + 15} is out of buffer bounds`);
  }
  for (let i = 0; i < 16; i++) buf[offset + i] = bytes[i] as number;
  return buf;
}
