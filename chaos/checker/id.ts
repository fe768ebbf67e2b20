// An ID as the checker reads it: two 32-bit words, the lower one first, as files have them. The widths of time and suffix are
// pinned in all pools of the trials; how many bits of the suffix are the machine ID may change while a pool lives.

export const SUFFIX_BITS = 22;
const TIME_BITS_OF_LOW_WORD = 32 - SUFFIX_BITS;
/** From here on, suffixes are fallback. */
export const HALF = 2 ** (SUFFIX_BITS - 1);

/** Milliseconds since the epoch of the pool. */
export const timeOf = (low: number, high: number): number =>
  high * 2 ** TIME_BITS_OF_LOW_WORD + (low >>> SUFFIX_BITS);

export const suffixOf = (low: number): number => low & (2 ** SUFFIX_BITS - 1);

/** IDs in pieces, in the order of making. */
export type Pieces = () => Iterable<Uint32Array>;

export const piecesOf = (...ids: readonly bigint[]): Pieces => {
  const words = new Uint32Array(BigUint64Array.from(ids).buffer);
  return () => [words];
};

export const toId = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low);
