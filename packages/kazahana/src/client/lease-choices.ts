// What a client decides about its leases: what to request and when, what a response replaces, how long to wait after a
// failure. Pure functions over plain data; `leases.ts` does what they say.
import { TooManyLeasesError } from '../lease/errors.js';
import { isRefusal, retryAfterOf } from '../lease/refusal.js';
import { signHold } from '../lease/signature.js';
import type { LeaseInfo, RenewalClaim } from '../lease/types.js';
import type { ClientSettings } from './config.js';
import type { HeldLease } from './held-lease.js';

/** A request must fit into the 16 KiB that a server reads. Further leases are handed over the long way. */
const MAX_CLAIMS = 32;
/** While callers lack a lease, the next attempt follows the last after so long: half of it, and up to as much again by chance. */
const CALLERS_PAUSE_MS = 4000;

/** An attempt has at least so long, however soon the lease expires that it renews: a server that is well needs less. */
const SHORTEST_ATTEMPT_MS = 1000;

type Leases = readonly HeldLease[];

/** The IDs a millisecond of valid leases that are not due; those due for renewal do not count. */
export function throughputOf(held: Leases, now: number): number {
  return held
    .filter(({ dueAt, expired }) => now < dueAt && now < expired)
    .reduce((sum, { throughput }) => sum + throughput, 0);
}

export function dueLeases(held: Leases, now: number): HeldLease[] {
  return held.filter(({ dueAt }) => dueAt <= now);
}

/** What a request asks for. */
export interface Wish {
  readonly throughputPerMs: number;
  /** The leases that the new ones replace. */
  readonly due: Leases;
  /** Those of them that the pool can renew in place. */
  readonly renewed: Leases;
}

export function chooseWish(held: Leases, now: number, maxThroughputPerMs: number): Wish {
  const due = dueLeases(held, now);
  return {
    throughputPerMs: Math.max(1, maxThroughputPerMs - throughputOf(held, now)),
    due,
    renewed: due.filter(({ claim }) => claim !== undefined).slice(0, MAX_CLAIMS),
  };
}

/** What proves to a pool that the client holds these leases, and describes them to a store that has lost them (rule R7). */
export function claimsOf(renewed: Leases, now: number): RenewalClaim[] {
  const timestamp = Math.max(0, now);
  return renewed.flatMap(({ claim, secret, id }) =>
    claim ? [{ ...claim, timestamp, signature: signHold(secret, id, timestamp) }] : [],
  );
}

/** The throughput to ask for instead, when the provider allows fewer leases in one request; undefined when that is none. */
export function throughputWithin(error: unknown, throughputPerMs: number): number | undefined {
  if (!(error instanceof TooManyLeasesError) || !(error.allowed < error.requested)) return undefined;
  // A lease has at least this many IDs a millisecond: `requested` was rounded up.
  const perLease = throughputPerMs / error.requested;
  const allowed = Math.floor(error.allowed * perLease);
  return allowed >= 1 && allowed < throughputPerMs ? allowed : undefined;
}

/** The leases that are done once the new ones have begun: all that were due, or if those are too few, what they renew. */
export function replacedBy(installed: Leases, { due, throughputPerMs }: Wish): HeldLease[] {
  const covered = installed.reduce((sum, { throughput }) => sum + throughput, 0);
  if (covered >= throughputPerMs) return [...due];
  return due.filter((lease) => installed.some((other) => isSameSlot(lease, other)));
}

/** The old leases that can go: all, once every new one has begun; until then they serve. */
export function readyToLeave(held: Leases, outgoing: Leases, now: number): HeldLease[] {
  const staying = held.filter((lease) => !outgoing.includes(lease));
  const haveBegun = staying.length > 0 && staying.every(({ created }) => created <= now);
  return haveBegun ? held.filter((lease) => outgoing.includes(lease)) : [];
}

/** When leases need to be looked after next, should no caller come; infinity when never. */
export function nextLookAt(held: Leases, outgoing: Leases, now: number, retryInterval: number): number {
  const later = held.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > now);
  // The new leases were fewer than the old, or some became due after they were requested.
  const isShort = dueLeases(held, now).some((lease) => !outgoing.includes(lease));
  const beginnings = held.map(({ created }) => created).filter((created) => created > now);
  return Math.min(
    ...later,
    ...(isShort ? [now + retryInterval] : []),
    ...(outgoing.length > 0 ? beginnings : []),
  );
}

type RetryIntervals = Pick<ClientSettings, 'acquireRetryInterval' | 'acquireRetryMaxInterval'>;

/** The pause after so many failures in a row: 1, 2, 4 … up to the longest. */
export function backOff(failures: number, intervals: RetryIntervals): number {
  const { acquireRetryInterval, acquireRetryMaxInterval } = intervals;
  return Math.min(acquireRetryInterval * 2 ** (failures - 1), acquireRetryMaxInterval);
}

/**
 * How long to wait after a failed attempt; and how long if callers lack a lease, who bring the next attempt forward. Chance
 * spreads the attempts of a fleet. What the provider asks for comes before the back-off.
 */
export function retryPause(
  failures: number,
  error: unknown,
  intervals: RetryIntervals,
  chance: number,
): { readonly alone: number; readonly withCallers: number } {
  const { acquireRetryInterval, acquireRetryMaxInterval } = intervals;
  const wished = retryAfterOf(error);
  const alone =
    wished === undefined
      ? backOff(failures, intervals)
      : Math.min(wished + Math.ceil(chance * acquireRetryInterval), acquireRetryMaxInterval);
  return { alone, withCallers: Math.min(alone, (CALLERS_PAUSE_MS * (1 + chance)) / 2) };
}

/**
 * How long an attempt may take. One that renews a lease with a grace is given up when that lease expires: callers get fenced IDs
 * from then on, rather than wait for a server that hangs. A response that comes later still counts.
 */
export function attemptLimit(
  held: Leases,
  now: number,
  { acquireTimeout, allowsFenced }: Pick<ClientSettings, 'acquireTimeout' | 'allowsFenced'>,
): number {
  const ends = held
    .filter(({ expired, fallbackUntil }) => now < expired && expired < fallbackUntil)
    .map(({ expired }) => expired);
  if (!allowsFenced || ends.length === 0) return acquireTimeout;
  return Math.min(acquireTimeout, Math.max(SHORTEST_ATTEMPT_MS, Math.max(...ends) - now));
}

/** Why an attempt failed. */
export interface Failure {
  readonly error: unknown;
  /** The provider said no; otherwise it did not respond, or has nothing now. */
  readonly isRefusal: boolean;
}

/**
 * The state after a failed attempt. A refusal stands until the provider says otherwise: with a lease, or with an error that
 * tells when to come again (a full pool, a store that is away). A request that is lost says nothing.
 */
export function failureOf(error: unknown, before: Failure | undefined): Failure {
  if (isRefusal(error)) return { error, isRefusal: true };
  if (before?.isRefusal && retryAfterOf(error) === undefined) return before;
  return { error, isRefusal: false };
}

/**
 * The most leases that a client takes and holds: more than any provider has reason to grant, since a lease has at least one ID a
 * millisecond. Without a bound, a malicious server could fill the client's memory and keep it busy.
 */
export function mostLeases(maxThroughputPerMs: number): number {
  return Math.max(16, maxThroughputPerMs);
}

export function isSameSlot(a: HeldLease, b: HeldLease): boolean {
  return a.start === b.start && a.end === b.end;
}

export function isSlotOf(held: HeldLease, { id, bitSeq }: LeaseInfo): boolean {
  return held.id === id && held.throughput === 2 ** bitSeq;
}

/** The leases without those that another one of the same slot has replaced: a release of these would change nothing. */
export function newestOfSlots(leases: Leases): HeldLease[] {
  return leases.filter(
    (lease) => !leases.some((other) => isSameSlot(lease, other) && other.created > lease.created),
  );
}
