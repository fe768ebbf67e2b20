// A lease in the client's hands: checked once when it arrives (rule R8), and then a range of suffixes with a window.
import { type IdLayout, resolveIdLayout } from '../id/layout.js';
import type { AcquireResponse, LeaseInfo, RenewalClaim } from '../lease/types.js';
import { InvalidLeaseError } from './errors.js';

export interface HeldLease {
  readonly id: number;
  readonly secret: string;
  readonly created: number;
  readonly expired: number;
  readonly fallbackUntil: number;
  readonly layout: IdLayout;
  /** What a store that has lost the lease needs to know of it (rule R7); undefined from a provider without pools. */
  readonly claim: LeaseClaim | undefined;
  /** The suffixes of this lease: from here, inclusively, to there, exclusively. */
  readonly start: number;
  readonly end: number;
  /** IDs a millisecond. */
  readonly throughput: number;
  /** When to renew it. */
  dueAt: number;
  /** Whether the client has released it: then its renewal must not be used (rule R8). */
  isReleased: boolean;
}

/** A lease as its holder describes it when it wants to renew it. */
export type LeaseClaim = Omit<RenewalClaim, 'timestamp' | 'signature'>;

/** Renewals are spread over this part of the time before the threshold, so that a fleet does not renew at once. */
const JITTER = 0.1;

/** Checks a lease of a pool and makes it ready for use; `chance` is a random number from 0 to 1. */
export function holdLease(
  info: LeaseInfo,
  pool: string | undefined,
  threshold: number,
  chance: number,
): HeldLease {
  const { id, created, expired, secret, customEpoch, bitReserve, bitTs, bitId, bitSeq } = info;
  const { fallbackUntil = expired, proof } = info;
  // Throws for widths that do not sum to 64.
  const layout = resolveIdLayout({ customEpoch, bitReserve, bitTs, bitId, bitSeq });
  for (const [name, value] of Object.entries({ id, created, expired, fallbackUntil })) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new InvalidLeaseError(`${name} of a lease must be a whole number, got ${String(value)}`);
    }
  }
  if (typeof secret !== 'string' || secret === '') {
    throw new InvalidLeaseError('secret of a lease must be a string');
  }
  if (created >= expired || expired > fallbackUntil) {
    throw new InvalidLeaseError(
      `a lease from ${created} to ${expired}, with fallback until ${fallbackUntil}, has no window`,
    );
  }
  if (id >= 2 ** (bitId - 1)) {
    throw new InvalidLeaseError(`machine ID ${id} is not in the leased half of ${bitId} bits`);
  }
  const throughput = 2 ** bitSeq;
  const window = { id, bitId, bitSeq, created, expired, fallbackUntil };
  return {
    id,
    secret,
    created,
    expired,
    fallbackUntil,
    layout,
    claim: pool === undefined ? undefined : { pool, ...window, ...(proof !== undefined && { proof }) },
    start: id * throughput,
    end: (id + 1) * throughput,
    throughput,
    dueAt: created + Math.floor((expired - created) * threshold * (1 - JITTER * chance)),
    isReleased: false,
  };
}

/** What may be leases in something that may be a response; none when there are more than `most`. */
export function leasesIn(response: AcquireResponse, most: number): readonly LeaseInfo[] {
  const leases: readonly unknown[] = Array.isArray(response?.leases) ? response.leases : [];
  if (leases.length > most) return [];
  return leases.filter((lease): lease is LeaseInfo => typeof lease === 'object' && lease !== null);
}
