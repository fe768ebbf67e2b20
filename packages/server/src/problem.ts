// Refusals as RFC 9457 problem+json. Each has a stable `code`; none quotes the request, because secrets pass here.
import { STATUS_CODES } from 'node:http';
import {
  InvalidArgumentError,
  LeaseError,
  OutOfRangeError,
  PoolExhaustedError,
  PoolExistsError,
  PoolMismatchError,
  PoolMissingError,
  StaleSignatureError,
  StoreError,
  TooManyLeasesError,
} from 'kazahana/lease';
import { COMMON_HEADERS } from './response-headers.js';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly members: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

export const retryAfter = (ms: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) });

/** The refusal that an error is for the caller; undefined when the fault is the server's own. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof PoolExhaustedError) {
    const { code, message, pool, retryAfterMs, reason } = error;
    // A quota is a limit of the caller; every other reason is a state of the pool.
    const status = reason === 'the quota is used up' ? 429 : 503;
    return new Refusal(status, code, message, { pool, retryAfterMs, reason }, retryAfter(retryAfterMs));
  }
  if (error instanceof TooManyLeasesError) {
    const { code, message, serviceId, allowed, requested } = error;
    return new Refusal(422, code, message, { serviceId, allowed, requested });
  }
  if (error instanceof PoolMismatchError) {
    const { code, message, what, expected, got } = error;
    return new Refusal(409, code, message, { what, expected, got });
  }
  if (error instanceof PoolMissingError)
    return new Refusal(503, error.code, error.message, { pool: error.pool }, retryAfter(1000));
  if (error instanceof PoolExistsError)
    return new Refusal(409, error.code, error.message, { pool: error.pool });
  if (error instanceof StaleSignatureError) {
    const { code, message, now, toleranceMs } = error;
    return new Refusal(409, code, message, { now, toleranceMs });
  }
  if (error instanceof LeaseError && error.code === 'REPLICAS_BEHIND')
    return new Refusal(503, error.code, error.message, {}, retryAfter(1000));
  if (isStoreFailure(error)) {
    const detail = 'the store of the leases cannot be used now';
    return new Refusal(503, 'STORE_UNAVAILABLE', detail, {}, retryAfter(1000));
  }
  if (error instanceof OutOfRangeError || error instanceof InvalidArgumentError)
    return new Refusal(400, 'INVALID_REQUEST', error.message);
  // The same for both: a caller that guesses must not learn which leases exist.
  if (error instanceof LeaseError && ['LEASE_NOT_FOUND', 'INVALID_SIGNATURE'].includes(error.code))
    return new Refusal(404, 'LEASE_NOT_FOUND', 'there is no such lease, or the signature does not fit it');
  return undefined;
}

/** Whether the store is to blame: it is away, full, busy, may evict leases, or too few of its replicas have them. */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof StoreError) return true;
  return error instanceof LeaseError && ['REPLICAS_BEHIND', 'STORE_MAY_EVICT'].includes(error.code);
}

export const INTERNAL_REFUSAL = new Refusal(500, 'INTERNAL', 'the server has failed; its log knows more');

/** A refusal as the parts of a response. */
export function toProblem({ status, code, detail, members, headers }: Refusal) {
  const problem = { type: 'about:blank', title: STATUS_CODES[status], status, code, detail, ...members };
  return {
    status,
    headers: { ...COMMON_HEADERS, 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(problem),
  };
}
