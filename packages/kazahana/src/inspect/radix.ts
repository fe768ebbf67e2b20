// Integers as text in the alphabets that IDs are written in, and back. Strict: what no encoder writes is not read.

export const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
export const BASE36 = DIGITS + LOWER;
/** Bitcoin's: without 0, O, I and l. */
export const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Flickr's: the same characters, lower case first. */
export const FLICKR58 = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
/** ShortUUID's: without 0, 1, I, O and l. */
export const BASE57 = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const BASE62 = DIGITS + UPPER + LOWER;
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const BASE32HEX = `${DIGITS}abcdefghijklmnopqrstuv`;
/** Sorts as its values do. */
export const BASE32SORTABLE = '234567abcdefghijklmnopqrstuvwxyz';
export const BASE64 = `${UPPER}${LOWER}${DIGITS}+/`;
export const BASE64URL = `${UPPER}${LOWER}${DIGITS}-_`;
/** Firebase's, in the order of ASCII. */
export const BASE64PUSH = `-${DIGITS}${UPPER}_${LOWER}`;

/** The integer that a text writes; undefined when a character is not in the alphabet. */
export function fromRadix(text: string, alphabet: string): bigint | undefined {
  const base = BigInt(alphabet.length);
  let value = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = value * base + BigInt(digit);
  }
  return text === '' ? undefined : value;
}

/** An integer in an alphabet, filled up to a length with the alphabet's zero. */
export function toRadix(value: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let text = '';
  for (let rest = value; rest > 0n; rest /= base) text = (alphabet[Number(rest % base)] ?? '') + text;
  return text.padStart(length, alphabet[0]);
}

/** Base64 text of whole bytes: the spare bits of the last character, which must be 0, are not part of the value. */
export function fromBase64(text: string, bits: number, alphabet: string): bigint | undefined {
  const spare = BigInt(text.length * 6 - bits);
  const value = fromRadix(text, alphabet);
  if (value === undefined || spare < 0n || spare > 5n || value % 2n ** spare !== 0n) return undefined;
  return value / 2n ** spare;
}

/** Whole bytes as base64 without padding. */
export function toBase64(value: bigint, bits: number, alphabet: string): string {
  const length = Math.ceil(bits / 6);
  return toRadix(value * 2n ** BigInt(length * 6 - bits), alphabet, length);
}

export const hexOf = (value: bigint, bits: number): string =>
  value.toString(16).padStart(Math.ceil(bits / 4), '0');

export const isHex = (text: string): boolean => /^[0-9a-f]+$/i.test(text);

export const fromHex = (text: string): bigint | undefined => (isHex(text) ? BigInt(`0x${text}`) : undefined);

/** Whole bytes of a value, the most significant first. */
export function bytesOf(value: bigint, bits: number): Uint8Array {
  const hex = hexOf(value, bits);
  return Uint8Array.from({ length: bits / 8 }, (_, i) => Number(`0x${hex.slice(2 * i, 2 * i + 2)}`));
}
