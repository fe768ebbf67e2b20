// What has happened in a pool between two looks at it, in words.
import type { InspectedLease } from 'kazahana/lease';
import type { PoolView } from './pool-access.js';
import { rangesText } from './pool-holders.js';
import { visible } from './visible.js';

const WORDS = { granted: 'got', expired: 'lets expire', freed: 'no longer holds' } as const;
type Kind = keyof typeof WORDS;

export interface PoolEvent {
  /** Of the pool's clock. */
  readonly at: number;
  readonly serviceId: string;
  readonly text: string;
}

interface Change {
  readonly kind: Kind;
  readonly lease: InspectedLease;
}

const slotOf = ({ id, bitSeq }: InspectedLease) => `${id}/${bitSeq}`;
const isSameHolder = (a: InspectedLease, b: InspectedLease) =>
  a.serviceId === b.serviceId && JSON.stringify(a.holder) === JSON.stringify(b.holder);

function* changesBetween(before: PoolView, after: PoolView): Generator<Change> {
  const old = new Map(before.leases.map((lease) => [slotOf(lease), lease]));
  for (const lease of after.leases) {
    const known = old.get(slotOf(lease));
    old.delete(slotOf(lease));
    // A renewal by the same holder is no news.
    if (!known || (known.created !== lease.created && !isSameHolder(known, lease))) {
      if (known) yield { kind: 'freed', lease: known };
      yield { kind: 'granted', lease };
    } else if (known.expired > before.pool.now && lease.expired <= after.pool.now) {
      yield { kind: 'expired', lease };
    }
  }
  for (const lease of old.values()) yield { kind: 'freed', lease };
}

/** One event for all machine IDs with which the same happened to one holder. */
export function eventsBetween(before: PoolView, after: PoolView): PoolEvent[] {
  const groups = Map.groupBy(changesBetween(before, after), ({ kind, lease: { serviceId, holder } }) =>
    JSON.stringify([kind, serviceId, holder.host]),
  );
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const { serviceId, holder } = first.lease;
    const ids = rangesText([first, ...more].map(({ lease }) => lease.id));
    const where = holder.host === undefined ? '' : ` on ${holder.host}`;
    const text = visible(`${serviceId}${where} ${WORDS[first.kind]} ${ids}`);
    return [{ at: after.pool.now, serviceId, text }];
  });
}
