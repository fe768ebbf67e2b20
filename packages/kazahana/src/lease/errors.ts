// The errors of leases. Each has a stable code, which the server's problem+json carries as well.

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

/** Every slot of the pool is taken, or the pool is in quarantine. */
export class PoolExhaustedError extends LeaseError {
  override readonly name = 'PoolExhaustedError';

  constructor(
    readonly pool: string,
    /** Milliseconds until the next slot frees. */
    readonly retryAfterMs: number,
    /** In quarantine nothing is granted, whatever is given back. */
    readonly reason: 'every slot is taken' | 'in quarantine' = 'every slot is taken',
  ) {
    super('POOL_EXHAUSTED', `pool ${pool}: ${reason}; the next slot frees in ${retryAfterMs} ms`);
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
    super('LEASE_NOT_FOUND', `there is no lease of machine number ${id}`);
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
