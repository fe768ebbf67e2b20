/** The value with one bit turned over; bit 0 is the most significant of `bits`. */
export const flip = (value: bigint, bits: number, index: number): bigint =>
  value ^ (1n << BigInt(bits - 1 - index));
