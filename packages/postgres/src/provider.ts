// Leases in PostgreSQL: the engine of all stores, on the driver of this one.
import { checkProviderOptions, LeaseEngine, type LeaseEngineOptions } from 'kazahana/lease';
import { type PostgresDriverOptions as DriverOptions, PostgresDriver } from './driver.js';
import type { PostgresPool } from './types.js';

export type PostgresLeaseProviderOptions = LeaseEngineOptions & Pick<DriverOptions, 'schema' | 'migrate'>;

export class PostgresLeaseProvider extends LeaseEngine {
  /** Makes the schema, or brings it up to date; safe from many servers at once, and where nothing is to be done. */
  readonly migrate: () => Promise<void>;

  /** `pool` is a `pg.Pool`, which stays its maker's to configure, to listen to and to end. */
  constructor(pool: PostgresPool, options: PostgresLeaseProviderOptions = {}) {
    const engineOptions = checkProviderOptions('PostgresLeaseProvider', options, ['schema', 'migrate']);
    const driver = new PostgresDriver(pool, options);
    super(driver, engineOptions);
    this.migrate = () => driver.migrate();
  }
}
