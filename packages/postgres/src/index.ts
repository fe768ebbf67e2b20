// @kazahana/postgres: leases for kazahana IDs in PostgreSQL.
export { PostgresLeaseProvider, type PostgresLeaseProviderOptions } from './provider.js';
export type { PostgresClient, PostgresPool } from './types.js';
