// Turns the refusals of a lease server (RFC 9457, application/problem+json) into the errors that a local provider throws,
// by their `code`. The table ERRORS is the only place that knows which code is which error.
import {
  EXHAUSTION_REASONS,
  LeaseError,
  LeaseNotFoundError,
  PoolExhaustedError,
  PoolExistsError,
  PoolMismatchError,
  PoolMissingError,
  StaleSignatureError,
  TooManyLeasesError,
} from '../lease/errors.js';
import { RELEASE_TOLERANCE_MS } from '../lease/rules.js';
import { BadResponseError, parseJson } from './http-response.js';

/** A refusal that is not one of the pool, such as that of a token. */
export class HttpLeaseError extends LeaseError {
  override readonly name = 'HttpLeaseError';

  constructor(
    code: string,
    readonly status: number,
    /** The server's own words. They are not part of the message: they may quote a secret. */
    readonly detail: string | undefined,
    /** Milliseconds to wait before the request is worth repeating, where the server says so. */
    readonly retryAfterMs?: number | undefined,
  ) {
    super(code, `the lease server refuses: ${code}, HTTP status ${status}`);
  }
}

export interface Refusal {
  readonly status: number;
  readonly text: string;
  /** The header of this name. */
  readonly retryAfter: string | null;
  /** The lease of the request, if it names one, and the time that it is signed for. */
  readonly request: { readonly id?: number; readonly timestamp?: number };
  readonly now: number;
}

interface Problem {
  readonly [member: string]: unknown;
}

/** Undefined when the problem lacks what the error must say. */
type MakeError = (problem: Problem, refusal: Refusal) => LeaseError | undefined;

/** The wait for a slot when the server says none. */
const DEFAULT_RETRY_MS = 1000;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const leaseNotFound: MakeError = (_problem, { request }) => new LeaseNotFoundError(request.id ?? -1);

const ERRORS: Readonly<Record<string, MakeError>> = {
  POOL_EXHAUSTED(problem, refusal) {
    const pool = isText(problem.pool) ? problem.pool : 'of the server';
    const reason = EXHAUSTION_REASONS.find((known) => known === problem.reason);
    return new PoolExhaustedError(pool, waitOf(problem, refusal) ?? DEFAULT_RETRY_MS, reason);
  },
  POOL_MISSING: ({ pool }) => (isText(pool) ? new PoolMissingError(pool) : undefined),
  POOL_EXISTS: ({ pool }) => (isText(pool) ? new PoolExistsError(pool) : undefined),
  POOL_MISMATCH: ({ what, expected, got }) =>
    new PoolMismatchError(
      isText(what) ? what : 'the layout',
      expected ?? 'another one',
      got ?? "the server's configuration",
    ),
  TOO_MANY_LEASES({ serviceId, allowed, requested }) {
    if (!isText(serviceId) || !isCount(allowed) || !isCount(requested)) return undefined;
    return new TooManyLeasesError(serviceId, allowed, requested);
  },
  STALE_SIGNATURE({ now, toleranceMs }, { request, now: localNow }) {
    const tolerance = isCount(toleranceMs) ? toleranceMs : RELEASE_TOLERANCE_MS;
    return new StaleSignatureError(request.timestamp ?? localNow, isCount(now) ? now : localNow, tolerance);
  },
  LEASE_NOT_FOUND: leaseNotFound,
  // For a caller these two are one (docs/protocol.md): the difference would tell which leases exist.
  INVALID_SIGNATURE: leaseNotFound,
};

function readProblem({ text, status }: Refusal): Problem & { readonly code: string } {
  let problem: unknown;
  try {
    problem = parseJson(text);
  } catch {
    problem = null;
  }
  const code = typeof problem === 'object' && problem !== null ? (problem as Problem).code : undefined;
  // A lease server always sends a code. A proxy's page or a redirect has none.
  if (!isText(code) || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) {
    throw new BadResponseError(`HTTP status ${status} without a problem that has a code`, status);
  }
  return { ...(problem as Problem), code };
}

/** Milliseconds to wait: the exact member, or the header, which counts seconds or names a date. */
function waitOf({ retryAfterMs }: Problem, { retryAfter, now }: Refusal): number | undefined {
  if (isCount(retryAfterMs)) return retryAfterMs;
  if (retryAfter === null) return undefined;
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

export function problemToError(refusal: Refusal): LeaseError {
  const problem = readProblem(refusal);
  const { code, detail } = problem;
  return (
    // No code is the name of a method that every object has: those have small letters.
    ERRORS[code]?.(problem, refusal) ??
    new HttpLeaseError(code, refusal.status, isText(detail) ? detail : undefined, waitOf(problem, refusal))
  );
}
