// @kazahana/postgres: leases for kazahana IDs in PostgreSQL.
export { PostgresDriver, type PostgresDriverOptions } from './driver.js';
export { PostgresLeaseProvider, type PostgresLeaseProviderOptions } from './provider.js';
export type { PostgresClient, PostgresPool } from './types.js';
