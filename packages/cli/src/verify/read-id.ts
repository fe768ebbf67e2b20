// An ID on a line, as words of 32 bits: what `verify` asks of millions of lines must make no garbage. A test holds it
// equal to `BigInt` and `uuidToBytes`.
import { uuidToBytes } from 'kazahana/uuid';

/** From the most significant to the least; a number of 64 bits has two of them. */
export type Words = Uint32Array;

const ZERO = 48;
const HYPHEN = 45;
const WORD = 2 ** 32;
const MAX_DIGITS = 20;
const HYPHENS: readonly number[] = [8, 13, 18, 23];

/** The value of each hexadecimal digit, 255 for every other byte. */
const DIGITS = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 16; digit++) {
  const text = digit.toString(16);
  DIGITS[text.charCodeAt(0)] = digit;
  DIGITS[text.toUpperCase().charCodeAt(0)] = digit;
}

const text = new TextDecoder('latin1');

/** Writes the ID into `words` and says how many bits it has; 0 when the line is none. */
export function readId(bytes: Uint8Array, start: number, end: number, words: Words): 0 | 64 | 128 {
  const length = end - start;
  if (length <= MAX_DIGITS) return readNumber(bytes, start, end, words);
  if (length === 36) return readDigits(bytes, start, end, words, HYPHENS);
  if (length === 32) return readDigits(bytes, start, end, words, []);
  // In braces or as a URN, with hyphens or without.
  return [34, 38, 41, 45].includes(length) ? readOther(bytes, start, end, words) : 0;
}

function readNumber(bytes: Uint8Array, start: number, end: number, words: Words): 0 | 64 {
  if (start === end) return 0;
  let high = 0;
  let low = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return 0;
    // Both stay far below 2^53. A remainder of doubles would cost ten times as much.
    low = low * 10 + digit;
    const carry = Math.floor(low / WORD);
    low -= carry * WORD;
    high = high * 10 + carry;
  }
  if (high >= WORD) return 0;
  words[0] = high;
  words[1] = low;
  return 64;
}

function readDigits(
  bytes: Uint8Array,
  start: number,
  end: number,
  words: Words,
  hyphens: readonly number[],
): 0 | 128 {
  let word = 0;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === HYPHEN && hyphens.includes(at - start)) continue;
    const digit = DIGITS[byte] ?? 255;
    if (digit === 255) return 0;
    word = (word << 4) | digit;
    digits++;
    if (digits % 8 === 0) words[digits / 8 - 1] = word;
  }
  return digits === 32 ? 128 : 0;
}

function readOther(bytes: Uint8Array, start: number, end: number, words: Words): 0 | 128 {
  try {
    const view = new DataView(uuidToBytes(text.decode(bytes.subarray(start, end))).buffer);
    for (let i = 0; i < 4; i++) words[i] = view.getUint32(4 * i);
    return 128;
  } catch {
    return 0;
  }
}

/** The words as one integer. */
export function integerOf(words: Words, bits: 64 | 128): bigint {
  let value = 0n;
  for (let i = 0; i < bits / 32; i++) value = (value << 32n) | BigInt(words[i] ?? 0);
  return value;
}
