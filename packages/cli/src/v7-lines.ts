// UUIDv7s as lines of text, for millions of them: from the generator's bytes straight into one buffer that is used again
// and again, so that nothing is left for the collector. A test holds the text equal to `formatUuid`.
import { UuidV7Generator } from 'kazahana/uuid';

const ID_BYTES = 16;
/** Two x for each byte. */
const LINE = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\n';
const PLACES = Uint8Array.from(LINE.matchAll(/xx/g), ({ index }) => index);
/** The digits of every byte: the first in the low half, the second in the high half. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => {
  const text = byte.toString(16).padStart(2, '0');
  return text.charCodeAt(0) + text.charCodeAt(1) * 256;
});

export class V7Lines {
  readonly #generator: Pick<UuidV7Generator, 'fill'>;
  readonly #ids: Uint8Array;
  readonly #text: Uint8Array;

  /** At most so many at once. */
  constructor(size: number, generator: Pick<UuidV7Generator, 'fill'> = new UuidV7Generator()) {
    this.#generator = generator;
    this.#ids = new Uint8Array(ID_BYTES * size);
    this.#text = new TextEncoder().encode(LINE.repeat(size));
  }

  /** The next lines; valid until the next call. */
  next(count: number): Uint8Array {
    const ids = this.#ids.subarray(0, ID_BYTES * count);
    const text = this.#text;
    this.#generator.fill(ids);
    for (let i = 0; i < ids.length; i++) {
      const digits = DIGITS[ids[i] ?? 0] ?? 0;
      const place = (i >> 4) * LINE.length + (PLACES[i & 15] ?? 0);
      // A cell of one byte keeps the low half.
      text[place] = digits;
      text[place + 1] = digits >> 8;
    }
    return text.subarray(0, LINE.length * count);
  }
}
