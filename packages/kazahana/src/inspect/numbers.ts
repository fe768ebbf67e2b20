// Texts that write an integer: in decimal, or in hexadecimal with `0x`.

const NUMBER = /^(?:[0-9]{1,20}|0x[0-9a-f]{1,16})$/i;
const END_OF_64_BITS = 2n ** 64n;

/** The integer of up to 64 bits that a text writes; undefined when it writes none. */
export function integerOf(text: string): bigint | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = BigInt(text);
  return value < END_OF_64_BITS ? value : undefined;
}

export const isInteger = (text: string): boolean => NUMBER.test(text);

/** No zeros before the number, which a program that writes numbers does not write. */
export const isPlainDecimal = (text: string): boolean => /^(?:0|[1-9][0-9]{0,19})$/.test(text);
