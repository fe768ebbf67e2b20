// An end for whatever takes too long. All get the same time, so one sleeper watches over all of them and counts, where a
// timer and an abort signal for each would cost more than most calls do; and what is counted are sleeps, so that a
// clock that steps ends nothing.
import type { Environment } from 'kazahana/lease';

/** A call ends after between seven and eight of these. */
const TICKS = 8;

interface Pending {
  ticks: number;
  readonly end: () => void;
}

export class Deadline {
  readonly #environment: Environment;
  readonly #tickMs: number;
  readonly #pending = new Set<Pending>();
  #isWatching = false;

  constructor(ms: number, environment: Environment) {
    this.#tickMs = ms / TICKS;
    this.#environment = environment;
  }

  /** The outcome of the work; or, when it takes too long, the error, which the work's signal then has as its reason. */
  within<Result>(work: (signal: AbortSignal) => Promise<Result>, late: () => Error): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const stop = new AbortController();
      const pending = {
        ticks: 0,
        end: () => {
          const error = late();
          stop.abort(error);
          reject(error);
        },
      };
      this.#pending.add(pending);
      if (!this.#isWatching) void this.#watch();
      const settle =
        <Value>(settled: (value: Value) => void) =>
        (value: Value) => {
          this.#pending.delete(pending);
          settled(value);
        };
      work(stop.signal).then(settle(resolve), settle(reject));
    });
  }

  /** Counts for as long as anybody waits. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#pending.size > 0) {
      await this.#environment.sleep(this.#tickMs, { background: true });
      for (const pending of this.#pending) {
        pending.ticks++;
        if (pending.ticks < TICKS) continue;
        this.#pending.delete(pending);
        pending.end();
      }
    }
    this.#isWatching = false;
  }
}
