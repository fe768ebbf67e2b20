// UUIDs made a few at a time. Turning sixteen into one string and handing out parts of it costs half of
// sixteen strings; the price is that a kept part keeps its whole page alive, about 600 bytes at sixteen.
import { textOf, writeTexts } from './text.js';

declare const Buffer:
  | { prototype: { latin1Slice?(this: Uint8Array, start: number, end: number): string } }
  | undefined;

/** The fast way from codes to a string, where the platform has it. */
const latin1Slice = typeof Buffer === 'undefined' ? undefined : Buffer.prototype.latin1Slice;

/** How many UUIDs a page may hold: without the fast way, one by one is faster. */
export const PAGE_SIZE = latin1Slice ? 16 : 1;

export class UuidPage {
  /** Where the next UUIDs are put before `render` turns them into text. */
  readonly bytes = new Uint8Array(16 * PAGE_SIZE);
  readonly #codes = new Uint8Array(36 * PAGE_SIZE);
  #text = '';
  #at = 0;

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  /** Makes the first `count` UUIDs of `bytes` ready to be taken. */
  render(count: number): void {
    if (latin1Slice && count > 1) {
      writeTexts(this.bytes, count, this.#codes);
      this.#text = latin1Slice.call(this.#codes, 0, 36 * count);
    } else {
      this.#text = textOf(this.bytes);
    }
    this.#at = 0;
  }

  take(): string {
    const start = this.#at;
    this.#at = start + 36;
    return this.#text.substring(start, this.#at);
  }

  /** Forgets what has not been taken. */
  clear(): void {
    this.#at = this.#text.length;
  }
}
