// The errors of the client.

export class ClockBackwardError extends Error {
  override readonly name = 'ClockBackwardError';
  readonly code = 'CLOCK_BACKWARD';

  constructor(
    readonly backwardMs: number,
    /** How long the call that failed may wait for the clock. */
    readonly limitMs: number,
    limit = `limit: ${limitMs}ms`,
  ) {
    super(
      `Clock moved backward by ${backwardMs}ms (${limit}). Check NTP configuration or system time settings.`,
    );
  }
}

/** No lease could be had, and no fallback is allowed or possible. */
export class LeaseAcquisitionError extends Error {
  override readonly name = 'LeaseAcquisitionError';
  readonly code = 'LEASE_ACQUISITION';

  /** `isRefusal`: the provider said no, which random IDs must not hide. */
  constructor(
    override readonly cause: unknown,
    readonly isRefusal = false,
  ) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    const why = isRefusal ? 'the provider refuses it' : 'fallback is disabled or not possible';
    super(`Failed to acquire lease and ${why}${reason}`);
  }
}

/** There is no provider to lease from, and fallback is disabled. */
export class NoProviderError extends Error {
  override readonly name = 'NoProviderError';
  readonly code = 'NO_PROVIDER';

  constructor() {
    super('No provider configured and fallback is disabled');
  }
}

/** `nextIdSync` cannot wait for what is missing: a lease, its beginning, or the next millisecond. */
export class ClientNotReadyError extends Error {
  override readonly name = 'ClientNotReadyError';
  readonly code = 'CLIENT_NOT_READY';

  constructor(reason: string) {
    super(`no ID can be made without waiting: ${reason}`);
  }
}

export class ClientClosedError extends Error {
  override readonly name = 'ClientClosedError';
  readonly code = 'CLIENT_CLOSED';

  constructor() {
    super('the client was shut down');
  }
}

/** A caller waited for longer than `nextIdTimeout`. */
export class NextIdTimeoutError extends Error {
  override readonly name = 'NextIdTimeoutError';
  readonly code = 'NEXT_ID_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(`no ID within ${timeoutMs} ms`);
  }
}

/** The attempt took longer than `acquireTimeout`; its response is still taken if it comes. */
export class AcquireTimeoutError extends Error {
  override readonly name = 'AcquireTimeoutError';
  readonly code = 'ACQUIRE_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(`the provider did not respond within ${timeoutMs} ms`);
  }
}

/** A lease that no pool of ours grants: its widths, window or machine ID are impossible. */
export class InvalidLeaseError extends Error {
  override readonly name = 'InvalidLeaseError';
  readonly code = 'INVALID_LEASE';
}

/** A response of the provider that cannot be used. */
export class UnusableResponseError extends Error {
  override readonly name = 'UnusableResponseError';
  readonly code = 'UNUSABLE_RESPONSE';
}
