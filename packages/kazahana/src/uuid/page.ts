// UUIDs made a few at a time. Turning sixteen into one string and handing out parts of it costs half of
// sixteen strings; the price is that a kept part keeps its whole page alive, about 600 bytes at sixteen.
import { writeTexts } from './text.js';

declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}

/** How many UUIDs a page may hold. */
export const PAGE_SIZE = 16;

const codes = new Uint8Array(36 * PAGE_SIZE);
const decoder = new TextDecoder();

export class UuidPage {
  /** Where the next UUIDs are put before `render` turns them into text. */
  readonly bytes = new Uint8Array(16 * PAGE_SIZE);
  readonly view = new DataView(this.bytes.buffer);
  #text = '';
  #at = 0;

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  /** Makes the first `count` UUIDs of `bytes` ready to be taken. */
  render(count: number): void {
    writeTexts(this.bytes, count, codes);
    this.#text = decoder.decode(codes.subarray(0, 36 * count));
    this.#at = 0;
  }

  take(): string {
    const start = this.#at;
    this.#at += 36;
    return this.#text.substring(start, this.#at);
  }

  /** Forgets what has not been taken. */
  clear(): void {
    this.#at = this.#text.length;
  }
}
