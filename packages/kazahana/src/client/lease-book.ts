// The leases that a client holds and the secrets that it remembers: what is installed, due, handed over, and what
// must never be installed or released a second time (rule R8).
import { PoolMismatchError } from '../lease/errors.js';
import type { AcquireResponse, LeaseInfo } from '../lease/types.js';
import type { Pins } from './config.js';
import { type HeldLease, holdLease } from './held-lease.js';

export class LeaseBook {
  #held: HeldLease[] = [];
  /** Every secret that is or was installed, released or refused, and until when it matters. */
  readonly #known = new Map<string, number>();

  get held(): readonly HeldLease[] {
    return this.#held;
  }

  isKnown({ secret }: Pick<LeaseInfo, 'secret'>): boolean {
    return this.#known.has(secret);
  }

  /** Remembers a lease that is not installed, so that it is dealt with once. */
  remember({ secret, expired, fallbackUntil = expired }: LeaseInfo): void {
    this.#known.set(secret, fallbackUntil);
  }

  /** Installs a lease that is not known yet; refuses one that fails its checks or is of another time line. */
  install(
    info: LeaseInfo,
    pool: string | undefined,
    pins: Pins | undefined,
    threshold: number,
    chance: number,
  ): HeldLease {
    this.remember(info);
    const lease = holdLease(info, pool, threshold, chance);
    for (const name of ['customEpoch', 'bitReserve', 'bitTs'] as const) {
      if (pins !== undefined && lease.pins[name] !== pins[name]) {
        throw new PoolMismatchError(name, pins[name], lease.pins[name]);
      }
    }
    this.#held.push(lease);
    return lease;
  }

  /** Gives leases up for good: they are never used again. */
  giveUp(leases: readonly HeldLease[]): void {
    this.#held = this.#held.filter((lease) => !leases.includes(lease));
  }

  /**
   * Drops leases whose last window has ended, and secrets that can do no harm any more: those of leases that end
   * before the client's last ID, since its IDs rise. The clock alone must not decide, because it may step back.
   */
  prune(now: number, lastT: number): void {
    this.#held = this.#held.filter(({ fallbackUntil }) => now < fallbackUntil);
    for (const [secret, until] of this.#known) if (until <= lastT) this.#known.delete(secret);
  }

  due(now: number): HeldLease[] {
    return this.#held.filter(({ dueAt }) => dueAt <= now);
  }

  /** The IDs a millisecond of valid leases that are not due; those due for renewal do not count. */
  throughput(now: number): number {
    return this.#held
      .filter(({ dueAt, expired }) => now < dueAt && now < expired)
      .reduce((sum, lease) => sum + lease.throughput, 0);
  }

  /** When the next lease is due that is not yet; undefined when there is none. */
  nextDueAt(now: number): number | undefined {
    const later = this.#held.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now);
    return later.length === 0 ? undefined : Math.min(...later);
  }
}

/** What may be leases in something that may be an answer. */
export function leasesIn(answer: AcquireResponse): readonly LeaseInfo[] {
  const leases: readonly unknown[] = Array.isArray(answer?.leases) ? answer.leases : [];
  return leases.filter((lease): lease is LeaseInfo => typeof lease === 'object' && lease !== null);
}
