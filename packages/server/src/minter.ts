// IDs for programs that have no client of their own: one client for each service, which never falls back. Requests are
// served in turns of one millisecond's worth of IDs, so that a small one never waits for a large one to end.
import { type ErrorCode, KazahanaClient } from 'kazahana';
import {
  DEFAULT_SERVICE,
  type Environment,
  type LeaseProvider,
  PoolExhaustedError,
  type ResolvedPools,
  StoreError,
} from 'kazahana/lease';
import { Refusal, retryAfter } from './problem.js';

/** One lease, whatever the layout: 256 IDs a millisecond with the default one, and callers that want more wait for them. */
const THROUGHPUT_PER_MS = 1;
const WAIT_MS = 2000;
/** So many IDs a request gets before the others have their turn; as many cost as much as one request. */
export const IDS_PER_TURN = 256;

export class Minter {
  readonly #provider: LeaseProvider;
  readonly #pools: ResolvedPools;
  readonly #environment: Environment;
  readonly #clients = new Map<string, KazahanaClient>();

  constructor(provider: LeaseProvider, pools: ResolvedPools, environment: Environment) {
    this.#provider = provider;
    this.#pools = pools;
    this.#environment = environment;
  }

  /** So many IDs for a service, rising. */
  async mint(serviceId: string, count: number): Promise<bigint[]> {
    const client = this.#clientOf(serviceId);
    const ids: bigint[] = [];
    try {
      // The client serves its calls in their order: each turn goes behind those of all other requests.
      while (ids.length < count)
        ids.push(...(await client.nextIds(Math.min(IDS_PER_TURN, count - ids.length))));
      return ids;
    } catch (error) {
      throw mintingRefusal(error);
    }
  }

  /** Gives all leases back. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.shutdown()));
    this.#clients.clear();
  }

  /** Services that are not configured share one: callers can invent names without end. */
  #clientOf(name: string): KazahanaClient {
    const serviceId = this.#pools.service(name).isConfigured ? name : DEFAULT_SERVICE;
    const known = this.#clients.get(serviceId);
    if (known) return known;
    const client = new KazahanaClient({
      provider: this.#provider,
      serviceId,
      maxThroughputPerMs: THROUGHPUT_PER_MS,
      disableFallback: true,
      nextIdTimeout: WAIT_MS,
      environment: this.#environment,
      // Each request tells its caller why there are no IDs; the log has the state of the store.
      onWarning: () => {},
    });
    this.#clients.set(serviceId, client);
    return client;
  }
}

/** Without a lease there are no IDs; the reason is the pool's, when it gave one. */
function mintingRefusal(error: unknown): unknown {
  const { code, cause } = Object(error) as { readonly code?: ErrorCode; readonly cause?: unknown };
  const again = retryAfter(1000);
  switch (code) {
    case 'CLOCK_BACKWARD':
      return new Refusal(503, code, 'the clock of the server has stepped back', {}, again);
    case 'LEASE_ACQUISITION':
    case 'NEXT_ID_TIMEOUT':
    case 'CLIENT_CLOSED':
      if (cause instanceof PoolExhaustedError || cause instanceof StoreError) return cause;
      return new Refusal(503, 'NO_LEASE', 'the server has no lease to make IDs with', {}, again);
    default:
      return error;
  }
}
