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

  constructor(override readonly cause: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    super(`Failed to acquire lease and fallback is disabled or not possible${reason}`);
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

/** An answer of the provider that cannot be used. */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError';
  readonly code = 'BAD_ANSWER';
}
