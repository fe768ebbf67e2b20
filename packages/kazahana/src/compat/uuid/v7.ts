// v7 with the options and the fields of `uuid`: 48 bits of time, a sequence of 32 bits, 42 random bits. Without options the
// sequence counts on, so IDs strictly increase; 2^31 of them fit into a millisecond, so their times never run ahead.
import { defaultEnvironment } from '../../environment.js';
import { drawWords, randomWords } from '../../random.js';
import { UuidPage, withVariant, writeUuid } from '../../uuid/page.js';
import { textOf } from '../../uuid/text.js';
import { randomOf, writeTo } from './bytes.js';
import type { Version7Options } from './types.js';

/** A random start leaves half of the sequence to count on. */
const RANDOM_START_MASK = 0x7fffffff;
const RANDOM_BITS_OF_WORD = 0x3ff;

/** The words of a v7: time; time, version and sequence; sequence and random bits; random bits. */
const timeWord = (msecs: number) => Math.floor(msecs / 2 ** 16);
const versionWord = (msecs: number, seq: number) => (msecs << 16) | 0x7000 | (seq >>> 20);
const sequenceWord = (seq: number, random: number) => (seq << 10) | (random & RANDOM_BITS_OF_WORD);

const bytes = /* @__PURE__ */ new Uint8Array(16);
const view = /* @__PURE__ */ new DataView(bytes.buffer);

function writeBytes(msecs: number, seq: number, high: number, low: number): void {
  view.setInt32(0, timeWord(msecs));
  view.setInt32(4, versionWord(msecs, seq));
  view.setInt32(8, withVariant(sequenceWord(seq, high)));
  view.setInt32(12, low);
}

/** The last ID of the calls without options, and those made ahead for the same millisecond. */
class Sequence {
  readonly #page = new UuidPage();
  #msecs = Number.NEGATIVE_INFINITY;
  #seq = 0;

  /** The next ID. In a burst, a few more of the same millisecond are made with it. */
  next(): string {
    const now = defaultEnvironment.now();
    const page = this.#page;
    if (now > this.#msecs) page.size = 1;
    else if (!page.isEmpty) return page.take();
    const { size } = page;
    const start = drawWords(3 * size);
    for (let id = 0; id < size; id++) {
      const at = start + 3 * id;
      this.#step(now, randomWords[at] as number);
      const second = versionWord(this.#msecs, this.#seq);
      const third = sequenceWord(this.#seq, randomWords[at + 1] as number);
      writeUuid(id, timeWord(this.#msecs), second, third, randomWords[at + 2] as number);
    }
    page.render(size);
    return page.take();
  }

  /** Writes the next ID into `bytes`. */
  write(): void {
    // The IDs made ahead are smaller than this one, so they must not be handed out any more.
    if (!this.#page.isEmpty) this.#page.render(0);
    const at = drawWords(3);
    this.#step(defaultEnvironment.now(), randomWords[at] as number);
    writeBytes(this.#msecs, this.#seq, randomWords[at + 1] as number, randomWords[at + 2] as number);
  }

  /** A random start in a new millisecond, else one more; past the last one, the next millisecond. */
  #step(now: number, random: number): void {
    if (now > this.#msecs) {
      this.#msecs = now;
      this.#seq = random & RANDOM_START_MASK;
      return;
    }
    this.#seq = (this.#seq + 1) >>> 0;
    if (this.#seq === 0) this.#msecs += 1;
  }
}

let sequence: Sequence | undefined;

export function v7(options?: Version7Options, buf?: undefined, offset?: number): string;
export function v7<TBuf extends Uint8Array = Uint8Array>(
  options: Version7Options | undefined,
  buf: TBuf,
  offset?: number,
): TBuf;
export function v7<TBuf extends Uint8Array>(
  options?: Version7Options,
  buf?: TBuf,
  offset?: number,
): string | TBuf {
  if (!options) {
    sequence ??= new Sequence();
    if (!buf) return sequence.next();
    sequence.write();
    return writeTo(bytes, buf, offset);
  }
  const random = randomOf(options);
  for (let i = 0; i < 16; i++) bytes[i] = random[i] as number;
  const seq = options.seq ?? view.getInt32(6) & RANDOM_START_MASK;
  // The last ten bits of the third word and all of the fourth stay random.
  writeBytes(options.msecs ?? defaultEnvironment.now(), seq, view.getInt32(8), view.getInt32(12));
  return buf ? writeTo(bytes, buf, offset) : textOf(bytes);
}
