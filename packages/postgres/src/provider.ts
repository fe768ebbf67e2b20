// Leases in PostgreSQL: the engine of all stores, on the driver of this one.
import { LeaseEngine, type LeaseEngineOptions } from 'kazahana/lease';
import { PostgresDriver, type PostgresDriverOptions } from './driver.js';
import type { PostgresPool } from './types.js';

export type PostgresLeaseProviderOptions = LeaseEngineOptions &
  Pick<PostgresDriverOptions, 'schema' | 'migrate'>;

export class PostgresLeaseProvider extends LeaseEngine {
  /** Makes the schema, or brings it up to date; safe from many servers at once, and where nothing is to be done. */
  readonly migrate: () => Promise<void>;

  /** `pool` is a `pg.Pool`, which stays its maker's to configure, to listen to and to end. */
  constructor(pool: PostgresPool, { schema, migrate, ...options }: PostgresLeaseProviderOptions = {}) {
    const driver = new PostgresDriver(pool, { schema, migrate, environment: options.environment });
    super(driver, options);
    this.migrate = () => driver.migrate();
  }
}
