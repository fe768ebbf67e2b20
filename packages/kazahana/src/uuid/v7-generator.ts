// A sequence of v7s of the caller's own: with its tail, its clock and its source of chance.
import { InvalidArgumentError } from '../errors.js';
import { checkUnixMs } from './bounds.js';
import { checkSixteen } from './bytes.js';
import { checkOptions } from './check-options.js';
import { withVariant } from './page.js';
import {
  followClock,
  MAX_COUNTER,
  POOL,
  type RandomSource,
  startV7,
  stepV7,
  takeV7,
  type V7Sequence,
} from './v7.js';

export interface UuidV7GeneratorOptions {
  /**
   * What follows the counter. `random` (the default): 62 random bits, and a counter that starts each
   * millisecond at a random value. `session`: 46 bits that stay the same for this generator and 16 random
   * ones, and a counter that starts at 0.
   */
  readonly tail?: 'random' | 'session';
  /** The clock, in whole Unix milliseconds. */
  readonly now?: () => number;
  /** Fills and returns the array; called anew for every ID. The platform's CSPRNG when left out. */
  readonly random?: (bytes: Uint8Array) => Uint8Array;
}

/** A source of the caller's, called for 16 bytes for every ID; those of the time are not used. */
function injectedRandom(random: (bytes: Uint8Array) => Uint8Array): RandomSource {
  const words = new Int32Array(3);
  return {
    words,
    draw() {
      const bytes = random(new Uint8Array(16));
      checkSixteen('the result of random', bytes);
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      for (let i = 0; i < 3; i++) words[i] = view.getInt32(4 * i + 4);
      return 0;
    },
  };
}

/** A source whose two words for an ID keep the 48 bits of the first ID, and have 16 that are new. */
function sessionOf({ words, draw }: RandomSource): RandomSource {
  let session: readonly [high: number, low: number] | undefined;
  return {
    words,
    draw(count) {
      const start = draw(count);
      session ??= [words[start + 1] as number, words[start + 2] as number];
      for (let at = start + 1; at < start + count; at += 2) {
        words[at] = session[0];
        words[at + 1] = (session[1] & ~0xffff) | ((words[at + 1] as number) & 0xffff);
      }
      return start;
    },
  };
}

export class UuidV7Generator {
  readonly #clock: () => number;
  readonly #sequence: V7Sequence;

  constructor(options: UuidV7GeneratorOptions = {}) {
    checkOptions(options, { tail: '', now: 'function', random: 'function' });
    const { tail = 'random', now = () => Date.now(), random } = options;
    const isSession = tail === 'session';
    if (!isSession && tail !== 'random') {
      throw new InvalidArgumentError('tail', "'random' or 'session'", tail);
    }
    this.#clock = () => checkUnixMs('now', now());
    // An injected source is called for each ID, so that its failure is seen by the ID that needed it.
    const source = random ? injectedRandom(random) : POOL;
    this.#sequence = isSession ? startV7(sessionOf(source), 0) : startV7(source);
  }

  /** The next ID at the clock's time. */
  next(): string {
    const now = this.#clock();
    this.#checkRoom();
    return takeV7(this.#sequence, now, this.#clock);
  }

  /** The next ID at a time of the caller's; still greater than all before it. */
  nextAt(unixMs: number): string {
    checkUnixMs('unixMs', unixMs);
    this.#checkRoom();
    return takeV7(this.#sequence, unixMs);
  }

  /** Fills an array with the next IDs, 16 bytes each. */
  fill(bytes: Uint8Array): void {
    if (!(bytes instanceof Uint8Array) || bytes.length % 16 !== 0) {
      throw new InvalidArgumentError('bytes', 'a Uint8Array of 16 bytes each', bytes);
    }
    const sequence = this.#sequence;
    // The IDs made ahead are smaller than those made here, so they must not be handed out any more.
    sequence.page.render(0);
    const {
      last,
      random: { words },
    } = sequence;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    try {
      for (let at = 0; at < bytes.length; ) {
        const now = followClock(sequence, this.#clock(), this.#clock);
        this.#checkRoom();
        const { a, b, count, start } = stepV7(sequence, (bytes.length - at) / 16, now);
        for (let id = 0; id < count; id++, at += 16) {
          view.setInt32(at, a);
          view.setInt32(at + 4, b + id);
          view.setInt32(at + 8, withVariant(words[start + 2 * id] as number));
          view.setInt32(at + 12, words[start + 2 * id + 1] as number);
        }
      }
    } catch (error) {
      // A clock or a source that failed leaves the sequence as it was.
      sequence.last = last;
      throw error;
    }
  }

  /** Refuses the ID after the last one that 48 bits of time allow. */
  #checkRoom(): void {
    const {
      last: [unixMs, count],
      page,
    } = this.#sequence;
    if (count === MAX_COUNTER && page.isEmpty) checkUnixMs('unixMs', unixMs + 1);
  }
}
