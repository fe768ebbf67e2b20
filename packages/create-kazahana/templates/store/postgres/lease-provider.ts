// Leases in PostgreSQL, for all hosts that share it; they have a schema of their own, kazahana.
import { PostgresLeaseProvider } from '@kazahana/postgres';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
pool.on('error', (error) => console.error('PostgreSQL:', error.message));

export const provider = new PostgresLeaseProvider(pool);

export async function closeProvider(): Promise<void> {
  await pool.end();
}
