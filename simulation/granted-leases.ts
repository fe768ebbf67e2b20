// Leases as the judge knows them: what was granted, what became of it, when it was used, and which two must not have
// been granted or used like that.
import type { LeaseInfo, RenewalClaim } from 'kazahana/lease';
import type { Grant } from './store.ts';

/** A lease as it was granted, and what became of it. */
export interface GrantedLease {
  readonly id: number;
  readonly secret: string;
  readonly node: string;
  readonly start: number;
  readonly end: number;
  readonly created: number;
  readonly expired: number;
  readonly fallbackUntil: number;
  /** From here on its holder may not use it: it has signed a release with the timestamp before. */
  releasedFrom: number;
  /** Its holder has sent a request to renew it. */
  isClaimed: boolean;
  /** Granted to a holder that had sent a request to renew a lease of this slot: it may overlap that one. */
  readonly isRenewal: boolean;
  /** A renewal of a lease that its holder had released before it was granted: the holder does not install it (rule R8). */
  readonly isOfReleased: boolean;
  readonly grant: Grant;
  /** Granted before anything could show that the store had forgotten something; or a renewal of such a lease. */
  readonly isUnaware: boolean;
  firstUse: number;
  lastUse: number;
  firstFallbackUse: number;
  lastFallbackUse: number;
}

/** `before`: the leases that the node was granted earlier. */
export function grantedLease(
  node: string,
  info: LeaseInfo,
  grant: Grant,
  before: readonly GrantedLease[],
): GrantedLease {
  const { secret, created, expired, fallbackUntil = expired, id, bitSeq } = info;
  const isSameSlot = (one: GrantedLease) => one.id === id && one.end - one.start === 2 ** bitSeq;
  const renewed = before.filter((one) => one.isClaimed && isSameSlot(one));
  return {
    id,
    secret,
    node,
    start: id * 2 ** bitSeq,
    end: (id + 1) * 2 ** bitSeq,
    created,
    expired,
    fallbackUntil,
    releasedFrom: Number.POSITIVE_INFINITY,
    isClaimed: false,
    isRenewal: renewed.length > 0,
    isOfReleased: (renewed.at(-1)?.releasedFrom ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY,
    isUnaware: grant.isUnaware || renewed.some((one) => one.isUnaware && created < one.fallbackUntil),
    grant,
    firstUse: Number.POSITIVE_INFINITY,
    lastUse: Number.NEGATIVE_INFINITY,
    firstFallbackUse: Number.POSITIVE_INFINITY,
    lastFallbackUse: Number.NEGATIVE_INFINITY,
  };
}

/** Rules R1 and R5: whether IDs may be made under the lease at `t`, in the leased half or in the fallback half. */
export function isValidAt(lease: GrantedLease, t: number, isFallback: boolean): boolean {
  const { created, expired, fallbackUntil, releasedFrom } = lease;
  return t < releasedFrom && (isFallback ? expired <= t && t < fallbackUntil : created <= t && t < expired);
}

export function use(lease: GrantedLease, t: number, isFallback: boolean): void {
  if (isFallback) {
    lease.firstFallbackUse = Math.min(lease.firstFallbackUse, t);
    lease.lastFallbackUse = Math.max(lease.lastFallbackUse, t);
  } else {
    lease.firstUse = Math.min(lease.firstUse, t);
    lease.lastUse = Math.max(lease.lastUse, t);
  }
}

/** A store forgot without a sign: what it granted before anything could show that, is outside the promise. */
export function isOutsidePromise(a: GrantedLease, b: GrantedLease): boolean {
  return (a.grant.isLost && b.isUnaware) || (b.grant.isLost && a.isUnaware);
}

export function isClaimOf({ id, bitSeq, created }: RenewalClaim, lease: GrantedLease): boolean {
  return lease.id === id && lease.start === id * 2 ** bitSeq && lease.created === created;
}

/** A lease is renewed in place: the new window of the slot overlaps the old one, both of one process (rule R6 keeps its IDs apart). */
function isRenewed(a: GrantedLease, b: GrantedLease): boolean {
  const isSameSlot = a.start === b.start && a.end === b.end;
  return a.node === b.node && isSameSlot && (a.isRenewal || b.isRenewal);
}

/** A release is signed: the lease, and those before that it renewed, are not used from then on, and the slot may be granted again. */
export function markReleased(lease: GrantedLease, before: readonly GrantedLease[], timestamp: number): void {
  const renewed = before.filter((other) => other.isClaimed && isRenewed(other, lease));
  for (const one of [lease, ...renewed]) one.releasedFrom = Math.min(one.releasedFrom, timestamp + 1);
}

/** No two leases of overlapping suffixes may have had, or used, the same time. */
export function findClashes(
  granted: readonly GrantedLease[],
  fail: (rule: 'overlap' | 'window', text: string) => void,
): void {
  const leases = granted.toSorted((a, b) => a.created - b.created);
  leases.forEach((a, i) => {
    const end = Math.max(freeFrom(a), a.lastUse, a.lastFallbackUse);
    for (let j = i + 1; j < leases.length; j++) {
      const b = leases[j] as GrantedLease;
      // Sorted by their beginnings: no lease further on can meet this one.
      if (b.created > end) break;
      if (a.end <= b.start || b.end <= a.start || isOutsidePromise(a, b) || isRenewed(a, b)) continue;
      const names = `${a.node} and ${b.node} (suffixes ${a.start}–${a.end} and ${b.start}–${b.end})`;
      if (areUsedTogether(a, b)) {
        fail('overlap', `${names} were used for overlapping times`);
      } else if (a.created < freeFrom(b) && b.created < freeFrom(a) && !isIdle(a) && !isIdle(b)) {
        fail(
          'window',
          `${names} have windows from ${a.created} to ${freeFrom(a)} and ${b.created} to ${freeFrom(b)}`,
        );
      }
    }
  });
}

/** Where the slot's next window may begin. */
function freeFrom({ created, fallbackUntil, releasedFrom }: GrantedLease): number {
  return Math.min(fallbackUntil, Math.max(created, releasedFrom));
}

/** Whether its holder may not use the lease, and has not. A store that forgot the release grants it all the same. */
function isIdle({ isOfReleased, lastUse, lastFallbackUse }: GrantedLease): boolean {
  return isOfReleased && Math.max(lastUse, lastFallbackUse) === Number.NEGATIVE_INFINITY;
}

function areUsedTogether(a: GrantedLease, b: GrantedLease): boolean {
  return (
    (a.firstUse <= b.lastUse && b.firstUse <= a.lastUse) ||
    (a.firstFallbackUse <= b.lastFallbackUse && b.firstFallbackUse <= a.lastFallbackUse)
  );
}
