// UUID v7, strictly increasing: through bursts within a millisecond, clocks that step back, and counter
// overflow. Functions over plain state, not a class, so that a page which only wants `generateV7` does not ship
// the options of `UuidV7Generator`.
import { drawWords, randomWords } from '../random.js';
import { ClockStalledError } from './errors.js';
import { BEFORE_ALL, type Moment, stepMoment } from './moment.js';
import { UuidPage, withVariant, writeUuid } from './page.js';

export const MAX_COUNTER = 0xfff;
/** A random start keeps half of the counter as headroom for the millisecond it starts. */
const RANDOM_START_MASK = 0x7ff;
/** How far bursts beyond 4,096 a millisecond may run ahead of the clock. */
const MAX_LEAD_MS = 1000;
/** A third of a second with the platform's clock. */
const MAX_CLOCK_READS = 10_000_000;

/** Where random words come from. */
export interface RandomSource {
  readonly words: Int32Array;
  /** Where in `words` so many stand that have not been used; when it throws, the sequence has not changed. */
  readonly draw: (count: number) => number;
  /** For how many IDs it may be asked at once. */
  readonly maxIds: number;
}

const POOL: RandomSource = { words: randomWords, draw: drawWords, maxIds: 256 };

/** A sequence of v7s: where it stands, and what it has made ahead. */
export interface V7Sequence {
  readonly random: RandomSource;
  /** Whether the 48 bits after the counter stay those of the first ID, and the counter starts at 0. */
  readonly isSession: boolean;
  readonly page: UuidPage;
  last: Moment;
  session?: readonly [high: number, low: number];
  /** What the clock said when IDs were last made. */
  clock: number;
  /** The smallest lead since the clock last stepped back. */
  slack: number;
}

export function startV7(isSession = false, random = POOL): V7Sequence {
  return { random, isSession, page: new UuidPage(), last: BEFORE_ALL, clock: 0, slack: 0 };
}

/**
 * Writes up to `room` IDs of one millisecond, as many as random source and counter allow, and returns how many: as
 * bytes into `target`, or as text into the coming page. Random words are drawn first, since that may fail.
 */
export function stampV7(sequence: V7Sequence, room: number, now: number, target?: DataView, at = 0): number {
  const { isSession, last, random } = sequence;
  const { words } = random;
  const wanted = Math.min(room, random.maxIds);
  let drawn = random.draw(2 * wanted + 1);
  const fresh = isSession ? 0 : (words[drawn] as number) & RANDOM_START_MASK;
  const { unixMs, count: first } = stepMoment(last, now, fresh, MAX_COUNTER);
  const made = Math.min(wanted, MAX_COUNTER + 1 - first);
  const time = Math.floor(unixMs / 0x10000);
  for (let id = 0; id < made; id++) {
    const rest = (unixMs << 16) | 0x7000 | (first + id);
    let high = words[++drawn] as number;
    let low = words[++drawn] as number;
    if (isSession) {
      sequence.session ??= [high, low];
      high = sequence.session[0];
      low = (sequence.session[1] & ~0xffff) | (low & 0xffff);
    }
    if (target) {
      target.setInt32(at + 16 * id, time);
      target.setInt32(at + 16 * id + 4, rest);
      target.setInt32(at + 16 * id + 8, withVariant(high));
      target.setInt32(at + 16 * id + 12, low);
    } else writeUuid(id, time, rest, high, low);
  }
  sequence.last = { unixMs, count: first + made - 1 };
  return made;
}

/**
 * The time for the coming IDs: `now`, or later when they would overflow the counter into a millisecond too far ahead.
 * Then each tick of the clock allows one more. A clock that stepped back leaves a lead, and may be a test's that stands
 * still, so that lead may grow as far as any other.
 */
export function followClock(sequence: V7Sequence, now: number, clock: () => number): number {
  const lead = sequence.last.unixMs - now;
  sequence.slack = Math.max(0, now < sequence.clock ? lead : Math.min(lead, sequence.slack));
  sequence.clock = now;
  if (sequence.last.count < MAX_COUNTER || lead < sequence.slack + MAX_LEAD_MS) return now;
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
  const isNewTime = now > sequence.last.unixMs;
  if (isNewTime || page.isEmpty) {
    const time = clock ? followClock(sequence, now, clock) : now;
    if (isNewTime) page.size = 1;
    page.render(stampV7(sequence, page.size, time));
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
