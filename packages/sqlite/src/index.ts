// @kazahana/sqlite: leases in an SQLite file, for one host and any number of processes on it.
export { SqliteLeaseProvider, type SqliteLeaseProviderOptions } from './provider.js';
