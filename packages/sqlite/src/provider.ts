// Leases in an SQLite file: the engine that runs the rules of a pool, over the driver that keeps it.
import { checkProviderOptions, LeaseEngine, type LeaseEngineOptions } from 'kazahana/lease';
import { SqliteDriver, type SqliteDriverOptions } from './driver.js';

export interface SqliteLeaseProviderOptions extends LeaseEngineOptions, SqliteDriverOptions {}

export class SqliteLeaseProvider extends LeaseEngine {
  constructor(options: SqliteLeaseProviderOptions) {
    const engineOptions = checkProviderOptions('SqliteLeaseProvider', options, ['path', 'busyTimeout']);
    super(new SqliteDriver(options), engineOptions);
  }
}
