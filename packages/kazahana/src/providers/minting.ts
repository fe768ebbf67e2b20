// IDs from `POST /ids` of a lease server, for programs that live too short for a lease: a Cloudflare Worker, a function. A batch
// is fetched ahead and refilled in the background, so that most callers do not wait. No promise of one caller is awaited by
// another: workerd forbids it.
import { checkEnvironment, type Environment } from '../environment.js';
import { checkInteger } from '../errors.js';
import type { KazahanaId } from '../id/layout.js';
import { checkOptions } from '../options.js';
import { HttpLeaseProvider, type HttpLeaseProviderOptions } from './http.js';
import { BadResponseError } from './http-response.js';

export interface MintingClientOptions extends Omit<HttpLeaseProviderOptions, 'releaseMethod'> {
  /** The service that the IDs are for; the server's default when left out. */
  readonly serviceId?: string;
  /** How many IDs one request brings; 100 when left out. */
  readonly batchSize?: number;
  /** Milliseconds after which an ID that was fetched ahead is too old to be given out; 10 seconds when left out. */
  readonly maxAge?: number;
}

export interface MintOptions {
  readonly signal?: AbortSignal;
  /** `ctx.waitUntil` of a worker: lets the refill go on after the response. */
  readonly waitUntil?: (refill: Promise<unknown>) => void;
}

const OPTION_NAMES = {
  token: true,
  timeout: true,
  fetch: true,
  environment: true,
  serviceId: true,
  batchSize: true,
  maxAge: true,
} satisfies Record<keyof MintingClientOptions, true>;

const DEFAULT_BATCH = 100;
const MAX_BATCH = 10_000;
const DEFAULT_MAX_AGE_MS = 10_000;
/** A refill starts when less than this part of a batch is left. */
const REFILL_BELOW = 0.5;
const DEFAULT_TIMEOUT_MS = 5000;

interface Batch {
  /** The next ones are at the end. */
  readonly ids: KazahanaId[];
  readonly fetchedAt: number;
}

export class MintingClient {
  readonly #provider: HttpLeaseProvider;
  readonly #environment: Environment;
  readonly #serviceId: string | undefined;
  readonly #batchSize: number;
  readonly #maxAge: number;
  readonly #timeout: number;
  #batches: Batch[] = [];
  /** Until when a batch is expected: the worker's request for it may be gone, so it counts for a time only. */
  #expectedUntil = Number.NEGATIVE_INFINITY;

  constructor(url: string | URL, options: MintingClientOptions = {}) {
    const { serviceId, batchSize, maxAge, ...http } = checkOptions('MintingClient', options, OPTION_NAMES);
    this.#provider = new HttpLeaseProvider(url, http);
    this.#environment = checkEnvironment(http.environment);
    this.#serviceId = serviceId;
    this.#batchSize = checkInteger('batchSize', batchSize ?? DEFAULT_BATCH, 1, MAX_BATCH);
    this.#maxAge = checkInteger('maxAge', maxAge ?? DEFAULT_MAX_AGE_MS, 0, Number.MAX_SAFE_INTEGER);
    this.#timeout = http.timeout ?? DEFAULT_TIMEOUT_MS;
  }

  /** One ID: at once where one was fetched ahead. */
  async nextId({ signal, waitUntil }: MintOptions = {}): Promise<KazahanaId> {
    const id = this.#take();
    if (id === undefined) return this.#fetchFirst(signal);
    if (this.#left() < this.#batchSize * REFILL_BELOW && !this.#isExpected()) {
      // A refill that fails is tried again by the next caller, and seen by the one who finds nothing left.
      const refill = this.#fetchBatch(undefined).catch(() => {});
      waitUntil?.(refill);
    }
    return id;
  }

  /** So many IDs, in one request of their own. */
  async nextIds(count: number, { signal }: MintOptions = {}): Promise<KazahanaId[]> {
    checkInteger('count', count, 0, MAX_BATCH);
    return count === 0 ? [] : this.#fetch(count, signal);
  }

  /** For a caller who found nothing. Where a batch is expected already, this asks for one ID only. */
  async #fetchFirst(signal: AbortSignal | undefined): Promise<KazahanaId> {
    if (!this.#isExpected()) await this.#fetchBatch(signal);
    const id = this.#take() ?? (await this.#fetch(1, signal))[0];
    if (id === undefined) throw new BadResponseError('it has no ID');
    return id;
  }

  async #fetchBatch(signal: AbortSignal | undefined): Promise<void> {
    const { now } = this.#environment;
    this.#expectedUntil = now() + this.#timeout;
    try {
      const fetchedAt = now();
      const ids = await this.#fetch(this.#batchSize, signal);
      this.#batches.push({ ids: ids.reverse(), fetchedAt });
    } finally {
      this.#expectedUntil = Number.NEGATIVE_INFINITY;
    }
  }

  #fetch(count: number, signal: AbortSignal | undefined): Promise<KazahanaId[]> {
    return this.#provider.mintIds(count, { serviceId: this.#serviceId, signal });
  }

  #isExpected(): boolean {
    return this.#environment.now() < this.#expectedUntil;
  }

  #left(): number {
    return this.#batches.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /** The oldest ID that was fetched ahead and is not too old. */
  #take(): KazahanaId | undefined {
    const oldest = this.#environment.now() - this.#maxAge;
    this.#batches = this.#batches.filter(({ ids, fetchedAt }) => ids.length > 0 && fetchedAt >= oldest);
    return this.#batches[0]?.ids.pop();
  }
}
