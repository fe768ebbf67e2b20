// Which ID comes next: the one place where time, leases and sequence meet, in one synchronous step. It keeps
// R1 (the timestamp that is checked is the one that is written), R5 (fallback stays in its half and window) and
// R6 (always rising). It reads no clock and knows no provider: `next` is told the time.
import { checkTimestamp } from '../id/timestamp.js';
import type { ClientCounts, ClientReport } from '../lease/report.js';
import { type Pins, RANDOM_BITS, suffixBits } from './config.js';
import type { HeldLease } from './held-lease.js';

/** How far behind the clock the timestamps of a busy client may lag (see `#nextSlowly`). */
const CATCH_UP_MS = 5;
/** A millisecond that was reached by catching up is filled to its end, but not by a caller who comes much later. */
const MAX_LAG_MS = 50;
/** Random runs must be short against the 2^21 suffixes where they can start, or they all start at the same ones. */
const MAX_RANDOM_PER_MS = 4096;

/** Which of the two words of a 64-bit number comes first in memory. */
const HIGH_WORD = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;
const LOW_WORD = 1 - HIGH_WORD;

export type Kind = 'leased' | 'fenced' | 'random';

/** Why no ID can be made now. */
export type Obstacle =
  /** Every suffix of the latest millisecond is used; the next one has not begun. */
  | 'exhausted'
  /** The clock is before the last ID. */
  | 'backward'
  /** Nothing covers the present, but a lease will. */
  | 'early'
  /** Nothing covers the present. */
  | 'uncovered';

/** What may be made without a valid lease. */
export interface Allowed {
  readonly fenced: boolean;
  readonly random: boolean;
}

export const NOTHING: Allowed = { fenced: false, random: false };

/** Suffixes of one millisecond: from here, inclusively, to there, exclusively. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
}

export class Sequencer {
  /** The timestamp and suffix of the last ID; -1 before the first. */
  t = -1;
  suffix = -1;
  kind: Kind = 'leased';
  /** How many ranges were begun: when this is as before, so are the time and the kind of the IDs. */
  ranges = 0;
  /** Milliseconds that have random IDs: each is a draw that can meet another client's. */
  randomMs = 0;

  #pins: Pins;
  /** Sorted by their first suffix: the order of IDs within a millisecond. */
  #leases: readonly HeldLease[] = [];
  #allowed: Allowed = NOTHING;
  /** What is left of the range in use: it was checked to cover `t`, and is only good for that. */
  #next = 0;
  #end = 0;
  /** The first suffix of the range that is not in `#counts` yet: counting each ID apart would cost as much as making it. */
  #uncounted = 0;
  readonly #counts: ClientCounts;
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
  readonly #id = new BigUint64Array(1);
  readonly #words = new Uint32Array(this.#id.buffer);

  constructor(pins: Pins, maxThroughputPerMs: number, counts: ClientCounts, chance: () => number) {
    this.#pins = pins;
    this.#counts = counts;
    this.#randomCap = Math.min(maxThroughputPerMs, MAX_RANDOM_PER_MS);
    this.#chance = chance;
  }

  /** All that the client has counted so far. */
  get totals(): ClientReport {
    this.#countMade();
    return { ...this.#counts };
  }

  get pins(): Pins {
    return this.#pins;
  }

  /** Random IDs are refused in layouts that are too narrow for their odds. */
  get canMakeRandom(): boolean {
    return suffixBits(this.#pins) > RANDOM_BITS;
  }

  /** Replaces what IDs are made from. What is left of a range is looked up anew: it may not be allowed any more. */
  setLeases(leases: readonly HeldLease[], pins: Pins, allowed: Allowed): void {
    this.#leases = [...leases].sort((a, b) => a.start - b.start);
    this.#pins = pins;
    this.#allowed = allowed;
    this.#end = this.#next;
  }

  /** Whether anything may make IDs at `t`, be it used up or not. */
  covers(t: number): boolean {
    const { fenced, random } = this.#allowed;
    return (
      this.#leases.some((lease) => isLeasedAt(lease, t) || (fenced && isFencedAt(lease, t))) ||
      (random && this.canMakeRandom)
    );
  }

  /** Makes the next ID at the given time, or says why there is none without waiting. */
  next(now: number): bigint | Obstacle {
    if (this.#next < this.#end && this.#isCurrent(now)) return this.#make();
    return this.#nextSlowly(now);
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

  #make(): bigint {
    this.suffix = this.#next++;
    this.#words[LOW_WORD] = this.#lowBase + this.suffix;
    return this.#id[0] as bigint;
  }

  #nextSlowly(now: number): bigint | Obstacle {
    if (now < this.t) return 'backward';
    let t = now;
    let isCatchingUp = false;
    // What is left of a range is of the past here: its millisecond was left unfinished.
    if (this.t >= 0 && this.#next >= this.#end) {
      const rest = this.#find(this.t);
      if (rest && this.#isCurrent(now)) return this.#start(this.t, rest, this.#isCatchingUp);
      // An unfinished millisecond is followed by the present; one that was used up by the next one, as long as that is
      // not in the future: so a busy client reaches its ceiling although its timers are late.
      if (!rest && this.covers(this.t)) {
        t = Math.max(this.t + 1, now - CATCH_UP_MS);
        if (t > now) return this.#exhausted();
        // Also when it is the present one: a busy client must not lose the rest of it to the next tick.
        isCatchingUp = true;
      }
    }
    const range = this.#find(t);
    if (range) return this.#start(t, range, isCatchingUp);
    const later = this.#leases.map(({ created }) => created).filter((created) => created > t);
    const begun = later.filter((created) => created <= now).sort((a, b) => a - b);
    for (const at of t < now ? [...begun, now] : begun) {
      const found = this.#find(at);
      if (found) return this.#start(at, found, at < now);
    }
    if (this.covers(now)) return this.#exhausted();
    return later.length > begun.length ? 'early' : 'uncovered';
  }

  /** Whether the last ID's millisecond is still the one to use. */
  #isCurrent(now: number): boolean {
    return now === this.t || (this.#isCatchingUp && now > this.t && now - this.t <= MAX_LAG_MS);
  }

  #exhausted(): Obstacle {
    if (this.#countedExhausted !== this.t) this.#counts.exhaustedMs++;
    this.#countedExhausted = this.t;
    return 'exhausted';
  }

  /**
   * The lowest range at `t` that has a suffix above the last ID's (rule R6): of leases if any is valid, else of leases in
   * their grace, else a random one. A healthy client never uses fallback for lack of sequence.
   */
  #find(t: number): Range | undefined {
    // On the millisecond of the last ID, only suffixes above it are left.
    const first = t === this.t ? this.suffix + 1 : 0;
    const half = 2 ** (suffixBits(this.#pins) - 1);
    const leased = this.#findLease(t, first, 0, 'leased', isLeasedAt);
    if (leased !== 'none') return leased;
    const { fenced, random } = this.#allowed;
    const ended = fenced ? this.#findLease(t, first, half, 'fenced', isFencedAt) : 'none';
    if (ended !== 'none') return ended;
    return random && this.canMakeRandom ? this.#drawRange(t, Math.max(half, first), half) : undefined;
  }

  /** The first range of a lease that counts at `t`; undefined when all are used up, `none` when no lease counts. */
  #findLease(
    t: number,
    first: number,
    offset: number,
    kind: Kind,
    counts: typeof isLeasedAt,
  ): Range | undefined | 'none' {
    let isAny = false;
    for (const lease of this.#leases) {
      if (!counts(lease, t)) continue;
      isAny = true;
      const end = lease.end + offset;
      if (end > first) return { start: Math.max(lease.start + offset, first), end, kind };
    }
    return isAny ? undefined : 'none';
  }

  /** A random start, with room for as many IDs as a millisecond may have; never twice in one millisecond. */
  #drawRange(t: number, first: number, half: number): Range | undefined {
    const last = 2 * half - this.#randomCap;
    if (this.#randomT === t || first > last) return undefined;
    const start = first + Math.floor(this.#chance() * (last - first + 1));
    return { start, end: start + this.#randomCap, kind: 'random' };
  }

  #start(t: number, { start, end, kind }: Range, isCatchingUp: boolean): bigint {
    checkTimestamp(t, this.#pins);
    this.#countMade();
    this.ranges++;
    this.#next = this.#uncounted = start;
    this.#end = end;
    this.kind = kind;
    if (kind === 'random') {
      this.#randomT = t;
      this.randomMs++;
    }
    this.t = t;
    this.#isCatchingUp = isCatchingUp;
    const timestamp = t - this.#pins.customEpoch;
    const bits = suffixBits(this.#pins);
    this.#high = Math.floor(timestamp / 2 ** (32 - bits));
    this.#lowBase = (timestamp % 2 ** (32 - bits)) * 2 ** bits;
    this.#words[HIGH_WORD] = this.#high;
    return this.#make();
  }

  #countMade(): void {
    this.#counts[`${this.kind}Ids`] += this.#next - this.#uncounted;
    this.#uncounted = this.#next;
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
