// The leases that a client has met: installed, released or refused. None is installed or released a second time (rule R8).
import type { LeaseInfo } from '../lease/types.js';

/** More than any client meets before they end, unless its server is malicious. */
const MAX_REMEMBERED = 10_000;

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
    // Those that end first are then known by their ends: none is installed twice.
    if (this.#ends.size > MAX_REMEMBERED)
      this.forget([...this.#ends.values()].sort((a, b) => a - b)[MAX_REMEMBERED / 2] ?? 0);
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
