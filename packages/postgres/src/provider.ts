// Leases in PostgreSQL: the engine of all stores, on the driver of this one.
import { checkProviderOptions, LeaseEngine, type LeaseEngineOptions } from 'kazahana/lease';
import { PostgresDriver, type PostgresDriverOptions } from './driver.js';
import type { PostgresPool } from './types.js';

type OwnOptions = Pick<PostgresDriverOptions, 'schema' | 'migrate'>;

export type PostgresLeaseProviderOptions = LeaseEngineOptions & OwnOptions;

const OWN_NAMES = { schema: true, migrate: true } satisfies Record<keyof OwnOptions, true>;

export class PostgresLeaseProvider extends LeaseEngine {
  /** Makes the schema, or brings it up to date; safe from many servers at once, and where nothing is to be done. */
  readonly migrate: () => Promise<void>;

  /** `pool` is a `pg.Pool`, which stays its maker's to configure, to listen to and to end. */
  constructor(pool: PostgresPool, given: PostgresLeaseProviderOptions = {}) {
    const { schema, migrate, ...options } = checkProviderOptions('PostgresLeaseProvider', given, OWN_NAMES);
    const driver = new PostgresDriver(pool, { schema, migrate, environment: options.environment });
    super(driver, options);
    this.migrate = () => driver.migrate();
  }
}
