// The store as the routes use it: every call has a deadline and is measured, and its failures are `StoreError`s.
import {
  type CallOptions,
  type Environment,
  LeaseError,
  type LeaseInspector,
  type LeaseProvider,
  StoreError,
} from 'kazahana/lease';
import { Deadline } from './deadline.js';
import type { Metrics } from './metrics.js';
import { seconds } from './stopwatch.js';

export type Store = LeaseProvider & LeaseInspector;

/** Less than a client waits, so that it hears the reason and not only silence. */
const DEADLINE_MS = 4000;

export class MeasuredStore {
  readonly #store: Store;
  readonly #metrics: Metrics;
  readonly #deadline: Deadline;

  constructor(store: Store, metrics: Metrics, environment: Environment) {
    this.#store = store;
    this.#metrics = metrics;
    this.#deadline = new Deadline(DEADLINE_MS, environment);
  }

  /** Calls the store, and gives up when it does not answer. */
  async call<Result>(
    operation: string,
    use: (store: Store, call: Pick<CallOptions, 'signal'>) => Promise<Result>,
  ): Promise<Result> {
    const started = seconds();
    let isFine = true;
    try {
      return await this.#deadline.within(async (signal) => use(this.#store, { signal }), silence);
    } catch (error) {
      if (error instanceof StoreError || !isOurs(error)) isFine = false;
      throw isOurs(error)
        ? error
        : new StoreError('STORE_UNAVAILABLE', 'the store has failed', { cause: error });
    } finally {
      this.#metrics.storeCalled(operation, isFine, seconds() - started);
    }
  }
}

const silence = () => new StoreError('STORE_UNAVAILABLE', `no answer within ${DEADLINE_MS} ms`);

/** Errors that a provider throws on purpose, all of which have a code. */
function isOurs(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof LeaseError || code === 'INVALID_ARGUMENT' || code === 'OUT_OF_RANGE';
}
