// Leases in an SQLite file: the engine that runs the rules of a pool, over the driver that keeps it.
import { checkProviderOptions, LeaseEngine, type LeaseEngineOptions } from 'kazahana/lease';
import { SqliteDriver, type SqliteDriverOptions } from './driver.js';

export interface SqliteLeaseProviderOptions extends LeaseEngineOptions, SqliteDriverOptions {}

const OWN_NAMES = { path: true, busyTimeout: true } satisfies Record<
  Exclude<keyof SqliteDriverOptions, keyof LeaseEngineOptions>,
  true
>;

export class SqliteLeaseProvider extends LeaseEngine {
  constructor(options: SqliteLeaseProviderOptions) {
    const { path, busyTimeout, ...others } = checkProviderOptions('SqliteLeaseProvider', options, OWN_NAMES);
    super(new SqliteDriver(options), others);
  }
}
