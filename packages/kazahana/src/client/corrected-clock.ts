// The environment's clock, put right by the store's when it is far off.
import type { Environment } from '../environment.js';
import type { RoundTrip } from './acquirer.js';

/** Within this of the store's time, beyond the round trip, a clock is left as it is. */
const TOLERANCE_MS = 1000;

export class CorrectedClock {
  offset = 0;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  now(): number {
    return this.#environment.now() + this.offset;
  }

  /** Compares with the store's time of an answer; true when the clock was off by too much and is now corrected. */
  correct(storeNow: number, { sent, received }: RoundTrip): boolean {
    const isBehind = storeNow > received + this.offset + TOLERANCE_MS;
    const isAhead = storeNow < sent + this.offset - TOLERANCE_MS;
    if (!Number.isSafeInteger(storeNow) || !(isBehind || isAhead)) return false;
    this.offset = storeNow - received;
    return true;
  }
}
