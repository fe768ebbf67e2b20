// UUID v7, strictly increasing: through bursts within a millisecond, clocks that step back, and counter
// overflow. Functions over plain state, not a class, so that a page which only wants `generateV7` does not ship
// the options of `UuidV7Generator`.
import { pooledRandom, type RandomSource } from '../random.js';
import { ClockStalledError } from './errors.js';
import { BEFORE_ALL, type Moment, stepMoment } from './moment.js';
import { PAGE_SIZE, stampVariant, UuidPage } from './page.js';

export const MAX_COUNTER = 0xfff;
/** A random start keeps half of the counter as headroom for the millisecond it starts. */
const RANDOM_START_MASK = 0x7ff;
/** How far bursts beyond 4,096 a millisecond may run ahead of the clock. */
const MAX_LEAD_MS = 1000;
/** About half a second of reading a clock that does not move. */
const MAX_CLOCK_READS = 10_000_000;

/** A sequence of v7s: where it stands, and what it has made ahead. */
export interface V7Sequence {
  readonly random: RandomSource;
  /** How many IDs may be made at once in a burst. */
  readonly maxAhead: number;
  /** Whether the 48 bits after the counter stay those of the first ID, and the counter starts at 0. */
  readonly isSession: boolean;
  readonly page: UuidPage;
  last: Moment;
  ahead: number;
  session?: readonly [high: number, low: number];
}

export function startV7(random: RandomSource, maxAhead: number, isSession: boolean): V7Sequence {
  return { random, maxAhead, isSession, page: new UuidPage(), last: BEFORE_ALL, ahead: 1 };
}

/**
 * Turns the random bytes from `at` on into up to `room` IDs of one millisecond, as many as the counter allows,
 * and returns how many. This is where the state changes, and nothing in it can fail.
 */
export function stampV7(sequence: V7Sequence, view: DataView, at: number, room: number, now: number): number {
  const { isSession, last } = sequence;
  const fresh = isSession ? 0 : view.getUint16(at + 6) & RANDOM_START_MASK;
  const { unixMs, count: first } = stepMoment(last, now, fresh, MAX_COUNTER);
  const end = Math.min(first + room, MAX_COUNTER + 1);
  for (let counter = first, id = at; counter < end; counter++, id += 16) {
    view.setUint32(id, unixMs / 0x10000);
    view.setUint16(id + 4, unixMs);
    view.setUint16(id + 6, 0x7000 | counter);
    if (isSession) {
      sequence.session ??= [view.getUint32(id + 8), view.getUint16(id + 12)];
      view.setUint32(id + 8, sequence.session[0]);
      view.setUint16(id + 12, sequence.session[1]);
    }
    stampVariant(view, id);
  }
  sequence.last = { unixMs, count: end - 1 };
  return end - first;
}

/** The next ID at the given time. In a burst, a few more of the same millisecond are made with it. */
export function takeV7(sequence: V7Sequence, now: number): string {
  const { page } = sequence;
  const isNewTime = now > sequence.last.unixMs;
  if (isNewTime || page.isEmpty) {
    const ahead = isNewTime ? 1 : Math.min(sequence.ahead * 2, sequence.maxAhead);
    sequence.random(page.bytes, 16 * ahead);
    page.render(stampV7(sequence, page.view, 0, ahead, now));
    sequence.ahead = ahead;
  }
  return page.take();
}

/**
 * Waits when the coming ID would overflow the counter into a millisecond too far ahead, and returns the time.
 * Each tick of the clock allows one more, so that a lead left by a clock that stepped back does not grow, and
 * does not stop the sequence until the clock has caught up.
 */
export function limitLead({ last, page }: V7Sequence, clock: () => number): number {
  const now = clock();
  const lead = last.unixMs - now;
  if (last.count < MAX_COUNTER || lead < MAX_LEAD_MS || !page.isEmpty) return now;
  for (let reads = 0; reads < MAX_CLOCK_READS; reads++) {
    const later = clock();
    if (later !== now) return later;
  }
  throw new ClockStalledError(lead);
}

let shared: V7Sequence | undefined;

/**
 * A time-ordered UUID, greater than every one this function gave before.
 *
 * ```ts
 * generateV7(); // '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'
 * ```
 */
export function generateV7(): string {
  shared ??= startV7(pooledRandom, PAGE_SIZE, false);
  return takeV7(shared, limitLead(shared, Date.now));
}
