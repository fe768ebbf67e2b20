// Which ID comes next: the one place where time, leases and sequence meet, in one synchronous step. It keeps
// R1 (the timestamp that is checked is the one that is written), R5 (fallback stays in its half and window) and
// R6 (always rising). It reads no clock and knows no provider: `take` is told the time.
import { checkTimestamp } from '../id/timestamp.js';
import { type Pins, RANDOM_BITS, suffixBits } from './config.js';
import type { HeldLease } from './held-lease.js';

/** How far behind the clock the timestamps of a busy client may lag (see `take`). */
const CATCH_UP_MS = 5;
/** A millisecond that was reached by catching up is filled to its end, but not by a caller who comes much later. */
const MAX_LAG_MS = 50;
/** Random runs must be short against the 2^21 places where they can start, or they all start at the same ones. */
const MAX_RANDOM_PER_MS = 4096;

/** Which of the two words of a 64-bit number comes first in memory. */
const HIGH_WORD = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;
const LOW_WORD = 1 - HIGH_WORD;

export type Kind = 'leased' | 'fenced' | 'random';

/** What came of an attempt to make an ID. */
export type Outcome =
  | 'made'
  /** Every suffix of the latest millisecond is used; the next one has not begun. */
  | 'exhausted'
  /** The clock is before the last ID. */
  | 'backward'
  /** Nothing covers the present, but a lease will. */
  | 'early'
  /** Nothing covers the present. */
  | 'uncovered';

export interface Allowed {
  readonly fenced: boolean;
  readonly random: boolean;
}

export class Sequencer {
  /** The timestamp and suffix of the last ID; -1 before the first. */
  t = -1;
  suffix = -1;
  kind: Kind = 'leased';
  exhaustedMs = 0;

  #pins: Pins;
  /** Sorted by their first suffix: the order of IDs within a millisecond. */
  #leases: readonly HeldLease[] = [];
  /** What is left of the range in use: it was checked to cover `t`, and is only good for that. */
  #next = 0;
  #end = 0;
  /** The first suffix of the range that is not in `#made` yet: counting each ID apart would cost as much as making it. */
  #uncounted = 0;
  readonly #made = { leased: 0, fenced: 0, random: 0 };
  /** Whether `t` was reached by catching up; then it is filled to its end though the clock has passed it. */
  #isCatchingUp = false;
  /** The last millisecond that random IDs were made for; each gets one random start only. */
  #randomT = -1;
  #countedExhausted = -1;
  readonly #randomCap: number;
  readonly #chance: () => number;

  // The high word and the low word's time part of IDs at `t`, so that one addition makes the next.
  #high = 0;
  #lowBase = 0;
  readonly #word = new DataView(new ArrayBuffer(8));

  constructor(pins: Pins, maxThroughputPerMs: number, chance: () => number) {
    this.#pins = pins;
    this.#randomCap = Math.min(maxThroughputPerMs, MAX_RANDOM_PER_MS);
    this.#chance = chance;
  }

  /** How many IDs of each kind have been made. */
  get made(): Readonly<Record<Kind, number>> {
    this.#count();
    return this.#made;
  }

  get pins(): Pins {
    return this.#pins;
  }

  get leases(): readonly HeldLease[] {
    return this.#leases;
  }

  /** Random IDs are refused in layouts that are too narrow for their odds. */
  get canMakeRandom(): boolean {
    return suffixBits(this.#pins) > RANDOM_BITS;
  }

  /** Replaces the leases in use. What was left of a range is looked up anew, since its lease may be gone. */
  setLeases(leases: readonly HeldLease[], pins: Pins): void {
    this.#leases = [...leases].sort((a, b) => a.start - b.start);
    this.#pins = pins;
    this.#end = this.#next;
  }

  /** Makes the next ID at the given time, if one can be made without waiting: its parts are in `t` and `suffix`. */
  take(now: number, allowed: Allowed): Outcome {
    if (now < this.t) return 'backward';
    if (this.#next < this.#end && this.#isCurrent(now)) {
      this.suffix = this.#next++;
      return 'made';
    }
    return this.#takeSlowly(now, allowed);
  }

  /**
   * As many further IDs of the same millisecond as there are at once, up to `count`: written as pairs of 32-bit words in
   * the platform's order, from the pair `at` on, which takes a tenth of the time that bigints take. Returns how many.
   */
  writeMore(count: number, words: Uint32Array, at: number): number {
    const taken = Math.min(this.#end - this.#next, count);
    if (taken <= 0) return 0;
    const [high, low] = [this.#high, this.#lowBase + this.#next];
    for (let i = 0, place = 2 * at; i < taken; i++, place += 2) {
      words[place + LOW_WORD] = low + i;
      words[place + HIGH_WORD] = high;
    }
    this.#next += taken;
    this.suffix = this.#next - 1;
    return taken;
  }

  /** The ID that `take` made. */
  id(): bigint {
    this.#word.setUint32(0, this.#high);
    this.#word.setUint32(4, this.#lowBase + this.suffix);
    return this.#word.getBigUint64(0);
  }

  #takeSlowly(now: number, allowed: Allowed): Outcome {
    let t = now;
    let isCatchingUp = false;
    if (this.t >= 0) {
      const isOpen = this.#open(this.t, this.suffix, allowed);
      if (isOpen && this.#isCurrent(now)) return this.#start(this.t, this.#isCatchingUp);
      // A millisecond that was left unfinished is followed by the present; one that was used up by the next one,
      // as long as that is not in the future: so a busy client reaches its ceiling although its timers are late.
      if (!isOpen && this.#isCovered(this.t, allowed)) {
        t = Math.max(this.t + 1, now - CATCH_UP_MS);
        if (t > now) return this.#exhausted();
        // Also when it is the present one: a busy client must not lose the rest of it to the next tick.
        isCatchingUp = true;
      }
    }
    // On the millisecond of the last ID, only suffixes above it are left.
    const above = (at: number) => (at === this.t ? this.suffix : -1);
    if (this.#open(t, above(t), allowed)) return this.#start(t, isCatchingUp);
    const later = this.#leases.filter(({ created }) => created > t).map(({ created }) => created);
    for (const created of later.filter((at) => at <= now).sort((a, b) => a - b)) {
      if (this.#open(created, above(created), allowed)) return this.#start(created, created < now);
    }
    if (t < now && this.#open(now, above(now), allowed)) return this.#start(now, false);
    if (this.#isCovered(now, allowed)) return this.#exhausted();
    return later.some((created) => created > now) ? 'early' : 'uncovered';
  }

  /** Whether the last ID's millisecond is still the one to use. */
  #isCurrent(now: number): boolean {
    return now === this.t || (this.#isCatchingUp && now - this.t <= MAX_LAG_MS);
  }

  #exhausted(): Outcome {
    if (this.#countedExhausted !== this.t) this.exhaustedMs++;
    this.#countedExhausted = this.t;
    return 'exhausted';
  }

  /** Whether anything may make IDs at `t`, be it used up or not. */
  #isCovered(t: number, allowed: Allowed): boolean {
    return (
      this.#leases.some((lease) => isLeasedAt(lease, t) || (allowed.fenced && isFencedAt(lease, t))) ||
      (allowed.random && this.canMakeRandom)
    );
  }

  /**
   * Finds the lowest range at `t` that has a suffix above the given one (rule R6): of leases if any is valid, else of
   * leases in their grace, else a random one. A healthy client never uses fallback for lack of sequence.
   */
  #open(t: number, above: number, allowed: Allowed): boolean {
    const half = 2 ** (suffixBits(this.#pins) - 1);
    const leased = this.#leases.filter((lease) => isLeasedAt(lease, t));
    if (leased.length > 0) return this.#openFirst(leased, 0, above, 'leased');
    const fenced = allowed.fenced ? this.#leases.filter((lease) => isFencedAt(lease, t)) : [];
    if (fenced.length > 0) return this.#openFirst(fenced, half, above, 'fenced');
    return allowed.random && this.canMakeRandom && this.#openRandom(t, above, half);
  }

  #openFirst(leases: readonly HeldLease[], offset: number, above: number, kind: Kind): boolean {
    const lease = leases.find(({ end }) => end + offset > above + 1);
    if (!lease) return false;
    this.#setRange(Math.max(lease.start + offset, above + 1), lease.end + offset, kind);
    return true;
  }

  /** A random start, with room for as many IDs as a millisecond may have; never twice in one millisecond. */
  #openRandom(t: number, above: number, half: number): boolean {
    const first = Math.max(half, above + 1);
    const last = 2 * half - this.#randomCap;
    if (this.#randomT === t || first > last) return false;
    const start = first + Math.floor(this.#chance() * (last - first + 1));
    this.#setRange(start, start + this.#randomCap, 'random');
    this.#randomT = t;
    return true;
  }

  #setRange(start: number, end: number, kind: Kind): void {
    this.#count();
    this.#next = this.#uncounted = start;
    this.#end = end;
    this.kind = kind;
  }

  #count(): void {
    this.#made[this.kind] += this.#next - this.#uncounted;
    this.#uncounted = this.#next;
  }

  #start(t: number, isCatchingUp: boolean): Outcome {
    try {
      checkTimestamp(t, this.#pins);
    } catch (error) {
      this.#end = this.#next;
      throw error;
    }
    this.t = t;
    this.#isCatchingUp = isCatchingUp;
    const timestamp = t - this.#pins.customEpoch;
    const bits = suffixBits(this.#pins);
    this.#high = Math.floor(timestamp / 2 ** (32 - bits));
    this.#lowBase = (timestamp % 2 ** (32 - bits)) * 2 ** bits;
    this.suffix = this.#next++;
    return 'made';
  }
}

/** Rule R1: `created ≤ t < expired`. */
function isLeasedAt({ created, expired }: HeldLease, t: number): boolean {
  return created <= t && t < expired;
}

/** Rule R5: `expired ≤ t < fallbackUntil`. */
function isFencedAt({ expired, fallbackUntil }: HeldLease, t: number): boolean {
  return expired <= t && t < fallbackUntil;
}
