// The leases that a client has met: installed, released or refused. None is installed or released a second time (rule R8).
import type { LeaseInfo } from '../lease/types.js';

type Met = Pick<LeaseInfo, 'secret' | 'expired' | 'fallbackUntil'>;

export class KnownLeases {
  /** Secrets, and the ends of their last windows. */
  readonly #ends = new Map<string, number>();
  /** The latest end among those that are forgotten. */
  #forgottenUntil = Number.NEGATIVE_INFINITY;

  /** Also a lease that ends no later than a forgotten one: the clock that told to forget that one may have been wrong. */
  has({ secret, expired, fallbackUntil = expired }: Met): boolean {
    return this.#ends.has(secret) || fallbackUntil <= this.#forgottenUntil;
  }

  add({ secret, expired, fallbackUntil = expired }: Met): void {
    this.#ends.set(secret, fallbackUntil);
  }

  /** Forgets the leases that have ended. */
  forget(now: number): void {
    for (const [secret, end] of this.#ends) {
      if (end > now) continue;
      this.#ends.delete(secret);
      this.#forgottenUntil = Math.max(this.#forgottenUntil, end);
    }
  }
}
