// Token buckets: so many requests a second for each caller, and a burst of as many as two seconds would bring. A request that
// costs more than one is served, and the caller waits longer before its next one.
import type { Environment } from 'kazahana/lease';
import { Refusal, retryAfter } from './problem.js';
import type { Caller } from './tokens.js';

const BURST_SECONDS = 2;

export class RateLimiter {
  readonly #environment: Pick<Environment, 'now'>;
  /** As many as there are tokens: a caller is only ever looked up by the name of one. */
  readonly #buckets = new Map<string, { level: number; at: number }>();

  constructor(environment: Pick<Environment, 'now'>) {
    this.#environment = environment;
  }

  /** Takes one request from a caller's bucket, or refuses it and says when to come again. */
  take({ name, token }: Caller): void {
    if (!token || token.requestsPerSecond === Number.POSITIVE_INFINITY) return;
    const { requestsPerSecond: perSecond } = token;
    const now = this.#environment.now();
    const full = Math.max(1, perSecond * BURST_SECONDS);
    const bucket = this.#buckets.get(name) ?? { level: full, at: now };
    // A clock that steps back fills no bucket.
    const level = Math.min(full, bucket.level + (Math.max(0, now - bucket.at) * perSecond) / 1000);
    if (level < 1) {
      const retryAfterMs = Math.ceil(((1 - level) * 1000) / perSecond);
      this.#buckets.set(name, { level, at: now });
      const detail = `more than ${perSecond} requests a second`;
      throw new Refusal(429, 'RATE_LIMITED', detail, { retryAfterMs }, retryAfter(retryAfterMs));
    }
    this.#buckets.set(name, { level: level - 1, at: now });
  }

  /** Charges a caller for as many requests more, after one was taken: it may owe them. */
  charge({ name }: Caller, requests: number): void {
    const bucket = this.#buckets.get(name);
    if (bucket) bucket.level -= requests;
  }
}
