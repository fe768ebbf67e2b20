// The store as the routes use it: every call has a deadline and is measured, and its failures are `StoreError`s.
import {
  type CallOptions,
  type Environment,
  LeaseError,
  type LeaseInspector,
  type LeaseProvider,
  StoreError,
  within,
} from 'kazahana/lease';
import type { Metrics } from './metrics.js';
import { seconds } from './stopwatch.js';

export interface Store extends LeaseProvider, LeaseInspector {
  /** Throws when the store cannot be written; nothing of the pool changes. Without it, reading has to do. */
  checkWritable?(pool?: string): Promise<void>;
}

/** Less than a client waits, so that it gets the reason and not only a timeout. */
const DEADLINE_MS = 4000;

export class MeasuredStore {
  readonly #store: Store;
  readonly #metrics: Metrics;
  readonly #environment: Environment;

  constructor(store: Store, metrics: Metrics, environment: Environment) {
    this.#store = store;
    this.#metrics = metrics;
    this.#environment = environment;
  }

  /** Calls the store, and gives up when it does not respond. */
  async call<Result>(
    operation: string,
    use: (store: Store, call: Pick<CallOptions, 'signal'>) => Promise<Result>,
    deadlineMs = DEADLINE_MS,
  ): Promise<Result> {
    const started = seconds();
    const late = () => new StoreError('STORE_UNAVAILABLE', `no response within ${deadlineMs} ms`);
    let isFine = true;
    try {
      return await within({ environment: this.#environment, ms: deadlineMs, late }, async (signal) =>
        use(this.#store, { signal }),
      );
    } catch (error) {
      if (error instanceof StoreError || !isOurs(error)) isFine = false;
      throw isOurs(error)
        ? error
        : new StoreError('STORE_UNAVAILABLE', 'the store has failed', { cause: error });
    } finally {
      const result = isFine ? 'ok' : 'failed';
      this.#metrics.storeSeconds.observe({ operation, result }, seconds() - started);
    }
  }
}

/** Errors that a provider throws on purpose, all of which have a code. */
function isOurs(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof LeaseError || code === 'INVALID_ARGUMENT' || code === 'OUT_OF_RANGE';
}
