// @kazahana/sqlite: leases in an SQLite file, for one host and any number of processes on it.
export { SqliteDriver, type SqliteDriverOptions } from './driver.js';
export { SqliteLeaseProvider, type SqliteLeaseProviderOptions } from './provider.js';
