// What many workers were granted, put together afterwards: no two leases of a slot may share a moment (rule R2).
import type { LeaseInfo } from 'kazahana/lease';

/** A lease, and until when it may have been used: its end, or the timestamp that its release was signed with. */
export interface Granted {
  readonly id: number;
  readonly created: number;
  readonly secret: string;
  readonly end: number;
}

export const grantedLease = ({
  id,
  created,
  secret,
  expired,
  fallbackUntil = expired,
}: LeaseInfo): Granted => ({
  id,
  created,
  secret,
  end: fallbackUntil,
});

/** The lease after a release with this timestamp. */
export const givenBack = (granted: Granted, timestamp: number): Granted => ({
  ...granted,
  end: Math.min(granted.end, Math.max(granted.created, timestamp + 1)),
});

/** Pairs that share a slot and a moment, in words; empty when all is well. All must have the same widths. */
export function findOverlaps(leases: Iterable<Granted>): string[] {
  const bySlot = Map.groupBy(leases, ({ id }) => id);
  const overlaps: string[] = [];
  for (const [id, ofSlot] of bySlot) {
    ofSlot.sort((a, b) => a.created - b.created || a.end - b.end);
    let last: Granted | undefined;
    for (const next of ofSlot) {
      if (last && next.created < last.end && next.created < next.end) {
        overlaps.push(`slot ${id}: ${last.created} to ${last.end}, and ${next.created} to ${next.end}`);
      }
      if (!last || next.end > last.end) last = next;
    }
  }
  return overlaps;
}
