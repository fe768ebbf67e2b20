// UUIDs made a few at a time. Turning sixteen into one string and handing out parts of it costs half of
// sixteen strings; the price is that a kept part keeps its whole page alive, about 600 bytes at sixteen.
import { DIGITS, HYPHEN } from './text.js';

declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}

/** How many UUIDs a page may hold. */
const PAGE_SIZE = 16;
const LENGTH = 36;

/** The text of a page before it is a string. Digits are written around the hyphens, which stay. */
const codes = new Uint8Array(LENGTH * PAGE_SIZE).fill(HYPHEN);
const view = new DataView(codes.buffer);
const decoder = new TextDecoder();

/** The codes of four hexadecimal digits: the lower 16 bits of `value`. */
export function fourDigits(value: number): number {
  return ((DIGITS[(value >> 8) & 0xff] as number) << 16) | (DIGITS[value & 0xff] as number);
}

/**
 * Writes the n-th UUID of the coming page. Its first twelve digits come as codes, since they often stay the same for a
 * whole page; then the 16 bits of the version, and two words, of which the first gets the variant of RFC 4122.
 */
export function writeUuid(
  n: number,
  head: number,
  neck: number,
  body: number,
  version: number,
  c: number,
  d: number,
): void {
  const at = LENGTH * n;
  view.setInt32(at, head);
  view.setInt32(at + 4, neck);
  view.setInt32(at + 9, body);
  view.setInt32(at + 14, fourDigits(version));
  view.setInt32(at + 19, fourDigits(withVariant(c) >> 16));
  view.setInt32(at + 24, fourDigits(c));
  view.setInt32(at + 28, fourDigits(d >> 16));
  view.setInt32(at + 32, fourDigits(d));
}

/** The third word of a UUID with the variant of RFC 4122. */
export function withVariant(word: number): number {
  return (word & 0x3fffffff) | 0x80000000;
}

export class UuidPage {
  /** How many UUIDs to make at once: twice as many each time, so that a program that makes few pays for few. */
  size = 1;
  #text = '';
  #at = 0;

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  /** Makes the first `count` UUIDs that were written ready to be taken; what was left is forgotten. */
  render(count: number): void {
    this.#text = decoder.decode(count < PAGE_SIZE ? codes.subarray(0, LENGTH * count) : codes);
    this.#at = 0;
    this.size = Math.min(2 * this.size, PAGE_SIZE);
  }

  take(): string {
    const start = this.#at;
    this.#at += LENGTH;
    return this.#text.substring(start, this.#at);
  }
}
