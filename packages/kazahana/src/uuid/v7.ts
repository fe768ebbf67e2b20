// UUID v7, strictly increasing: through bursts within a millisecond, clocks that step back, and counter
// overflow. Functions over plain state, not a class, so that a page which only wants `generateV7` does not ship
// the options of `UuidV7Generator`.
import { drawWords, randomWords } from '../random.js';
import { ClockStalledError } from './errors.js';
import { BEFORE_ALL, MAX_LEAD_MS, type Moment, stepMoment } from './moment.js';
import { UuidPage, writeUuids } from './page.js';

export const MAX_COUNTER = 0xfff;
/** A random start keeps half of the counter as headroom for the millisecond it starts. */
const RANDOM_START_MASK = 0x7ff;
/** A third of a second with the platform's clock. */
const MAX_CLOCK_READS = 10_000_000;

/** Where random words come from. */
export interface RandomSource {
  readonly words: Int32Array;
  /** Where in `words` so many stand that have not been used; when it throws, the sequence has not changed. */
  readonly draw: (count: number) => number;
}

export const POOL: RandomSource = { words: randomWords, draw: drawWords };
/** More would leave too much of the pool unused at its end. */
const MAX_RUN = 256;

/** A sequence of v7s: where it stands, and what it has made ahead. */
export interface V7Sequence {
  readonly random: RandomSource;
  /** Which bits of a random word the counter starts at in a new millisecond. */
  readonly startMask: number;
  readonly page: UuidPage;
  last: Moment;
  /** What the clock said when IDs were last made. */
  clock: number;
  /** The smallest lead since the clock last stepped back. */
  slack: number;
}

export function startV7(random = POOL, startMask = RANDOM_START_MASK): V7Sequence {
  return { random, startMask, page: new UuidPage(), last: BEFORE_ALL, clock: 0, slack: 0 };
}

/** IDs of one millisecond that a sequence has counted, and that are still to be written. */
export interface V7Run {
  /** Their first word. */
  readonly a: number;
  /** The second word of the first; each other has one more. */
  readonly b: number;
  readonly count: number;
  /** Where their random words stand, two for each. */
  readonly start: number;
}

/** Counts up to `room` IDs of one millisecond, as many as random source and counter allow. */
export function stepV7(sequence: V7Sequence, room: number, now: number): V7Run {
  const { random, startMask } = sequence;
  const wanted = Math.min(room, MAX_RUN, random.words.length >> 1);
  // First, since it may fail.
  const start = random.draw(2 * wanted + 1);
  const fresh = (random.words[start] as number) & startMask;
  const [unixMs, first] = stepMoment(sequence.last, now, fresh, MAX_COUNTER);
  const count = Math.min(wanted, MAX_COUNTER + 1 - first);
  sequence.last = [unixMs, first + count - 1];
  return { a: (unixMs / 2 ** 16) | 0, b: (unixMs << 16) | 0x7000 | first, count, start: start + 1 };
}

/**
 * The time for the coming IDs: `now`, or later when they would overflow the counter into a millisecond too far ahead.
 * Then each tick of the clock allows one more. A clock that stepped back leaves a lead, and may be a test's that stands
 * still, so that lead may grow as far as any other.
 */
export function followClock(sequence: V7Sequence, now: number, clock: () => number): number {
  const [unixMs, count] = sequence.last;
  const lead = unixMs - now;
  sequence.slack = Math.max(0, now < sequence.clock ? lead : Math.min(lead, sequence.slack));
  sequence.clock = now;
  if (count < MAX_COUNTER || lead < sequence.slack + MAX_LEAD_MS) return now;
  for (let reads = 0; reads < MAX_CLOCK_READS; reads++) {
    const later = clock();
    if (later !== now) return later;
  }
  throw new ClockStalledError(lead);
}

/**
 * The next ID at the time `now`; with a `clock`, not further ahead of it than allowed. In a burst, a few more of the
 * same millisecond are made with it.
 */
export function takeV7(sequence: V7Sequence, now: number, clock?: () => number): string {
  const { page } = sequence;
  const isNewTime = now > sequence.last[0];
  if (isNewTime || page.isEmpty) {
    const time = clock ? followClock(sequence, now, clock) : now;
    if (isNewTime) page.size = 1;
    const { a, b, count, start } = stepV7(sequence, page.size, time);
    writeUuids(count, a, b, sequence.random.words, start);
    page.render(count);
  }
  return page.take();
}

const shared = startV7();

/** Forgets the last v7 of this program, so that the next follows the clock even when that stepped back. */
export function resetUuidV7(): void {
  Object.assign(shared, startV7());
}

/**
 * A time-ordered UUID, greater than every one this function gave before.
 *
 * ```ts
 * generateV7(); // '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'
 * ```
 */
export function generateV7(): string {
  return takeV7(shared, Date.now(), Date.now);
}

/** The next one for a caller that has just taken one and takes many: the clock is read once a page. */
export function generateAnotherV7(): string {
  return shared.page.isEmpty ? generateV7() : shared.page.take();
}
