// UUIDs made a few at a time. Turning sixteen into one string and handing out parts of it costs half of
// sixteen strings; the price is that a kept part keeps its whole page alive, about 600 bytes at sixteen.

declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}

/** How many UUIDs a page may hold. */
export const PAGE_SIZE = 16;

const HYPHEN = 45;
const codes = new Uint8Array(36 * PAGE_SIZE);
const codesView = new DataView(codes.buffer);
const decoder = new TextDecoder();

/**
 * The codes of four hexadecimal digits, side by side in a word as the digits of 16 bits are. The nibbles are
 * spread to one a byte, '0' is added to each, and 39 more, from ':' to 'a', to those above nine.
 */
function fourDigits(value: number): number {
  const bytes = ((value & 0xff00) << 8) | (value & 0xff);
  const nibbles = ((bytes & 0xf000f0) << 4) | (bytes & 0xf000f);
  const aboveNine = ((nibbles + 0x06060606) >>> 4) & 0x01010101;
  return nibbles + 0x30303030 + 39 * aboveNine;
}

/** Marks the UUID at `at` as one of RFC 4122 and its successors. */
export function stampVariant(view: DataView, at: number): void {
  view.setUint8(at + 8, (view.getUint8(at + 8) & 0x3f) | 0x80);
}

export class UuidPage {
  /** Where the next UUIDs are put before `render` turns them into text. */
  readonly bytes = new Uint8Array(16 * PAGE_SIZE);
  readonly view = new DataView(this.bytes.buffer);
  #text = '';
  #at = 0;

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  /** Makes the first `count` UUIDs of `bytes` ready to be taken; what was left is forgotten. */
  render(count: number): void {
    let end = 0;
    for (let at = 0; at < 16 * count; at += 2) {
      codesView.setUint32(end, fourDigits(this.view.getUint16(at)));
      end += 4;
      const place = at & 15;
      if (place > 1 && place < 10) codes[end++] = HYPHEN;
    }
    this.#text = decoder.decode(codes.subarray(0, end));
    this.#at = 0;
  }

  take(): string {
    const start = this.#at;
    this.#at += 36;
    return this.#text.substring(start, this.#at);
  }
}
