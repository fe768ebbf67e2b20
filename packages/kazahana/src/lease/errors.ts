// The errors of leases. Each has a stable code, which the server's problem+json carries as well.
import type { CodeOf } from '../error-codes.js';

export class LeaseError extends Error {
  override readonly name: string = 'LeaseError';

  constructor(
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/**
 * What is wrong with a store: it does not respond for now, it is too busy, it has no room, it refuses us, it has been
 * closed, or what it holds is not what this version can read. The client has got no lease then. The store may have
 * granted one and its response was lost: the same `requestId` gets it, or it ends by itself.
 */
export type StoreErrorCode = CodeOf<'StoreError'>;

/** A store cannot do its work, whatever the call. */
export class StoreError extends LeaseError {
  override readonly name = 'StoreError';
  declare readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options);
  }
}

/** In quarantine nothing is granted, whatever is given back; a quota leaves the rest of the pool to others. */
export const EXHAUSTION_REASONS = [
  'every slot is held',
  'in quarantine',
  'the quota is used up',
  'the layout is changing',
] as const;
export type ExhaustionReason = (typeof EXHAUSTION_REASONS)[number];

/** Nothing can be granted now: every slot of the pool is held, a quota is used up, or the pool is in quarantine. */
export class PoolExhaustedError extends LeaseError {
  override readonly name = 'PoolExhaustedError';

  constructor(
    readonly pool: string,
    /** Milliseconds until the next slot frees. */
    readonly retryAfterMs: number,
    readonly reason: ExhaustionReason = 'every slot is held',
  ) {
    super('POOL_EXHAUSTED', `pool ${pool}: ${reason}; the next slot frees in ${retryAfterMs} ms`);
  }
}

/** There is no such pool in the store, and this provider was told not to create one. */
export class PoolMissingError extends LeaseError {
  override readonly name = 'PoolMissingError';

  constructor(readonly pool: string) {
    super(
      'POOL_MISSING',
      `pool ${pool} is not in the store: "kazahana pool create --pool ${pool}" makes it where it was never used, ` +
        `"kazahana pool create --pool ${pool} --after-loss" where clients may still hold leases of a lost one`,
    );
  }
}

/** A pool of that name exists; nothing was created. */
export class PoolExistsError extends LeaseError {
  override readonly name = 'PoolExistsError';

  constructor(readonly pool: string) {
    super('POOL_EXISTS', `pool ${pool} is in the store already`);
  }
}

/** A request for more leases than its service allows in one. */
export class TooManyLeasesError extends LeaseError {
  override readonly name = 'TooManyLeasesError';

  constructor(
    readonly serviceId: string,
    readonly allowed: number,
    readonly requested: number,
  ) {
    super(
      'TOO_MANY_LEASES',
      `service ${serviceId} may ask for ${allowed} leases at once, throughputPerMs asks for ${requested}`,
    );
  }
}

/** The signature of a release was not made with the lease's secret. */
export class InvalidSignatureError extends LeaseError {
  override readonly name = 'InvalidSignatureError';

  constructor(readonly id: number) {
    super('INVALID_SIGNATURE', `the signature does not fit lease ${id}`);
  }
}

/** The timestamp of a release is too far from the store's time. */
export class StaleSignatureError extends LeaseError {
  override readonly name = 'StaleSignatureError';

  constructor(
    readonly timestamp: number,
    readonly now: number,
    readonly toleranceMs: number,
  ) {
    super(
      'STALE_SIGNATURE',
      `the timestamp of a release must be within ${toleranceMs} ms of ${now}, got ${timestamp}`,
    );
  }
}

/** No such lease: never granted, released, revoked or ended. */
export class LeaseNotFoundError extends LeaseError {
  override readonly name = 'LeaseNotFoundError';

  constructor(readonly id: number) {
    super('LEASE_NOT_FOUND', `there is no lease of machine ID ${id}`);
  }
}

/** A layout that is not the pool's (rule R4). */
export class PoolMismatchError extends LeaseError {
  override readonly name = 'PoolMismatchError';

  constructor(
    readonly what: string,
    readonly expected: unknown,
    readonly got: unknown,
  ) {
    super('POOL_MISMATCH', `${what} is ${String(expected)} for this pool and cannot be ${String(got)}`);
  }
}
