// v7 with the options and the fields of `uuid`: 48 bits of time, a sequence of 32 bits, 42 random bits. Without options the
// sequence counts on, so IDs strictly increase; 2^31 of them fit into a millisecond, so their times never run ahead.
import { defaultEnvironment } from '../../environment.js';
import { pooledRandom } from '../../random.js';
import { PAGE_SIZE, UuidPage } from '../../uuid/page.js';
import { textOf } from '../../uuid/text.js';
import { randomOf, writeTo } from './bytes.js';
import type { Version7Options } from './types.js';

/** 31 random bits, so that half of the sequence is left to count on. */
function randomSequence(random: Uint8Array, at = 0): number {
  const [a, b, c, d] = [random[at + 6], random[at + 7], random[at + 8], random[at + 9]] as [
    number,
    number,
    number,
    number,
  ];
  return ((a & 0x7f) << 24) | (b << 16) | (c << 8) | d;
}

/** Turns the random bytes from `at` on into a v7. */
function stamp(bytes: Uint8Array, at: number, msecs: number, seq: number): void {
  bytes[at] = msecs / 2 ** 40;
  bytes[at + 1] = msecs / 2 ** 32;
  bytes[at + 2] = msecs / 2 ** 24;
  bytes[at + 3] = msecs / 2 ** 16;
  bytes[at + 4] = msecs / 2 ** 8;
  bytes[at + 5] = msecs;
  bytes[at + 6] = 0x70 | (seq >>> 28);
  bytes[at + 7] = seq >>> 20;
  bytes[at + 8] = 0x80 | ((seq >>> 14) & 0x3f);
  bytes[at + 9] = seq >>> 6;
  bytes[at + 10] = (seq << 2) | ((bytes[at + 10] as number) & 0b11);
}

/** The last ID of the calls without options, and those made ahead for the same millisecond. */
class Sequence {
  readonly #page = new UuidPage();
  #msecs = Number.NEGATIVE_INFINITY;
  #seq = 0;
  #ahead = 1;

  /** The next ID. In a burst, a few more of the same millisecond are made with it. */
  next(): string {
    const now = defaultEnvironment.now();
    const isNewTime = now > this.#msecs;
    if (isNewTime || this.#page.isEmpty) {
      this.#ahead = isNewTime ? 1 : Math.min(2 * this.#ahead, PAGE_SIZE);
      this.#fill(now, this.#ahead);
      this.#page.render(this.#ahead);
    }
    return this.#page.take();
  }

  /** The bytes of the next ID; to be used before the next call. */
  nextBytes(): Uint8Array {
    // The IDs made ahead are smaller than this one, so they must not be handed out any more.
    if (!this.#page.isEmpty) this.#page.render(0);
    this.#fill(defaultEnvironment.now(), 1);
    return this.#page.bytes;
  }

  #fill(now: number, count: number): void {
    const { bytes } = this.#page;
    pooledRandom(bytes, 16 * count);
    for (let at = 0; at < 16 * count; at += 16) {
      if (now > this.#msecs) {
        this.#msecs = now;
        this.#seq = randomSequence(bytes, at);
      } else {
        this.#seq = (this.#seq + 1) >>> 0;
        if (this.#seq === 0) this.#msecs += 1;
      }
      stamp(bytes, at, this.#msecs, this.#seq);
    }
  }
}

const scratch = /* @__PURE__ */ new Uint8Array(16);
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
    return buf ? writeTo(sequence.nextBytes(), buf, offset) : sequence.next();
  }
  const random = randomOf(options);
  for (let i = 10; i < 16; i++) scratch[i] = random[i] as number;
  stamp(scratch, 0, options.msecs ?? defaultEnvironment.now(), options.seq ?? randomSequence(random));
  return buf ? writeTo(scratch, buf, offset) : textOf(scratch);
}
