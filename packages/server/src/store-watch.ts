// Whether the store can be read and written: looks at it all the time, so that readiness follows it, and logs each change
// once.
import type { Environment } from 'kazahana/lease';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.js';
import { type CallStore, readTotals } from './store.js';

const INTERVAL_MS = 5000;
const FIRST_RETRY_MS = 250;

export interface StoreWatchOptions {
  readonly callStore: CallStore;
  readonly poolNames: readonly string[];
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly environment: Environment;
}

export class StoreWatch {
  readonly #options: StoreWatchOptions;
  readonly #ended = new AbortController();
  #isUp = false;
  #downSince: number | undefined;
  /** The end of the quarantine of each pool, as it was last seen; 0 without one. */
  readonly #quarantines = new Map<string, number>();

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Looks once; throws when the store is away or contradicts the configuration. */
  async look(): Promise<void> {
    const { callStore, poolNames, metrics } = this.#options;
    try {
      for (const name of poolNames) {
        const pool = await readTotals(callStore, name);
        metrics.poolIs(pool);
        this.#noteQuarantine(name, pool.quarantinedUntil);
        await callStore('probe', async (store) => store.checkWritable?.(name));
      }
      this.#is(true);
    } catch (error) {
      this.#is(false, error);
      throw error;
    }
  }

  /** Looks again and again, sooner while the store is away. */
  async run(): Promise<void> {
    const { environment } = this.#options;
    let retry = FIRST_RETRY_MS;
    while (!this.#ended.signal.aborted) {
      const pause = this.#isUp ? INTERVAL_MS : retry;
      await environment.sleep(pause, { signal: this.#ended.signal, background: true });
      if (this.#ended.signal.aborted) return;
      await this.look().catch(() => undefined);
      retry = this.#isUp ? FIRST_RETRY_MS : Math.min(retry * 2, INTERVAL_MS);
    }
  }

  stop(): void {
    this.#ended.abort();
  }

  /** Logs a quarantine once: one that a client has caused, by what it has seen, would otherwise show in the metrics only. */
  #noteQuarantine(pool: string, until: number): void {
    if (until > 0 && this.#quarantines.get(pool) !== until) {
      this.#options.log.warn({ pool, until }, 'the pool is in quarantine: no grants until then');
    }
    this.#quarantines.set(pool, until);
  }

  #is(isUp: boolean, error?: unknown): void {
    const { metrics, log, environment } = this.#options;
    metrics.storeUp.set(isUp ? 1 : 0);
    if (!isUp && this.#downSince === undefined) {
      this.#downSince = environment.now();
      log.error({ reason: reasonOf(error) }, 'the store cannot be used; trying again until it can');
    }
    if (isUp && this.#downSince !== undefined) {
      log.info({ afterMs: environment.now() - this.#downSince }, 'the store can be used again');
      this.#downSince = undefined;
    }
    this.#isUp = isUp;
  }
}

/** The reasons down to the first cause, in one line. */
export function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  for (let at: unknown = error; at instanceof Error && reasons.length < 5; at = at.cause)
    reasons.push(at.message);
  return reasons.join(': ');
}
