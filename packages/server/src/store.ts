// The store as the routes use it: every call has a deadline and is measured, and its failures are `StoreError`s.
import { isKazahanaError } from 'kazahana';
import {
  type CallOptions,
  type Environment,
  type InspectedPool,
  type LeaseInspector,
  type LeaseProvider,
  StoreError,
  within,
} from 'kazahana/lease';
import type { Metrics } from './metrics.js';

export interface Store extends LeaseProvider, LeaseInspector {
  /** Throws when the store cannot be written; nothing of the pool changes. Without it, reading has to do. */
  checkWritable?(pool?: string): Promise<void>;
}

/** Less than a client waits, so that it gets the reason and not only a timeout. */
const DEADLINE_MS = 4000;

/** Calls the store, and gives up when it does not respond. */
export type CallStore = <Result>(
  operation: string,
  use: (store: Store, call: Pick<CallOptions, 'signal'>) => Promise<Result>,
  deadlineMs?: number,
) => Promise<Result>;

export function measured(store: Store, { storeSeconds }: Metrics, environment: Environment): CallStore {
  return async (operation, use, ms = DEADLINE_MS) => {
    const ended = storeSeconds.startTimer({ operation });
    const late = () => new StoreError('STORE_UNAVAILABLE', `no response within ${ms} ms`);
    let result = 'ok';
    try {
      return await within({ environment, ms, late }, async (signal) => use(store, { signal }));
    } catch (cause) {
      const error = isKazahanaError(cause)
        ? cause
        : new StoreError('STORE_UNAVAILABLE', 'the store has failed', { cause });
      if (error instanceof StoreError) result = 'failed';
      throw error;
    } finally {
      ended({ result });
    }
  };
}

/** The totals of a pool, which the store counts, without any lease. */
export function readTotals(callStore: CallStore, name: string): Promise<InspectedPool> {
  return callStore('inspect', (store) => store.inspectPool(name));
}
