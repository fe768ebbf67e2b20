// IDs for programs that have no client of their own: one client for each pool, which never falls back.
import {
  ClientClosedError,
  ClockBackwardError,
  KazahanaClient,
  LeaseAcquisitionError,
  NextIdTimeoutError,
} from 'kazahana';
import { type Environment, type LeaseProvider, PoolExhaustedError, StoreError } from 'kazahana/lease';
import { Refusal, retryAfter } from './problem.js';

/** One lease, whatever the layout: 256 IDs a millisecond with the default one, and who wants more waits for them. */
const THROUGHPUT_PER_MS = 1;
const WAIT_MS = 2000;

export class Minter {
  readonly #provider: LeaseProvider;
  readonly #environment: Environment;
  readonly #clients = new Map<string, KazahanaClient>();

  constructor(provider: LeaseProvider, environment: Environment) {
    this.#provider = provider;
    this.#environment = environment;
  }

  /** So many IDs of a pool, rising, for the service that asks. */
  async mint(pool: string, serviceId: string, count: number): Promise<bigint[]> {
    let client = this.#clients.get(pool);
    if (!client) {
      client = new KazahanaClient({
        provider: this.#provider,
        serviceId,
        maxThroughputPerMs: THROUGHPUT_PER_MS,
        disableFallback: true,
        nextIdTimeout: WAIT_MS,
        environment: this.#environment,
      });
      this.#clients.set(pool, client);
    }
    try {
      return await client.nextIds(count);
    } catch (error) {
      throw mintingRefusal(error);
    }
  }

  /** Gives all leases back. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.shutdown()));
    this.#clients.clear();
  }
}

/** Without a lease there are no IDs; the reason is the pool's, when it gave one. */
function mintingRefusal(error: unknown): unknown {
  if (error instanceof LeaseAcquisitionError) {
    const { cause } = error;
    if (cause instanceof PoolExhaustedError || cause instanceof StoreError) return cause;
  }
  const again = retryAfter(1000);
  if (error instanceof ClockBackwardError)
    return new Refusal(503, 'CLOCK_BACKWARD', 'the clock of the server has stepped back', {}, again);
  if (
    error instanceof LeaseAcquisitionError ||
    error instanceof NextIdTimeoutError ||
    error instanceof ClientClosedError
  ) {
    return new Refusal(503, 'NO_LEASE', 'the server has no lease to make IDs with', {}, again);
  }
  return error;
}
