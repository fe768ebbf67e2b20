// The rules of a pool, as pure functions over plain data: what may be granted and renewed, what a release frees, what a
// store that forgot looks like, and what a change of layout does. They exist here only. The engine runs them for every
// store.
import { type IdLayout, PINNED_FIELDS, resolveIdLayout } from '../id/layout.js';
import type { ConfiguredPool, ResolvedService } from './config.js';
import type { Incarnation, QuotaCount, SlotKey } from './driver.js';
import {
  InvalidSignatureError,
  LeaseNotFoundError,
  PoolMismatchError,
  StaleSignatureError,
} from './errors.js';
import { equalInConstantTime, signHold, signRelease } from './signature.js';
import type { AcquireOptions, LeaseInfo, ReleaseOptions, RenewalClaim, SeenPool, Share } from './types.js';

/** How far the timestamp of a signature may be from the store's time. */
export const RELEASE_TOLERANCE_MS = 30_000;
/** How far the clocks of a store's members may be apart without harm when one takes over from another. */
export const STORE_CLOCK_MARGIN_MS = 10_000;
/** As long as a secret, and none. */
const NO_SECRET = '0'.repeat(32);
/** So many windows a slot remembers, for `whois`. */
export const REMEMBERED_WINDOWS = 8;
/** So many ids of lost pools a pool remembers; clients that know an older one raise a new alarm. */
const REMEMBERED_LOST_IDS = 32;

/** What a store keeps of a pool, beside its serial and its slots. */
export interface PoolRecord {
  readonly id: string;
  readonly layout: IdLayout;
  readonly share: Share;
  /** Names the slots of the present layout. */
  readonly generation: string;
  /** Layouts that the pool had before and whose slots the store still has, the latest first. */
  readonly former: readonly FormerLayout[];
  /** Where windows of former layouts end that the slots of the present one overlap; null: the slots themselves know. */
  readonly floors: Floors | null;
  /** Every `bitId` that the pool ever had; a configuration that still states one of them is not a mistake. */
  readonly knownBitIds: readonly number[];
  /** No new slot is granted before this time … */
  readonly quarantinedUntil: number;
  /** … since this one. */
  readonly quarantinedFrom: number;
  /** Nothing is granted before this time, because the layout changes … */
  readonly pausedUntil: number;
  /** … to this generation of slots, some of which may be written already. */
  readonly nextGeneration: string | null;
  /** Ids of pools that were here before and are lost; clients that still speak of them raise no new alarm. */
  readonly lostIds: readonly string[];
  /** The longest window ever granted, fallback included. */
  readonly maxWindow: number;
  /** The life of the store in which the pool was last seen; null where the store cannot tell. */
  readonly incarnation: Incarnation | null;
}

/**
 * The ends of former windows, kept as slots of a generation of their own that are wider than those of the pool: a slot that was
 * never granted is free when its floor has passed (rule R4).
 */
export interface Floors extends Pick<IdLayout, 'bitSeq'> {
  readonly generation: string;
  /** All of them have passed by then. */
  readonly until: number;
}

export interface FormerLayout extends Pick<IdLayout, 'bitId' | 'bitSeq'> {
  readonly generation: string;
  /** All windows of its slots have ended by then. */
  readonly until: number;
}

/** What a store keeps of a lease while it is its slot's last one. */
export interface LeaseRecord {
  readonly serviceId: string;
  readonly holder: Readonly<Record<string, string>>;
  /** Empty for a lease that the store had lost and its holder proved. */
  readonly secret: string;
  readonly created: number;
  readonly expired: number;
  readonly fallbackUntil: number;
  /** The request that it was granted for, by its key, and the store's time then. */
  readonly request: string;
  readonly granted: number;
  /** When the first lease began of which this one is a renewal. */
  readonly since: number;
}

/** A time in which a slot had one holder. */
export interface PastWindow {
  readonly serviceId: string;
  readonly holder: Readonly<Record<string, string>>;
  readonly created: number;
  /** When the last lease of this time began; `created` when none was renewed. */
  readonly renewed: number;
  /** No ID was made from here on. */
  readonly end: number;
}

/** A slot and all that is known of it. */
export interface SlotRecord extends SlotKey {
  readonly freeFrom: number;
  readonly quotas: readonly string[];
  /** Its last lease, unless that was released or revoked. */
  readonly lease: LeaseRecord | null;
  /** Earlier windows, the latest first. */
  readonly past: readonly PastWindow[];
}

/** A lease of a slot that has one. */
export type LeasedSlot = SlotRecord & { readonly lease: LeaseRecord };

export function isLeased(slot: SlotRecord | undefined): slot is LeasedSlot {
  return slot?.lease != null;
}

/** A pool that does not exist yet, as it is configured, or like one that was lost. */
export function newPool(
  id: string,
  generation: string,
  like: Pick<ConfiguredPool, 'layout' | 'share' | 'maxWindow'> &
    Partial<Pick<PoolRecord, 'knownBitIds' | 'lostIds'>>,
): PoolRecord {
  const { layout, share, maxWindow, knownBitIds = [layout.bitId], lostIds = [] } = like;
  const times = { quarantinedUntil: 0, quarantinedFrom: 0, pausedUntil: 0, nextGeneration: null, maxWindow };
  const lists = { former: [], floors: null, knownBitIds, lostIds };
  return { id, generation, layout, share, ...lists, incarnation: null, ...times };
}

const showShare = ({ index, of }: Share) => `${index} of ${of}`;

/** Rule R4: configuration creates a pool and never changes it. */
export function checkConfigured(pool: PoolRecord, { stated }: Pick<ConfiguredPool, 'stated'>): void {
  for (const name of PINNED_FIELDS) {
    const value = stated[name];
    if (value !== undefined && value !== pool.layout[name]) {
      throw new PoolMismatchError(name, pool.layout[name], value);
    }
  }
  if (stated.share && showShare(stated.share) !== showShare(pool.share)) {
    throw new PoolMismatchError('share', showShare(pool.share), showShare(stated.share));
  }
  const bits = pool.layout.bitId + pool.layout.bitSeq;
  const fits = pool.knownBitIds.some(
    (bitId) => (stated.bitId ?? bitId) === bitId && (stated.bitSeq ?? bits - bitId) === bits - bitId,
  );
  if (!fits) {
    const show = ({ bitId, bitSeq }: Partial<IdLayout>) => `${bitId ?? '?'} + ${bitSeq ?? '?'}`;
    throw new PoolMismatchError('bitId + bitSeq', show(pool.layout), show(stated));
  }
}

/** Rule R7: whether a client, or this process, knows more of a pool than the store does. */
export function hasForgotten(pool: PoolRecord, serial: number, seen: SeenPool): boolean {
  return seen.pool === pool.id ? seen.serial > serial : !pool.lostIds.includes(seen.pool);
}

/** Rule R7: whether the store has begun another life, and may have lost what it acknowledged. */
export function mayHaveForgotten(pool: PoolRecord, incarnation: Incarnation | undefined): boolean {
  const before = pool.incarnation;
  if (!before || !incarnation || before.id === incarnation.id) return false;
  return before.mayLose || incarnation.mayLose;
}

/** The pool, granting no new slot until every lease that clients may still hold has ended; `seen` raises no alarm again. */
export function quarantine(pool: PoolRecord, now: number, maxWindow: number, seen?: SeenPool): PoolRecord {
  const longest = Math.max(pool.maxWindow, maxWindow);
  const isOther = seen !== undefined && seen.pool !== pool.id && !pool.lostIds.includes(seen.pool);
  return {
    ...pool,
    lostIds: isOther ? [...pool.lostIds, seen.pool].slice(-REMEMBERED_LOST_IDS) : pool.lostIds,
    maxWindow: longest,
    quarantinedFrom: Math.max(pool.quarantinedFrom, now),
    quarantinedUntil: Math.max(pool.quarantinedUntil, now + longest + STORE_CLOCK_MARGIN_MS),
  };
}

/** How many slots give so many IDs a millisecond. */
export function slotsFor(
  { throughputPerMs = 1 }: Pick<AcquireOptions, 'throughputPerMs'>,
  { bitSeq }: Pick<IdLayout, 'bitSeq'>,
): number {
  return Math.ceil(throughputPerMs / 2 ** bitSeq);
}

/** The machine IDs that can be leased: the lower half (rule R5). */
export function slotCount({ bitId }: Pick<IdLayout, 'bitId'>): number {
  return 2 ** (bitId - 1);
}

/** Slots from the first to before the end. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** The slots of a pool's share. */
export function slotRange({
  layout,
  share,
}: {
  readonly layout: Pick<IdLayout, 'bitId'>;
  readonly share: Share;
}): SlotRange {
  const slots = slotCount(layout) / share.of;
  return { from: share.index * slots, to: (share.index + 1) * slots };
}

/** Rule R2: a slot may be granted when its last window has ended by the store's own clock. */
export function isFree(freeFrom: number, now: number): boolean {
  return freeFrom <= now;
}

/** Rule R5: a slot stays held to the end of the fallback window. */
export function heldUntil({ fallbackUntil }: Pick<LeaseRecord, 'fallbackUntil'>): number {
  return fallbackUntil;
}

/** How many leases quotas leave to a call, those that it renews included; and when there are more. */
export function roomLeft(
  quotas: readonly (QuotaCount & { readonly limit: number; readonly isOfNew?: boolean })[],
  renewed: readonly LeasedSlot[],
  now: number,
): { readonly room: number; readonly nextAt: number } {
  let room = Number.POSITIVE_INFINITY;
  let nextAt = now + 1;
  for (const { quota, limit, count, firstEnd, isOfNew } of quotas) {
    const own = renewed.filter((slot) => slot.quotas.includes(quota) && slot.freeFrom > now);
    const left = limit - (count - own.length) + (isOfNew ? renewed.length : 0);
    if (left <= 0) nextAt = Math.max(nextAt, firstEnd);
    room = Math.min(room, left);
  }
  return { room, nextAt };
}

/** The lease that a service gets when its window begins at `created`. */
export function newLease(
  { serviceId, leaseDuration, fallbackGrace }: ResolvedService,
  { meta = {} }: Pick<AcquireOptions, 'meta'>,
  grant: Pick<LeaseRecord, 'secret' | 'request' | 'created' | 'granted'>,
): LeaseRecord {
  const { created } = grant;
  const expired = created + leaseDuration;
  const window = { expired, fallbackUntil: expired + fallbackGrace, since: created };
  return { serviceId, holder: { ...meta }, ...grant, ...window };
}

/** The lease in place of the slot's last one, whose window ended at `end`. */
export function withLease(
  slot: SlotRecord,
  lease: LeaseRecord | null,
  changes: { readonly freeFrom: number; readonly quotas?: readonly string[]; readonly end?: number },
): SlotRecord {
  const { freeFrom, quotas = [], end = slot.freeFrom } = changes;
  const { lease: before } = slot;
  const isRenewed = before !== null && lease !== null && lease.since === before.since;
  const past = before === null || isRenewed ? slot.past : [toPastWindow(before, end), ...slot.past];
  return { ...slot, lease, freeFrom, quotas, past: past.slice(0, REMEMBERED_WINDOWS) };
}

function toPastWindow({ serviceId, holder, since, created }: LeaseRecord, end: number): PastWindow {
  return { serviceId, holder, created: since, renewed: created, end };
}

/**
 * A renewal: the slot's own holder gets a new window of the same slot. It overlaps the old window, which is no harm:
 * both belong to one client, whose IDs rise (rule R6). It does not begin before the old one, since an earlier holder's
 * window may lie there when the store's clock has stepped back (rule R2).
 */
export function renew(
  slot: LeasedSlot,
  fresh: LeaseRecord,
  quotas: readonly string[],
  until: number,
): SlotRecord {
  // After the end of the old window another client may have had the slot, if the store has lost that: no one time of one holder.
  const isSame =
    fresh.created <= slot.freeFrom &&
    fresh.serviceId === slot.lease.serviceId &&
    JSON.stringify(fresh.holder) === JSON.stringify(slot.lease.holder);
  const lease = isSame ? { ...fresh, since: slot.lease.since } : fresh;
  const end = Math.min(slot.freeFrom, fresh.created);
  return withLease(slot, lease, { freeFrom: Math.max(slot.freeFrom, until), quotas, end });
}

/** Whether a claim is signed with the secret of the slot's lease, and lately. */
export function isHolder(slot: LeasedSlot, claim: RenewalClaim, now: number): boolean {
  const { id, timestamp, signature } = claim;
  if (slot.lease.secret === '' || Math.abs(now - timestamp) > RELEASE_TOLERANCE_MS) return false;
  return equalInConstantTime(signHold(slot.lease.secret, id, timestamp), signature);
}

/**
 * Rule R7: whether the store has lost the lease of a claim that is known to be true. That a window of the slot began later
 * is another matter: the slot was granted twice then. Of leases before the oldest window that it remembers, a slot cannot tell.
 */
export function isLost(slot: SlotRecord | undefined, claim: RenewalClaim, now: number): boolean {
  if (claim.fallbackUntil <= now) return false;
  const { lease = null, past = [] } = slot ?? {};
  const windows = lease ? [{ created: lease.since, renewed: lease.created }, ...past] : past;
  // Not up to the end of a window: a lost renewal begins before the end of the lease that it renewed.
  if (windows.some(({ created, renewed }) => created <= claim.created && claim.created <= renewed))
    return false;
  const oldest = past.length < REMEMBERED_WINDOWS ? undefined : past.at(-1);
  return oldest === undefined || oldest.created < claim.created;
}

/** Whether the store knows of no window of the slot that begins at or after the lease of a claim. */
export function isNewest(slot: SlotRecord | undefined, claim: RenewalClaim): boolean {
  const { lease = null, past = [] } = slot ?? {};
  return [...past, ...(lease ? [lease] : [])].every(({ created }) => created < claim.created);
}

/** The slot with a lease that the store had lost, as its holder has proved it. */
export function enterAgain(slot: SlotRecord, claim: RenewalClaim, serviceId: string): LeasedSlot {
  const { created, expired, fallbackUntil } = claim;
  const window = { created, expired, fallbackUntil, since: created };
  const lease = { serviceId, holder: {}, secret: '', request: '', granted: created, ...window };
  const freeFrom = Math.max(slot.freeFrom, fallbackUntil);
  return { ...withLease(slot, lease, { freeFrom, end: Math.min(slot.freeFrom, created) }), lease };
}

/**
 * Rule R7: in quarantine a holder may renew as long as no other grant of its slot can exist, lost or not. The margin is
 * for members of the store whose clock was ahead when they granted what is lost. The beginning of the quarantine counts
 * when the store's clock has stepped back since.
 */
export function isSafeInQuarantine(
  fallbackUntil: number,
  { quarantinedFrom }: Pick<PoolRecord, 'quarantinedFrom'>,
  now: number,
): boolean {
  return Math.max(now, quarantinedFrom) + STORE_CLOCK_MARGIN_MS < fallbackUntil;
}

/** A lease as its holder gets it: each carries all that is needed to make IDs. One may be of a former layout (rule R4). */
export function toLeaseInfo(
  { layout, former }: PoolRecord,
  { generation, slot, lease }: LeasedSlot,
): LeaseInfo {
  const { created, expired, fallbackUntil, secret } = lease;
  const { bitId, bitSeq } = former.find((one) => one.generation === generation) ?? layout;
  return { id: slot, created, expired, fallbackUntil, secret, ...layout, bitId, bitSeq };
}

/**
 * The slot that a release is for, among those of its machine ID: after a change of layout there may be several, and
 * the signature picks. A lease whose windows have ended is gone.
 */
export function leaseToRelease(
  candidates: readonly (SlotRecord | undefined)[],
  { id, signature, timestamp }: ReleaseOptions,
  now: number,
): LeasedSlot {
  if (Math.abs(now - timestamp) > RELEASE_TOLERANCE_MS) {
    throw new StaleSignatureError(timestamp, now, RELEASE_TOLERANCE_MS);
  }
  const live = candidates.filter(isLeased).filter(({ lease }) => now < lease.fallbackUntil);
  const isSignedWith = (secret: string) => equalInConstantTime(signRelease(secret, id, timestamp), signature);
  const found = live.find(({ lease }) => isSignedWith(lease.secret));
  if (found) return found;
  if (live.length > 0) throw new InvalidSignatureError(id);
  // Without a lease there is one signature to compute as well: the time must not tell which leases exist.
  isSignedWith(NO_SECRET);
  throw new LeaseNotFoundError(id);
}

/** Rule R2: where the next window of a slot may begin after its lease was released. */
export function freeFromAfterRelease({ lease, freeFrom }: LeasedSlot, timestamp: number): number {
  return Math.min(freeFrom, Math.max(lease.created, timestamp + 1));
}

/** The new layout of a pool, if it is one that the pool may change to (rule R4); `until`: the end of all old windows. */
export function relayout(
  pool: PoolRecord,
  { bitId, bitSeq }: Pick<IdLayout, 'bitId' | 'bitSeq'>,
  { generation, floors, until }: { generation: string; floors: Floors | null; until: number },
): PoolRecord {
  const { layout, share, former } = pool;
  const changed = resolveIdLayout({ ...layout, bitId, bitSeq });
  if (slotCount(changed) < share.of) throw new PoolMismatchError('share', showShare(share), `bitId ${bitId}`);
  const old = { generation: pool.generation, bitId: layout.bitId, bitSeq: layout.bitSeq, until };
  const knownBitIds = [...new Set([...pool.knownBitIds, bitId])];
  return { ...pool, layout: changed, generation, floors, former: [old, ...former], knownBitIds };
}

/**
 * The slots after a change of layout, by number: a new slot becomes free only when every old range of suffixes that it
 * overlaps is free (rule R4). Slots that were never used need no entry, before or after. The old ones come by number, too.
 */
export function* relayoutSlots(
  slots: Iterable<readonly [id: number, freeFrom: number]>,
  from: Pick<IdLayout, 'bitSeq'>,
  to: Pick<IdLayout, 'bitSeq'>,
): Generator<readonly [id: number, freeFrom: number]> {
  const scale = 2 ** from.bitSeq / 2 ** to.bitSeq;
  let last: readonly [id: number, freeFrom: number] | undefined;
  for (const [id, freeFrom] of slots) {
    const first = Math.floor(id * scale);
    for (let slot = first; slot < (id + 1) * scale; slot++) {
      if (last && last[0] !== slot) yield last;
      last = [slot, last?.[0] === slot ? Math.max(last[1], freeFrom) : freeFrom];
    }
  }
  if (last) yield last;
}
