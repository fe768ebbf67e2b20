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
function fourDigits(value: number): number {
  return ((DIGITS[(value >> 8) & 0xff] as number) << 16) | (DIGITS[value & 0xff] as number);
}

/** Writes the n-th UUID of the coming page from its four words; the third gets the variant of RFC 4122. */
export function writeUuid(n: number, a: number, b: number, c: number, d: number): void {
  const to = LENGTH * n;
  view.setInt32(to, fourDigits(a >> 16));
  view.setInt32(to + 4, fourDigits(a));
  view.setInt32(to + 9, fourDigits(b >> 16));
  view.setInt32(to + 14, fourDigits(b));
  view.setInt32(to + 19, fourDigits(withVariant(c) >> 16));
  view.setInt32(to + 24, fourDigits(c));
  view.setInt32(to + 28, fourDigits(d >> 16));
  view.setInt32(to + 32, fourDigits(d));
}

/**
 * Writes the first UUIDs of the coming page. All have the first word `a`; the second begins with `b` and has one more in each; the
 * other two of each stand from `words[start]` on. Each is what `writeUuid` writes, in less time: what all share is looked up once, and
 * the digits in the loop are spelled out. V8 leaves a function of this size as it is, where it would take a smaller one into its
 * callers and then find no room there for the calls inside.
 */
export function writeUuids(count: number, a: number, b: number, words: Int32Array, start: number): void {
  const head = fourDigits(a >> 16);
  const neck = fourDigits(a);
  const body = fourDigits(b >> 16);
  let version = b & 0xffff;
  let at = start;
  for (let to = 0; to < LENGTH * count; to += LENGTH, at += 2, version++) {
    const c = words[at] as number;
    const d = words[at + 1] as number;
    view.setInt32(to, head);
    view.setInt32(to + 4, neck);
    view.setInt32(to + 9, body);
    view.setInt32(to + 14, ((DIGITS[version >> 8] as number) << 16) | (DIGITS[version & 0xff] as number));
    view.setInt32(
      to + 19,
      ((DIGITS[((c >> 24) & 0x3f) | 0x80] as number) << 16) | (DIGITS[(c >> 16) & 0xff] as number),
    );
    view.setInt32(to + 24, ((DIGITS[(c >> 8) & 0xff] as number) << 16) | (DIGITS[c & 0xff] as number));
    view.setInt32(to + 28, ((DIGITS[d >>> 24] as number) << 16) | (DIGITS[(d >> 16) & 0xff] as number));
    view.setInt32(to + 32, ((DIGITS[(d >> 8) & 0xff] as number) << 16) | (DIGITS[d & 0xff] as number));
  }
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
