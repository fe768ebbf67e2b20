// Asks the provider for leases: one request at a time, each attempt with a deadline, retried with back-off under the
// same request id until it is answered (rule R8). It does not know what a lease is for; the client installs them.
import { ENDED, type Environment, randomHex } from '../environment.js';
import type { AcquireOptions, AcquireResponse, LeaseProvider } from '../lease/types.js';
import type { ClientSettings } from './config.js';
import { BadAnswerError } from './errors.js';

/** The attempt took longer than `acquireTimeout`; its answer is still taken if it comes. */
export class AcquireTimeoutError extends Error {
  override readonly name = 'AcquireTimeoutError';
  readonly code = 'ACQUIRE_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(`the provider did not answer within ${timeoutMs} ms`);
  }
}

/** Forget older requests: a response to one of them is ignored. */
const REMEMBERED_REQUESTS = 1000;

/** When an attempt was sent and answered, by the environment's own clock. */
export interface RoundTrip {
  readonly sent: number;
  readonly received: number;
}

export interface AcquirerHooks {
  /** What to ask for now; a retry has the same request id. */
  options(requestId: string): AcquireOptions;
  /** Takes the answer to the pending request; throws when nothing in it can be used. */
  install(answer: AcquireResponse, trip: RoundTrip): void;
  /** Gets rid of a response whose request is no longer pending. */
  discard(answer: AcquireResponse): void;
  /** Told of every failed attempt; may free something and return true to try again at once. */
  failed(error: unknown): Promise<boolean>;
  /** Something has changed that waiting callers should look at. */
  changed(): void;
}

/** The pause after so many failures in a row: 1, 2, 4 … up to the longest. */
export function backOff(
  failures: number,
  {
    acquireRetryInterval,
    acquireRetryMaxInterval,
  }: Pick<ClientSettings, 'acquireRetryInterval' | 'acquireRetryMaxInterval'>,
): number {
  return Math.min(acquireRetryInterval * 2 ** (failures - 1), acquireRetryMaxInterval);
}

export class Acquirer {
  /** Failed attempts in a row. While there are any, fallback is decided. */
  failures = 0;
  lastError: unknown;

  readonly #provider: LeaseProvider;
  readonly #settings: ClientSettings;
  readonly #environment: Environment;
  readonly #hooks: AcquirerHooks;
  #isClosed = false;
  /** Ends the pause before a retry. */
  #wake = new AbortController();
  /** What sleeps at the moment, to be ended by `close`. */
  readonly #sleeping = new Set<AbortController>();
  #requestId: string | undefined;
  /** The requests that were made, so that answers to others' are told from late ones to ours. */
  readonly #asked = new Set<string>();
  /** Whether an attempt is under way or its retry is waited for. */
  #isBusy = false;

  constructor(provider: LeaseProvider, settings: ClientSettings, hooks: AcquirerHooks) {
    this.#provider = provider;
    this.#settings = settings;
    this.#environment = settings.environment;
    this.#hooks = hooks;
  }

  /** Whether callers may be served from fallback: an attempt has failed since the last success. */
  get hasFailed(): boolean {
    return this.failures > 0;
  }

  /** Begins to acquire, unless that is going on already. */
  start(): void {
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    void this.#run();
  }

  /** Begins to acquire, or makes the next attempt now if that is waited for. */
  hurry(): void {
    this.start();
    this.#wake.abort(ENDED);
  }

  /** Ends all waiting; answers that come later are discarded. */
  close(): void {
    this.#isClosed = true;
    this.#requestId = undefined;
    for (const sleeper of this.#sleeping) sleeper.abort(ENDED);
  }

  async #run(): Promise<void> {
    if (this.#requestId === undefined) this.#newRequest();
    while (this.#requestId !== undefined) {
      const error = await this.#attempt(this.#requestId);
      if (this.#isClosed) return;
      if (error === undefined || this.#requestId === undefined) break;
      this.failures++;
      this.lastError = error;
      const shouldHurry = await this.#hooks.failed(error);
      this.#hooks.changed();
      // What was given up must not come back as the answer to an attempt that still wanted to renew it.
      if (shouldHurry && this.#requestId !== undefined) this.#newRequest();
      if (!shouldHurry) await this.#pause(backOff(this.failures, this.#settings));
      // A late answer may have ended the request in the meantime.
      if (this.#isClosed) return;
      if (this.#requestId === undefined) break;
    }
    this.#isBusy = false;
    this.#hooks.changed();
  }

  /** In the background, and cut short when a late answer arrives. */
  async #pause(ms: number): Promise<void> {
    this.#wake = new AbortController();
    await this.#sleep(ms, this.#wake);
  }

  async #sleep(ms: number, controller: AbortController): Promise<void> {
    if (this.#isClosed) return;
    this.#sleeping.add(controller);
    await this.#environment.sleep(ms, { signal: controller.signal, background: true });
    this.#sleeping.delete(controller);
  }

  /** One call of the provider; resolves to the error that ended the callers' wait, or undefined. */
  #attempt(requestId: string): Promise<unknown> {
    const sent = this.#environment.now();
    const ended = new AbortController();
    return new Promise((resolve) => {
      const end = (error: unknown) => {
        ended.abort(ENDED);
        resolve(error);
      };
      this.#call(requestId).then(
        (answer) => end(this.#receive(answer, requestId, { sent, received: this.#environment.now() })),
        (error: unknown) => end(error ?? new Error('the provider failed without a reason')),
      );
      const { acquireTimeout } = this.#settings;
      void this.#sleep(acquireTimeout, ended).then(() => resolve(new AcquireTimeoutError(acquireTimeout)));
    });
  }

  async #call(requestId: string): Promise<AcquireResponse> {
    return this.#provider.acquire({ ...this.#hooks.options(requestId), requestId });
  }

  /** Installs the answer to the pending request, however late it comes; any other of ours is discarded. */
  #receive(answer: AcquireResponse, requestId: string, trip: RoundTrip): unknown {
    const named = answer?.requestId ?? requestId;
    // A response to another client's request: its leases are in use elsewhere, and must not be released.
    if (!this.#asked.has(named)) return new BadAnswerError('the answer names a request that was never made');
    if (named !== this.#requestId) {
      this.#hooks.discard(answer);
      return this.#requestId === undefined
        ? undefined
        : new BadAnswerError('the answer is to an earlier request');
    }
    try {
      this.#hooks.install(answer, trip);
    } catch (error) {
      // The pool would repeat this answer to the same request.
      this.#newRequest();
      return error;
    }
    this.#requestId = undefined;
    this.failures = 0;
    this.lastError = undefined;
    this.#wake.abort(ENDED);
    this.#hooks.changed();
    return undefined;
  }

  #newRequest(): string {
    const requestId = randomHex(this.#environment, 16);
    this.#requestId = requestId;
    this.#asked.add(requestId);
    for (const oldest of this.#asked) {
      if (this.#asked.size <= REMEMBERED_REQUESTS) break;
      this.#asked.delete(oldest);
    }
    return requestId;
  }
}
