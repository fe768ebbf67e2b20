// Turns what a lease server refuses with (RFC 9457, application/problem+json) into the errors that a local provider
// throws, by their `code`.
import {
  EXHAUSTION_REASONS,
  LeaseError,
  LeaseNotFoundError,
  PoolExhaustedError,
  PoolMismatchError,
  StaleSignatureError,
  TooManyLeasesError,
} from '../lease/errors.js';
import { RELEASE_TOLERANCE_MS } from '../lease/rules.js';
import type { AcquireOptions, ReleaseOptions } from '../lease/types.js';
import { BadResponseError, parseJson } from './http-answer.js';

/** A refusal of the server that is none of the pool's. */
export class HttpLeaseError extends LeaseError {
  override readonly name = 'HttpLeaseError';

  constructor(
    code: string,
    readonly status: number,
    /** The server's own words. They are no part of the message, since what they quote is not ours to judge. */
    readonly detail: string | undefined,
  ) {
    super(code, `the lease server refuses: ${code}, HTTP status ${status}`);
  }
}

export interface Refusal {
  readonly status: number;
  readonly text: string;
  /** The header of this name. */
  readonly retryAfter: string | null;
  readonly request: AcquireOptions | ReleaseOptions;
  readonly now: number;
}

interface Problem {
  readonly [member: string]: unknown;
}

/** What a server that says nothing better gets. */
const DEFAULT_RETRY_MS = 1000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readProblem({ text, status }: Refusal): Problem & { readonly code: string } {
  let problem: unknown;
  try {
    problem = parseJson(text);
  } catch {
    problem = null;
  }
  const code = typeof problem === 'object' && problem !== null ? (problem as Problem).code : undefined;
  // A proxy's page, or a redirect: the server itself always says a code.
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) {
    throw new BadResponseError(`HTTP status ${status} without a problem that has a code`);
  }
  return { ...(problem as Problem), code };
}

/** Milliseconds to wait: the exact member, or the header, which counts seconds or names a date. */
function retryAfterMs({ retryAfterMs }: Problem, { retryAfter, now }: Refusal): number {
  if (isCount(retryAfterMs)) return retryAfterMs;
  if (retryAfter === null) return DEFAULT_RETRY_MS;
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? DEFAULT_RETRY_MS : Math.max(0, ms);
}

export function problemToError(refusal: Refusal): LeaseError {
  const problem = readProblem(refusal);
  const { request, status, now } = refusal;
  const id = 'id' in request ? request.id : -1;
  switch (problem.code) {
    case 'POOL_EXHAUSTED': {
      const pool = typeof problem.pool === 'string' ? problem.pool : 'of the server';
      const reason = EXHAUSTION_REASONS.find((known) => known === problem.reason);
      return new PoolExhaustedError(pool, retryAfterMs(problem, refusal), reason);
    }
    case 'TOO_MANY_LEASES': {
      const { serviceId, allowed, asked } = problem;
      if (typeof serviceId !== 'string' || !isCount(allowed) || !isCount(asked)) break;
      return new TooManyLeasesError(serviceId, allowed, asked);
    }
    case 'POOL_MISMATCH':
      return new PoolMismatchError(
        typeof problem.what === 'string' ? problem.what : 'the layout',
        problem.expected ?? 'another one',
        problem.got ?? "the server's configuration",
      );
    case 'STALE_SIGNATURE': {
      const timestamp = 'timestamp' in request ? request.timestamp : now;
      const tolerance = isCount(problem.toleranceMs) ? problem.toleranceMs : RELEASE_TOLERANCE_MS;
      return new StaleSignatureError(timestamp, isCount(problem.now) ? problem.now : now, tolerance);
    }
    // From outside these two look the same (DESIGN: section 7); a server that tells them apart tells too much.
    case 'INVALID_SIGNATURE':
    case 'LEASE_NOT_FOUND':
      return new LeaseNotFoundError(id);
  }
  const detail = typeof problem.detail === 'string' ? problem.detail : undefined;
  return new HttpLeaseError(problem.code, status, detail);
}
