// PostgreSQL by URL, with the schema as a setting of ours: `postgres://…/database?schema=kazahana`.
import { PostgresLeaseProvider } from '@kazahana/postgres';
import type { LeaseEngineOptions } from 'kazahana/lease';
import pg from 'pg';
import type { OpenedStore } from '../open-store.js';
import { unreadable } from './address.js';

const CONNECT_TIMEOUT_MS = 2000;
const CONNECTIONS = 16;

export async function openPostgres(url: string, options: LeaseEngineOptions): Promise<OpenedStore> {
  const parsed = URL.parse(url);
  // What belongs to a password, written as it is, would be taken for a host, a path or a query.
  if (parsed?.hash !== '' || /@/.test(parsed.pathname + parsed.search)) throw unreadable();
  if (parsed.hostname === '' && !parsed.searchParams.has('host')) throw unreadable();
  const schema = parsed.searchParams.get('schema');
  parsed.searchParams.delete('schema');
  const pool = new pg.Pool({
    connectionString: parsed.href,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'kazahana',
  });
  // Errors of idle connections. A call that uses a connection reports its errors itself.
  pool.on('error', () => {});
  const store = new PostgresLeaseProvider(pool, { ...options, ...(schema !== null && { schema }) });
  return { name: 'postgres', store, close: () => store.close().finally(() => pool.end()) };
}
