// Tells a refusal from an outage. A refusal is a provider that says no: the same request gets the same response until an
// operator mends something. An outage passes. A client makes random IDs in an outage, and none when it is refused.
import type { ErrorCode } from '../error-codes.js';

/** The codes of refusals, wherever they come from. */
const REFUSALS: ReadonlySet<unknown> = new Set<ErrorCode>([
  'INVALID_ARGUMENT',
  'OUT_OF_RANGE',
  'INVALID_LAYOUT',
  'INVALID_LEASE',
  'POOL_MISMATCH',
  'POOL_MISSING',
  'TOO_MANY_LEASES',
  'STORE_REFUSED',
  'STORE_CLOSED',
  'STORE_INCOMPATIBLE',
  'STORE_MAY_EVICT',
]);

/** Statuses of HTTP that pass: the request came too slowly, too early, or too often. */
const PASSING: readonly unknown[] = [408, 425, 429];

/**
 * Whether a provider's error is a refusal. A provider of your own says so with a property `isRefusal` of its error. An
 * error without it is a refusal by its HTTP `status` (3xx and 4xx, not 408, 425 and 429) or by its `code`; any other error
 * is an outage.
 *
 * ```ts
 * isRefusal(Object.assign(new Error('wrong password'), { isRefusal: true })); // → true
 * isRefusal(new Error('connection refused')); // → false
 * ```
 */
export function isRefusal(error: unknown): boolean {
  const { isRefusal, status, code } = Object(error) as Readonly<Record<string, unknown>>;
  if (typeof isRefusal === 'boolean') return isRefusal;
  if (typeof status === 'number') return status >= 300 && status < 500 && !PASSING.includes(status);
  return REFUSALS.has(code);
}

/** How long a provider's error asks its caller to wait, in milliseconds; undefined when it does not say. */
export function retryAfterOf(error: unknown): number | undefined {
  const { retryAfterMs } = Object(error) as Readonly<Record<string, unknown>>;
  const isTime = typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0;
  return isTime ? retryAfterMs : undefined;
}
