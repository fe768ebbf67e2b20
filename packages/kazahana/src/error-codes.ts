// Every error of kazahana, once: its stable code, the name of its class, and its cause. The union of codes and the check
// of an error follow from this list; tests hold the classes and docs/errors.md to it.

export const ERROR_CODES = {
  // Arguments
  INVALID_ARGUMENT: ['InvalidArgumentError', 'A value has the wrong type or shape.'],
  OUT_OF_RANGE: ['OutOfRangeError', 'A number is no integer, or outside the allowed range.'],
  INVALID_LAYOUT: [
    'LayoutDefinitionError',
    'A layout leaves bits out, repeats a name, or has impossible limits.',
  ],

  // IDs
  TIMESTAMP_OVERFLOW: [
    'TimestampOverflowError',
    'A time is before the epoch, or past the bits of the timestamp.',
  ],
  EXTERNAL_ID_FORMAT: ['ExternalIdFormatError', 'A string is the external form of no ID.'],
  UUID_FORMAT: ['UuidFormatError', 'A text is no UUID.'],
  UNSUPPORTED_UUID_VERSION: ['UnsupportedUuidVersionError', 'A UUID has a version that is only validated.'],
  HISTORY_FORMAT: ['HistoryFormatError', 'A text is no history of UUIDs.'],
  CLOCK_STALLED: ['ClockStalledError', 'The clock stood still while a generator of UUIDs waited for it.'],
  TIMERS_FAKED: ['TimersFakedError', 'A test has faked the timers, and a caller waits for them in vain.'],

  // Index allocators
  INDEXES_EXHAUSTED: ['IndexesExhaustedError', 'Every index of the range is taken.'],
  INDEX_TAKEN: ['IndexTakenError', 'The index to reserve is taken.'],
  INDEX_NOT_TAKEN: ['IndexNotTakenError', 'The index to release is free.'],
  ALLOCATOR_STATE: ['AllocatorStateError', 'No allocator exported this state.'],

  // The client
  CLOCK_BACKWARD: ['ClockBackwardError', 'The clock stepped back by more than the client can wait for.'],
  LEASE_ACQUISITION: [
    'LeaseAcquisitionError',
    'The client has no lease, and fallback is off or not possible.',
  ],
  NO_PROVIDER: ['NoProviderError', 'The client has no provider, and fallback is off.'],
  CLIENT_NOT_READY: ['ClientNotReadyError', '`nextIdSync` would have to wait.'],
  CLIENT_CLOSED: ['ClientClosedError', 'The client was shut down.'],
  NEXT_ID_TIMEOUT: ['NextIdTimeoutError', 'No ID could be made within `nextIdTimeout`.'],
  ACQUIRE_TIMEOUT: ['AcquireTimeoutError', 'The provider did not respond within `acquireTimeout`.'],
  INVALID_LEASE: ['InvalidLeaseError', 'A lease of the response fails its checks.'],
  UNUSABLE_RESPONSE: ['UnusableResponseError', 'The client can use no lease of the response.'],

  // Leases and pools
  POOL_EXHAUSTED: ['PoolExhaustedError', 'The pool has no free slot for this request now.'],
  POOL_MISSING: ['PoolMissingError', 'The store has no such pool, and the provider may not create it.'],
  POOL_EXISTS: ['PoolExistsError', 'The pool to create is in the store already.'],
  POOL_MISMATCH: ['PoolMismatchError', 'A configured layout is not the layout of the pool.'],
  TOO_MANY_LEASES: [
    'TooManyLeasesError',
    'A request asks for more leases than its service may have at once.',
  ],
  LEASE_NOT_FOUND: ['LeaseNotFoundError', 'The lease was never granted, or has ended.'],
  INVALID_SIGNATURE: ['InvalidSignatureError', "The signature was not made with the lease's secret."],
  STALE_SIGNATURE: ['StaleSignatureError', "The signature's time is too far from the store's time."],

  // Stores
  STORE_UNAVAILABLE: ['StoreError', 'The store does not respond for now.'],
  STORE_BUSY: ['StoreError', 'The store has too much to do.'],
  STORE_FULL: ['StoreError', 'The store has no room left.'],
  STORE_REFUSED: ['StoreError', 'The store does not permit the request.'],
  STORE_CLOSED: ['StoreError', 'The provider or its connection was closed.'],
  STORE_INCOMPATIBLE: ['StoreError', 'The store holds or says what this version cannot read.'],
  STORE_MAY_EVICT: ['EvictingRedisError', 'Redis may evict keys, and with them leases.'],
  REPLICAS_BEHIND: ['ReplicasBehindError', 'Too few replicas of Redis have the lease.'],

  // The lease server, as its HTTP client sees it
  UNREACHABLE: ['LeaseError', 'No lease server could be reached.'],
  TIMEOUT: ['LeaseError', 'The lease server did not respond in time.'],
  BAD_RESPONSE: ['BadResponseError', 'The response is none of a lease server.'],

  // The lease server, in its own words
  INVALID_REQUEST: ['HttpLeaseError', 'The request has a field that is wrong.'],
  INVALID_JSON: ['HttpLeaseError', 'The body is not JSON in UTF-8.'],
  INCOMPLETE_BODY: ['HttpLeaseError', 'The body broke off.'],
  BODY_TOO_LARGE: ['HttpLeaseError', 'The body is larger than the server reads.'],
  UNSUPPORTED_MEDIA_TYPE: ['HttpLeaseError', 'The body is not declared as JSON.'],
  UNAUTHORIZED: ['HttpLeaseError', 'The token is missing or not valid.'],
  FORBIDDEN: ['HttpLeaseError', 'The token does not permit the request.'],
  RATE_LIMITED: ['HttpLeaseError', 'The caller sends requests too fast.'],
  NO_LEASE: ['HttpLeaseError', 'The server has no lease to make IDs with.'],
  POOL_NOT_FOUND: ['HttpLeaseError', 'There is no such pool, or the token is for others.'],
  TOO_MANY_WATCHERS: ['HttpLeaseError', 'Too many callers watch the pools.'],
  NOT_FOUND: ['HttpLeaseError', 'The server has nothing at this path.'],
  METHOD_NOT_ALLOWED: ['HttpLeaseError', 'The path does not take this method.'],
  MISDIRECTED: ['HttpLeaseError', 'The request is for another host name.'],
  MALFORMED_REQUEST: ['HttpLeaseError', 'The request is not HTTP/1.1, or has no valid host or path.'],
  EXPECTATION_FAILED: ['HttpLeaseError', 'The request expects what the server does not know.'],
  REQUEST_TIMEOUT: ['HttpLeaseError', 'The request did not come in time.'],
  HEADERS_TOO_LARGE: ['HttpLeaseError', 'The headers are larger than the server reads.'],
  INTERNAL: ['HttpLeaseError', 'The server failed; its log says why.'],
  INVALID_CONFIG: ['ConfigError', 'A setting of the server is wrong.'],
} as const satisfies Readonly<Record<string, readonly [className: string, cause: string]>>;

/** The `code` of an error of kazahana. It never changes its meaning; new ones may come. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes that errors of one class have. */
export type CodeOf<ClassName extends string> = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code][0] extends ClassName ? Code : never;
}[ErrorCode];

export interface KazahanaError extends Error {
  readonly code: ErrorCode;
}

/**
 * Whether an error is one of kazahana, by its code and its name: so it also knows the errors of another copy of the
 * library. A code that only a newer server knows is not in the list.
 *
 * ```ts
 * isKazahanaError(new RangeError('another')); // → false
 * ```
 */
export function isKazahanaError(error: unknown): error is KazahanaError {
  if (typeof error !== 'object' || error === null) return false;
  const { code, name } = error as Readonly<Record<string, unknown>>;
  return (
    typeof code === 'string' &&
    Object.hasOwn(ERROR_CODES, code) &&
    Object.values(ERROR_CODES).some(([className]) => className === name)
  );
}
