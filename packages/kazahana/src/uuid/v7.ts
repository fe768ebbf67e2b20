// UUID v7, strictly increasing: through bursts within a millisecond, clocks that step back, and counter
// overflow. The state transition is one pure function, `stepV7`; the class around it reads clock and chance.
import { checkInteger, InvalidArgumentError, OutOfRangeError } from '../errors.js';
import { ClockStalledError } from './errors.js';
import { PAGE_SIZE, UuidPage } from './page.js';
import { injectedRandom, pooledRandom, type RandomSource } from './random.js';

const MAX_UNIX_MS = 2 ** 48 - 1;
const MAX_COUNTER = 0xfff;
/** A random start keeps half of the counter as headroom for the millisecond it starts. */
const RANDOM_START_MASK = 0x7ff;
/** How far bursts beyond 4,096 a millisecond may run ahead of the clock. */
const MAX_LEAD_MS = 1000;
/** About half a second of reading a clock that does not move. */
const MAX_CLOCK_READS = 10_000_000;
const SESSION_BYTES = 6;

export interface V7State {
  readonly unixMs: number;
  readonly counter: number;
}

/**
 * The state after one more ID: always greater than before, whatever the clock says.
 * The same millisecond, a clock that stepped back and a full counter are one case.
 */
export function stepV7(last: V7State, now: number, freshCounter: number): V7State {
  if (now > last.unixMs) return { unixMs: now, counter: freshCounter };
  if (last.counter < MAX_COUNTER) return { unixMs: last.unixMs, counter: last.counter + 1 };
  return { unixMs: last.unixMs + 1, counter: freshCounter };
}

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

export class UuidV7Generator {
  readonly #now: () => number;
  readonly #random: RandomSource;
  readonly #tail: 'random' | 'session';
  /** An injected source must be asked for each ID, so that its failure is seen by the ID that needed it. */
  readonly #maxAhead: number;
  readonly #page = new UuidPage();
  #session: Uint8Array | undefined;
  #last: V7State = { unixMs: -1, counter: 0 };
  #ahead = 1;

  constructor(options: UuidV7GeneratorOptions = {}) {
    const { tail = 'random', now = () => Date.now(), random } = options;
    if (tail !== 'random' && tail !== 'session')
      throw new InvalidArgumentError('tail', "'random' or 'session'", tail);
    if (typeof now !== 'function') throw new InvalidArgumentError('now', 'a function', now);
    if (random !== undefined && typeof random !== 'function') {
      throw new InvalidArgumentError('random', 'a function', random);
    }
    this.#tail = tail;
    this.#now = now;
    this.#random = random ? injectedRandom(random) : pooledRandom;
    this.#maxAhead = random ? 1 : PAGE_SIZE;
  }

  /** The next ID at the clock's time. */
  next(): string {
    const now = this.#readClock();
    if (this.#page.isEmpty || now > this.#last.unixMs) this.#renderAhead(this.#limitLead(now));
    return this.#page.take();
  }

  /** The next ID at a time of the caller's; still greater than all before it. */
  nextAt(unixMs: number): string {
    checkInteger('unixMs', unixMs, 0, MAX_UNIX_MS);
    if (this.#page.isEmpty || unixMs > this.#last.unixMs) this.#renderAhead(unixMs);
    return this.#page.take();
  }

  /** Fills an array with the next IDs, 16 bytes each. */
  fill(bytes: Uint8Array): void {
    if (!(bytes instanceof Uint8Array) || bytes.length % 16 !== 0) {
      throw new InvalidArgumentError('bytes', 'a Uint8Array whose length is a multiple of 16', bytes);
    }
    // The IDs rendered ahead are smaller than those made here, so they must not be handed out any more.
    this.#page.clear();
    this.#random(bytes, bytes.length);
    for (let at = 0; at < bytes.length; ) {
      at += 16 * this.#stamp(bytes.subarray(at), this.#limitLead(this.#readClock()));
    }
  }

  #readClock(): number {
    const now = this.#now();
    checkInteger('now', now, 0, MAX_UNIX_MS);
    return now;
  }

  /**
   * Waits when the coming ID would overflow the counter into a millisecond too far ahead. Each tick of the
   * clock allows one more, so that a lead left by a clock that stepped back does not grow, and does not
   * stop the generator until the clock has caught up.
   */
  #limitLead(now: number): number {
    const { unixMs, counter } = this.#last;
    if (counter < MAX_COUNTER || unixMs + 1 - now <= MAX_LEAD_MS) return now;
    for (let reads = 0; reads < MAX_CLOCK_READS; reads++) {
      const later = this.#readClock();
      if (later !== now) return later;
    }
    throw new ClockStalledError(now, unixMs - now);
  }

  /** Makes the next ID and, in a burst, a few more of the same millisecond. */
  #renderAhead(now: number): void {
    const ahead = now > this.#last.unixMs ? 1 : Math.min(this.#ahead * 2, this.#maxAhead);
    const { bytes } = this.#page;
    this.#random(bytes, 16 * ahead);
    this.#page.render(this.#stamp(bytes.subarray(0, 16 * ahead), now));
    this.#ahead = ahead;
  }

  /**
   * Turns random bytes into IDs of one millisecond, as many as there is room for and the counter allows, and
   * returns how many. This is where the state changes, and nothing after that can fail.
   */
  #stamp(bytes: Uint8Array, now: number): number {
    const isSession = this.#tail === 'session';
    const session = isSession ? this.#sessionBytes() : undefined;
    const fresh = isSession ? 0 : (((bytes[6] as number) << 8) | (bytes[7] as number)) & RANDOM_START_MASK;
    const { unixMs, counter: first } = stepV7(this.#last, now, fresh);
    if (unixMs > MAX_UNIX_MS) throw new OutOfRangeError('unixMs', 0, MAX_UNIX_MS, unixMs);
    const count = Math.min(bytes.length / 16, MAX_COUNTER + 1 - first);
    const high = Math.floor(unixMs / 2 ** 32);
    const low = unixMs >>> 0;
    for (let i = 0; i < count; i++) {
      const at = 16 * i;
      const counter = first + i;
      bytes[at] = high >>> 8;
      bytes[at + 1] = high;
      bytes[at + 2] = low >>> 24;
      bytes[at + 3] = low >>> 16;
      bytes[at + 4] = low >>> 8;
      bytes[at + 5] = low;
      bytes[at + 6] = 0x70 | (counter >>> 8);
      bytes[at + 7] = counter;
      if (session) bytes.set(session, at + 8);
      bytes[at + 8] = ((bytes[at + 8] as number) & 0x3f) | 0x80;
    }
    this.#last = { unixMs, counter: first + count - 1 };
    return count;
  }

  #sessionBytes(): Uint8Array {
    if (this.#session === undefined) {
      const session = new Uint8Array(SESSION_BYTES);
      this.#random(session, SESSION_BYTES);
      this.#session = session;
    }
    return this.#session;
  }
}

let shared: UuidV7Generator | undefined;

/**
 * A time-ordered UUID, greater than every one this function gave before.
 *
 * ```ts
 * generateV7(); // '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'
 * ```
 */
export function generateV7(): string {
  shared ??= new UuidV7Generator();
  return shared.next();
}
