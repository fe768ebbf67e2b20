// A sequence of v7s of the caller's own: with its tail, its clock and its source of chance.
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { pooledRandom, type RandomSource } from '../random.js';
import { PAGE_SIZE } from './page.js';
import { limitLead, MAX_COUNTER, stampV7, startV7, takeV7, type V7Sequence } from './v7.js';

const MAX_UNIX_MS = 2 ** 48 - 1;

export interface UuidV7GeneratorOptions {
  /**
   * What follows the counter. `random` (the default): 62 random bits, and a counter that starts each
   * millisecond at a random value. `session`: 46 bits that stay the same for this generator and 16 random
   * ones, and a counter that starts at 0.
   */
  readonly tail?: 'random' | 'session';
  /** The clock, in whole Unix milliseconds. */
  readonly now?: () => number;
  /** Fills and returns the array; asked anew for every ID. The platform's CSPRNG when left out. */
  readonly random?: (bytes: Uint8Array) => Uint8Array;
}

/** A source of the caller's, asked anew for every portion. */
function injectedRandom(random: (bytes: Uint8Array) => Uint8Array): RandomSource {
  return (target, length) => {
    const bytes = random(new Uint8Array(length));
    if (!(bytes instanceof Uint8Array) || bytes.length !== length) {
      throw new InvalidArgumentError('the result of random', `a Uint8Array of ${length} bytes`, bytes);
    }
    target.set(bytes);
  };
}

export class UuidV7Generator {
  readonly #clock: () => number;
  readonly #sequence: V7Sequence;

  constructor({ tail = 'random', now = () => Date.now(), random }: UuidV7GeneratorOptions = {}) {
    const isSession = tail === 'session';
    if (!isSession && tail !== 'random')
      throw new InvalidArgumentError('tail', "'random' or 'session'", tail);
    if (typeof now !== 'function') throw new InvalidArgumentError('now', 'a function', now);
    if (random !== undefined && typeof random !== 'function') {
      throw new InvalidArgumentError('random', 'a function', random);
    }
    this.#clock = () => checkInteger('now', now(), 0, MAX_UNIX_MS);
    // An injected source is asked for each ID, so that its failure is seen by the ID that needed it.
    this.#sequence = random
      ? startV7(injectedRandom(random), 1, isSession)
      : startV7(pooledRandom, PAGE_SIZE, isSession);
  }

  /** The next ID at the clock's time. */
  next(): string {
    return this.#take(limitLead(this.#sequence, this.#clock));
  }

  /** The next ID at a time of the caller's; still greater than all before it. */
  nextAt(unixMs: number): string {
    return this.#take(checkInteger('unixMs', unixMs, 0, MAX_UNIX_MS));
  }

  /** Fills an array with the next IDs, 16 bytes each. */
  fill(bytes: Uint8Array): void {
    if (!(bytes instanceof Uint8Array) || bytes.length % 16 !== 0) {
      throw new InvalidArgumentError('bytes', 'a Uint8Array of 16 bytes each', bytes);
    }
    const sequence = this.#sequence;
    sequence.random(bytes, bytes.length);
    // The IDs made ahead are smaller than those made here, so they must not be handed out any more.
    sequence.page.render(0);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < bytes.length; ) {
      const now = limitLead(sequence, this.#clock);
      this.#checkRoom();
      at += 16 * stampV7(sequence, view, at, (bytes.length - at) / 16, now);
    }
  }

  #take(now: number): string {
    this.#checkRoom();
    return takeV7(this.#sequence, now);
  }

  /** Refuses the ID after the last one that 48 bits of time allow. */
  #checkRoom(): void {
    const { last, page } = this.#sequence;
    if (last.count === MAX_COUNTER && page.isEmpty) checkInteger('unixMs', last.unixMs + 1, 0, MAX_UNIX_MS);
  }
}
