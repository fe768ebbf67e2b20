// The environment's clock, put right by the store's when it is far off.
import { type Environment, monotonic } from '../environment.js';

/** Within this of the store's time, beyond the round trip, a clock is left as it is. */
export const TOLERANCE_MS = 1000;

export class CorrectedClock {
  offset = 0;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  now(): number {
    return this.#environment.now() + this.offset;
  }

  /** Milliseconds that have passed, whatever the clock says. */
  monotonic(): number {
    return monotonic(this.#environment);
  }

  /**
   * Compares with the store's time of a response whose round trip took so long; true when the clock was off by too much and
   * is now corrected. The round trip is measured apart from the clock, which may have stepped meanwhile.
   */
  correct(storeNow: number, roundTripMs: number): boolean {
    const now = this.now();
    const isBehind = now < storeNow - TOLERANCE_MS;
    const isAhead = now > storeNow + roundTripMs + TOLERANCE_MS;
    if (!Number.isSafeInteger(storeNow) || !(isBehind || isAhead)) return false;
    this.offset += storeNow - now;
    return true;
  }
}
