// UUIDv7s as lines of text, for millions of them: from the generator's bytes straight into one buffer that is used again
// and again, so that nothing is left for the collector. A test holds the text equal to `formatUuid`.
import { UuidV7Generator } from 'kazahana/uuid';

const ID_BYTES = 16;
/** An x for each digit. */
const LINE = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\n';
/** The codes of both digits of every byte, the first in the upper half. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => {
  const text = byte.toString(16).padStart(2, '0');
  return text.charCodeAt(0) * 256 + text.charCodeAt(1);
});

/** The codes of four digits: the lower 16 bits of `value`. */
function fourDigits(value: number): number {
  return ((DIGITS[(value >> 8) & 0xff] ?? 0) << 16) | (DIGITS[value & 0xff] ?? 0);
}

export class V7Lines {
  readonly #generator: Pick<UuidV7Generator, 'fill'>;
  readonly #ids: DataView<ArrayBuffer>;
  readonly #text: DataView<ArrayBuffer>;

  /** At most so many at once. */
  constructor(size: number, generator: Pick<UuidV7Generator, 'fill'> = new UuidV7Generator()) {
    this.#generator = generator;
    this.#ids = new DataView(new ArrayBuffer(ID_BYTES * size));
    this.#text = new DataView(new TextEncoder().encode(LINE.repeat(size)).buffer);
  }

  /** The next lines; valid until the next call. */
  next(count: number): Uint8Array {
    const ids = this.#ids;
    const text = this.#text;
    this.#generator.fill(new Uint8Array(ids.buffer, 0, ID_BYTES * count));
    // Written out, since a loop over the eight groups takes twice the time.
    for (let id = 0, at = 0; id < ID_BYTES * count; id += ID_BYTES, at += LINE.length) {
      const [a, b, c, d] = [
        ids.getInt32(id),
        ids.getInt32(id + 4),
        ids.getInt32(id + 8),
        ids.getInt32(id + 12),
      ];
      text.setInt32(at, fourDigits(a >> 16));
      text.setInt32(at + 4, fourDigits(a));
      text.setInt32(at + 9, fourDigits(b >> 16));
      text.setInt32(at + 14, fourDigits(b));
      text.setInt32(at + 19, fourDigits(c >> 16));
      text.setInt32(at + 24, fourDigits(c));
      text.setInt32(at + 28, fourDigits(d >> 16));
      text.setInt32(at + 32, fourDigits(d));
    }
    return new Uint8Array(text.buffer, 0, LINE.length * count);
  }
}
