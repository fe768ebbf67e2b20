// The rules of a pool, as pure functions over plain data: what may be granted, what a release frees, what a store
// that forgot looks like, and what a change of layout does. Every store keeps these; those that run in this process
// call them, those that run elsewhere (Lua, SQL) say the same in their own words and are tested against them.
import { type IdLayout, resolveIdLayout } from '../id/layout.js';
import type { ConfiguredPool, ResolvedService } from './config.js';
import {
  InvalidSignatureError,
  LeaseNotFoundError,
  PoolMismatchError,
  StaleSignatureError,
} from './errors.js';
import { equalInConstantTime, signRelease } from './signature.js';
import type { AcquireOptions, LeaseInfo, ReleaseOptions, SeenPool } from './types.js';

/** How far the timestamp of a release may be from the store's time. */
export const RELEASE_TOLERANCE_MS = 30_000;
/** How far the clocks of a store's members may be apart without harm when one takes over from another. */
export const STORE_CLOCK_MARGIN_MS = 10_000;

/** What a store keeps of a pool, beside its slots and leases. */
export interface PoolRecord {
  readonly id: string;
  /** Rises with every grant (rule R7). */
  readonly serial: number;
  readonly layout: IdLayout;
  /** Layouts that the pool had before; a configuration that still states one of them is not a mistake. */
  readonly former: readonly Pick<IdLayout, 'bitId' | 'bitSeq'>[];
  /** No grants before this time. */
  readonly quarantinedUntil: number;
  /** Ids of pools that were here before and are lost; clients that still speak of them raise no new alarm. */
  readonly lostIds: readonly string[];
  /** The longest window ever granted, fallback included. */
  readonly maxWindow: number;
}

/** What a store keeps of a lease until its windows end. */
export interface LeaseRecord {
  readonly id: number;
  readonly bitId: number;
  readonly bitSeq: number;
  readonly serviceId: string;
  readonly holder: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly created: number;
  readonly expired: number;
  readonly fallbackUntil: number;
  /** The request that it answered (`requestKey`), and the account that it counts for. */
  readonly request: string | null;
  readonly account: string | null;
}

/** A pool that does not exist yet. When a client has seen it, the store has lost it: rule R7. */
export function createPool(
  id: string,
  { layout, maxWindow }: ConfiguredPool,
  now: number,
  seen: SeenPool | undefined,
): PoolRecord {
  const pool = { id, serial: 0, layout, former: [], quarantinedUntil: 0, lostIds: [], maxWindow };
  return seen === undefined ? pool : quarantine(pool, now, maxWindow, seen);
}

const PINNED = ['customEpoch', 'bitReserve', 'bitTs'] as const;

/** Rule R4: configuration creates a pool and never changes it. */
export function checkConfigured(pool: PoolRecord, { stated }: Pick<ConfiguredPool, 'stated'>): void {
  for (const name of PINNED) {
    const value = stated[name];
    if (value !== undefined && value !== pool.layout[name]) {
      throw new PoolMismatchError(name, pool.layout[name], value);
    }
  }
  const layouts = [pool.layout, ...pool.former];
  const fits = layouts.some(
    ({ bitId, bitSeq }) => (stated.bitId ?? bitId) === bitId && (stated.bitSeq ?? bitSeq) === bitSeq,
  );
  if (!fits) {
    const show = ({ bitId, bitSeq }: Partial<IdLayout>) => `${bitId ?? '?'} + ${bitSeq ?? '?'}`;
    throw new PoolMismatchError('bitId + bitSeq', show(pool.layout), show(stated));
  }
}

/** Rule R7: whether a client knows more of this pool than the store does. */
export function hasForgotten(pool: PoolRecord, seen: SeenPool | undefined): boolean {
  if (seen === undefined) return false;
  return seen.pool === pool.id ? seen.serial > pool.serial : !pool.lostIds.includes(seen.pool);
}

/** The pool, granting nothing until every lease that could be out has ended; what was seen raises no alarm again. */
export function quarantine(pool: PoolRecord, now: number, maxWindow: number, seen?: SeenPool): PoolRecord {
  const longest = Math.max(pool.maxWindow, maxWindow);
  const until = now + longest + STORE_CLOCK_MARGIN_MS;
  const isOther = seen !== undefined && seen.pool !== pool.id;
  return {
    ...pool,
    serial: seen === undefined || isOther ? pool.serial : Math.max(pool.serial, seen.serial),
    lostIds: isOther ? [...pool.lostIds, seen.pool] : pool.lostIds,
    maxWindow: longest,
    quarantinedUntil: Math.max(pool.quarantinedUntil, until),
  };
}

/** What a store remembers an answer by. Within its service only: an answer carries secrets. */
export function requestKey(
  { serviceId }: Pick<ResolvedService, 'serviceId'>,
  requestId: string | undefined,
): string | null {
  return requestId === undefined ? null : `${serviceId}\n${requestId}`;
}

/** Rule R8: whether an answer that was given is given again, or its request is a new one by now. */
export function isRepeatable(answer: readonly LeaseRecord[], now: number): boolean {
  return answer.length > 0 && answer.every(({ expired }) => now < expired);
}

/** How many slots give so many IDs a millisecond. */
export function slotsFor(
  { throughputPerMs = 1 }: Pick<AcquireOptions, 'throughputPerMs'>,
  { bitSeq }: Pick<IdLayout, 'bitSeq'>,
): number {
  return Math.ceil(throughputPerMs / 2 ** bitSeq);
}

/** The machine numbers that can be leased: the lower half (rule R5). */
export function slotCount({ bitId }: Pick<IdLayout, 'bitId'>): number {
  return 2 ** (bitId - 1);
}

/** Rule R2: a slot may be granted when its last window has ended by the store's own clock. */
export function isFree(freeFrom: number, now: number): boolean {
  return freeFrom <= now;
}

/** Rule R5: a slot that is granted now stays taken to the end of the fallback window. */
export function takenUntil({ leaseDuration, fallbackGrace }: ResolvedService, now: number): number {
  return now + leaseDuration + fallbackGrace;
}

/** The leases of some free slots. The caller stores `fallbackUntil` as their `freeFrom` before it answers (R2). */
export function grant(
  pool: PoolRecord,
  slots: readonly { readonly id: number; readonly secret: string }[],
  service: ResolvedService,
  { meta = {}, requestId }: Pick<AcquireOptions, 'meta' | 'requestId'>,
  account: string | null,
  now: number,
): { pool: PoolRecord; leases: LeaseRecord[] } {
  const { bitId, bitSeq } = pool.layout;
  const expired = now + service.leaseDuration;
  const fallbackUntil = expired + service.fallbackGrace;
  const leases = slots.map(({ id, secret }) => ({
    id,
    bitId,
    bitSeq,
    serviceId: service.serviceId,
    holder: { ...meta },
    secret,
    created: now,
    expired,
    fallbackUntil,
    request: requestKey(service, requestId),
    account,
  }));
  const maxWindow = Math.max(pool.maxWindow, fallbackUntil - now);
  return { pool: { ...pool, serial: pool.serial + 1, maxWindow }, leases };
}

/** A lease as its holder gets it: each carries all that is needed to make IDs. */
export function toLeaseInfo(pool: PoolRecord, lease: LeaseRecord): LeaseInfo {
  const { customEpoch, bitReserve, bitTs } = pool.layout;
  const { id, created, expired, fallbackUntil, secret, bitId, bitSeq } = lease;
  return { id, created, expired, fallbackUntil, secret, customEpoch, bitReserve, bitTs, bitId, bitSeq };
}

/**
 * The lease that a release is for, among those of its machine number: after a change of layout there may be several,
 * and the signature picks. A lease whose windows have ended is gone.
 */
export function leaseToRelease(
  candidates: readonly LeaseRecord[],
  { id, signature, timestamp }: ReleaseOptions,
  now: number,
): LeaseRecord {
  if (Math.abs(now - timestamp) > RELEASE_TOLERANCE_MS) {
    throw new StaleSignatureError(timestamp, now, RELEASE_TOLERANCE_MS);
  }
  const live = candidates.filter(({ fallbackUntil }) => now < fallbackUntil);
  if (live.length === 0) throw new LeaseNotFoundError(id);
  const lease = live.find(({ secret }) => equalInConstantTime(signRelease(secret, id, timestamp), signature));
  if (!lease) throw new InvalidSignatureError(id);
  return lease;
}

/**
 * Rule R2: where the next window of a released slot may begin. `freeFrom` is what the store has for the slot now. If
 * that is not the end of this lease, the slot has been taken over, by a lease of another layout (rule R4), and is not
 * this lease's to give back.
 */
export function freeFromAfterRelease(
  { created, fallbackUntil }: Pick<LeaseRecord, 'created' | 'fallbackUntil'>,
  timestamp: number,
  freeFrom: number,
): number {
  return freeFrom === fallbackUntil ? Math.min(fallbackUntil, Math.max(created, timestamp + 1)) : freeFrom;
}

/** The new layout of a pool, if it is one that the pool may change to (rule R4). */
export function relayout(
  pool: PoolRecord,
  { bitId, bitSeq }: Pick<IdLayout, 'bitId' | 'bitSeq'>,
): PoolRecord {
  const { layout, former } = pool;
  const changed = resolveIdLayout({ ...layout, bitId, bitSeq });
  return { ...pool, layout: changed, former: [...former, { bitId: layout.bitId, bitSeq: layout.bitSeq }] };
}

/**
 * The slots after a change of layout: a new slot becomes free only when every old range of suffixes that it
 * overlaps is free (rule R4). Slots that were never used need no entry, before or after.
 */
export function relayoutSlots(
  slots: Iterable<readonly [id: number, freeFrom: number]>,
  from: Pick<IdLayout, 'bitSeq'>,
  to: Pick<IdLayout, 'bitSeq'>,
): Map<number, number> {
  const changed = new Map<number, number>();
  const scale = 2 ** from.bitSeq / 2 ** to.bitSeq;
  for (const [id, freeFrom] of slots) {
    const first = Math.floor(id * scale);
    const end = Math.max(first + 1, (id + 1) * scale);
    for (let slot = first; slot < end; slot++) changed.set(slot, Math.max(changed.get(slot) ?? 0, freeFrom));
  }
  return changed;
}
