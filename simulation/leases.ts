// Leases as the judge knows them: what was granted, what became of it, when it was used, and which two must not have
// been granted or used like that.
import type { LeaseInfo } from 'kazahana/lease';

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
  /** Where the slot's next window may begin: earlier than `fallbackUntil` once the store has accepted a release. */
  freeFrom: number;
  /** From here on its holder may not use it: it has signed a release with the timestamp before. */
  givenUpFrom: number;
  /** The store forgot this grant; whether another lease overlaps it is then a matter of R7. */
  isLost: boolean;
  /** Granted by a store that had forgotten something and had not yet been told so. */
  readonly isUnaware: boolean;
  firstUse: number;
  lastUse: number;
  firstFallbackUse: number;
  lastFallbackUse: number;
}

export function grantedLease(node: string, info: LeaseInfo, isUnaware: boolean): GrantedLease {
  const { secret, created, expired, fallbackUntil = expired, id, bitSeq } = info;
  return {
    id,
    secret,
    node,
    start: id * 2 ** bitSeq,
    end: (id + 1) * 2 ** bitSeq,
    created,
    expired,
    fallbackUntil,
    freeFrom: fallbackUntil,
    givenUpFrom: Number.POSITIVE_INFINITY,
    isLost: false,
    isUnaware,
    firstUse: Number.POSITIVE_INFINITY,
    lastUse: Number.NEGATIVE_INFINITY,
    firstFallbackUse: Number.POSITIVE_INFINITY,
    lastFallbackUse: Number.NEGATIVE_INFINITY,
  };
}

/** Rules R1 and R5: whether IDs may be made under the lease at `t`, in the leased half or in the fallback half. */
export function isValidAt(lease: GrantedLease, t: number, isFallback: boolean): boolean {
  const { created, expired, fallbackUntil, givenUpFrom } = lease;
  return t < givenUpFrom && (isFallback ? expired <= t && t < fallbackUntil : created <= t && t < expired);
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

/** What a store grants after it forgot and before anyone could tell it so, is outside the promise. */
export function isOutsidePromise(a: GrantedLease, b: GrantedLease): boolean {
  return (a.isLost && b.isUnaware) || (b.isLost && a.isUnaware);
}

/** No two leases of overlapping suffixes may have had, or used, the same time. */
export function findClashes(
  granted: readonly GrantedLease[],
  fail: (rule: 'overlap' | 'window', text: string) => void,
): void {
  const leases = granted.toSorted((a, b) => a.created - b.created);
  leases.forEach((a, i) => {
    const end = Math.max(a.freeFrom, a.lastUse, a.lastFallbackUse);
    for (let j = i + 1; j < leases.length; j++) {
      const b = leases[j] as GrantedLease;
      // Sorted by their beginnings: nobody further on can meet this one.
      if (b.created > end) break;
      if (a.end <= b.start || b.end <= a.start || isOutsidePromise(a, b)) continue;
      const names = `${a.node} and ${b.node} (suffixes ${a.start}–${a.end} and ${b.start}–${b.end})`;
      if (areUsedTogether(a, b)) {
        fail('overlap', `${names} were used for overlapping times`);
      } else if (a.created < b.freeFrom && b.created < a.freeFrom) {
        fail(
          'window',
          `${names} have windows from ${a.created} to ${a.freeFrom} and ${b.created} to ${b.freeFrom}`,
        );
      }
    }
  });
}

function areUsedTogether(a: GrantedLease, b: GrantedLease): boolean {
  return (
    (a.firstUse <= b.lastUse && b.firstUse <= a.lastUse) ||
    (a.firstFallbackUse <= b.lastFallbackUse && b.firstFallbackUse <= a.lastFallbackUse)
  );
}
