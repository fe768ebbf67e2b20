// Refusals as RFC 9457 problem+json. Every one has a stable `code`; none quotes what was sent, because secrets pass
// here.
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
import type { Reply } from './reply.js';

/** A refusal that the server itself decides on. */
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

/** What goes over the wire. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

const retryAfter = (ms: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) });

function problem(
  status: number,
  code: string,
  detail: string,
  members: Problem['members'] = {},
  headers: Problem['headers'] = {},
): Problem {
  return { status, code, detail, members, headers };
}

/** The problem that an error is for the caller; undefined when it is none of theirs. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof PoolExhaustedError) {
    const { code, message, pool, retryAfterMs, reason } = error;
    // A quota is a limit of the caller's; everything else is a state of the pool.
    const status = reason === 'the quota is used up' ? 429 : 503;
    return problem(status, code, message, { pool, retryAfterMs, reason }, retryAfter(retryAfterMs));
  }
  if (error instanceof TooManyLeasesError) {
    const { code, message, serviceId, allowed, asked } = error;
    return problem(422, code, message, { serviceId, allowed, asked });
  }
  if (error instanceof PoolMismatchError) {
    const { code, message, what, expected, got } = error;
    return problem(409, code, message, { what, expected, got });
  }
  if (error instanceof PoolMissingError) {
    const { code, message, pool } = error;
    return problem(503, code, message, { pool }, retryAfter(1000));
  }
  if (error instanceof PoolExistsError) return problem(409, error.code, error.message, { pool: error.pool });
  if (error instanceof StaleSignatureError) {
    const { code, message, now, toleranceMs } = error;
    return problem(409, code, message, { now, toleranceMs });
  }
  if (error instanceof StoreError) {
    return problem(
      503,
      'STORE_UNAVAILABLE',
      'the store of the leases cannot be used now',
      {},
      retryAfter(1000),
    );
  }
  if (error instanceof OutOfRangeError || error instanceof InvalidArgumentError) {
    return problem(400, 'INVALID_REQUEST', error.message);
  }
  // To tell a wrong signature from a lease that is not there would tell who guesses which leases there are.
  if (error instanceof LeaseError && ['LEASE_NOT_FOUND', 'INVALID_SIGNATURE'].includes(error.code)) {
    return problem(404, 'LEASE_NOT_FOUND', 'there is no such lease, or the signature does not fit it');
  }
  return undefined;
}

export const INTERNAL_PROBLEM = problem(500, 'INTERNAL', 'the server has failed; its log knows more');

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export function problemReply({ status, code, detail, members, headers }: Problem): Reply {
  const body = { type: 'about:blank', title: TITLES[status] ?? 'Refused', status, code, detail, ...members };
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(body),
  };
}
