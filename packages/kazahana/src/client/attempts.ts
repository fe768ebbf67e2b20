// A row of attempts to acquire: how long one may take, and the pauses between them, which callers can cut short. All times
// are monotonic: a step of the clock changes no wait.
import { type Deadline, within } from '../deadline.js';
import { type Environment, endSleep, monotonic } from '../environment.js';
import { AcquireTimeoutError } from './errors.js';

/** A row that does nothing for so long after it should have is given up: a worker ends what one of its requests began. */
const STALLED_MS = 1000;

/** How long a call of the provider may take; its response is still used if it comes later. */
export function timeLimit(environment: Environment, ms: number): Deadline {
  return { environment, ms, late: () => new AcquireTimeoutError(ms) };
}

export class Attempts {
  readonly #environment: Environment;
  #stalledAt = Number.POSITIVE_INFINITY;
  #isHurried = false;
  #endSleep: (() => void) | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get haveStalled(): boolean {
    return monotonic(this.#environment) > this.#stalledAt;
  }

  /** The outcome of an attempt, or the error that it took too long. */
  attempt(ms: number, outcome: Promise<unknown>): Promise<unknown> {
    this.#stalledAt = monotonic(this.#environment) + ms + STALLED_MS;
    return within(timeLimit(this.#environment, ms), () => outcome).catch((error: unknown) => error);
  }

  /** Sleeps before the next attempt: as long as callers let it, or until it is ended. */
  async pause({ alone, withCallers }: { alone: number; withCallers: number }): Promise<void> {
    const callersAt = monotonic(this.#environment) + withCallers;
    this.#isHurried = false;
    await this.#sleep(alone);
    if (this.#isHurried) await this.#sleep(callersAt - monotonic(this.#environment));
  }

  /** A caller lacks a lease: the next attempt comes as soon as one may. */
  hurry(): void {
    if (this.#isHurried) return;
    this.#isHurried = true;
    this.#endSleep?.();
  }

  endPause(): void {
    this.#isHurried = false;
    this.#endSleep?.();
  }

  async #sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    const ended = new AbortController();
    this.#endSleep = () => endSleep(ended);
    this.#stalledAt = monotonic(this.#environment) + ms + STALLED_MS;
    await this.#environment.sleep(ms, { signal: ended.signal, background: true });
    this.#endSleep = undefined;
  }
}
