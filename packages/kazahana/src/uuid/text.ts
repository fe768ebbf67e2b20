// The canonical text of one UUID: 36 characters, lower case, with hyphens.

export const HYPHEN = 45;

/** The codes of both hexadecimal digits of each byte, the first in the upper half. */
export const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = (byte + 256).toString(16);
  return (digits.charCodeAt(1) << 8) | digits.charCodeAt(2);
});

/** The text of 16 bytes. One call with 36 arguments makes a flat string at once and retains nothing else. */
export function textOf(bytes: Uint8Array): string {
  const high = (index: number) => (DIGITS[bytes[index] as number] as number) >> 8;
  const low = (index: number) => (DIGITS[bytes[index] as number] as number) & 0xff;
  // biome-ignore format: the five groups, as they are read
  return String.fromCharCode(
    high(0), low(0), high(1), low(1), high(2), low(2), high(3), low(3), HYPHEN,
    high(4), low(4), high(5), low(5), HYPHEN,
    high(6), low(6), high(7), low(7), HYPHEN,
    high(8), low(8), high(9), low(9), HYPHEN,
    high(10), low(10), high(11), low(11), high(12), low(12), high(13), low(13), high(14), low(14), high(15), low(15),
  );
}
