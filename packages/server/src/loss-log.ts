// A loss that the engine has noticed (rule R7), for the log.
import type { PoolLoss } from 'kazahana/lease';
import type { Logger } from 'pino';

export function logLoss(log: Logger, { pool, reason, caller, quarantinedUntil }: PoolLoss): void {
  const by = caller === undefined ? {} : { caller };
  const until = quarantinedUntil;
  log.error(
    { pool, reason, until, ...by },
    'the store has lost leases of the pool, or may have: no new machine IDs until their windows have ended',
  );
}
