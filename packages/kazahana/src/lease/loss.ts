// Rule R7: what shows that a store has forgotten something, and what its pool does about it.
import type { Incarnation } from './driver.js';
import type { SeenByCaller } from './pool-call.js';
import { quarantine } from './rules.js';
import type { SwitchableRules } from './switchable-rules.js';
import type { RenewalClaim } from './types.js';
import type { PoolView } from './view.js';

/** A store has forgotten something of a pool, or may have. */
export interface PoolLoss {
  readonly pool: string;
  /** A higher serial or another pool was seen; the store began another life; a lease is missing. */
  readonly reason: 'serial' | 'pool' | 'incarnation' | 'lease';
  readonly quarantinedUntil: number;
  /** The caller that has seen more than the store knows, where it has a name. */
  readonly caller?: string;
}

export type NoticedLoss = Omit<PoolLoss, 'pool' | 'quarantinedUntil'>;

export interface LossEvidence {
  /** What this process and its callers have seen of the pool. */
  readonly seen: readonly SeenByCaller[];
  readonly incarnation: Incarnation | undefined;
  /** Each finds a lease that its caller holds and the store does not know. */
  readonly calls: readonly { lost?(view: PoolView): RenewalClaim | undefined }[];
}

export interface LossRules extends Pick<SwitchableRules, 'hasForgotten' | 'mayHaveForgotten'> {
  readonly maxWindow: number;
  readonly afterFailOver: 'quarantine' | 'trust';
}

/** Puts the pool of a view into quarantine when something was forgotten, before anything is decided. */
export function noticeLoss(
  view: PoolView,
  { seen, incarnation, calls }: LossEvidence,
  rules: LossRules,
): NoticedLoss | undefined {
  let noticed: NoticedLoss | undefined;
  const alarm = (reason: PoolLoss['reason'], by?: SeenByCaller, window = 0) => {
    noticed ??= { reason, ...(by?.caller !== undefined && { caller: by.caller }) };
    if (by?.pool === view.pool.id) view.serialAtLeast = Math.max(view.serialAtLeast, by.serial);
    view.pool = quarantine(view.pool, view.now, Math.max(rules.maxWindow, window), by);
  };
  for (const one of seen) {
    if (rules.hasForgotten(view.pool, view.serial, one))
      alarm(one.pool === view.pool.id ? 'serial' : 'pool', one);
  }
  if (rules.afterFailOver !== 'trust' && rules.mayHaveForgotten(view.pool, incarnation)) alarm('incarnation');
  if (incarnation && JSON.stringify(incarnation) !== JSON.stringify(view.pool.incarnation)) {
    view.pool = { ...view.pool, incarnation };
  }
  for (const call of calls) {
    const lost = call.lost?.(view);
    // A quarantine that lasts as long as the lost lease is enough, unless the lease began in it: then there was another loss.
    if (
      lost &&
      (view.pool.quarantinedUntil < lost.fallbackUntil || view.pool.quarantinedFrom < lost.created)
    ) {
      // The lost lease may be longer than any that this process is configured for.
      alarm('lease', undefined, lost.fallbackUntil - view.now);
    }
  }
  return noticed;
}
