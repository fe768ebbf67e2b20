// Runs the app: DATABASE_URL=postgres://… ORDER_SECRET=… node main.ts
import { serve } from '@hono/node-server';
import { PostgresLeaseProvider } from '@kazahana/postgres';
import { drizzle } from 'drizzle-orm/node-postgres';
import { createExternalIdCodec, KazahanaClient } from 'kazahana';
import pg from 'pg';
import { CREATE_TABLE, createApp } from './app.ts';

const { DATABASE_URL, ORDER_SECRET, PORT = '3000' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
const db = drizzle(pool);
// Leases are kept beside the orders. A fleet that has no database in common takes a lease server instead.
const client = new KazahanaClient({ provider: new PostgresLeaseProvider(pool), disableRandomFallback: true });
// Without ORDER_SECRET this throws, rather than showing the order of the orders.
const codec = createExternalIdCodec({ prefix: 'order', secret: ORDER_SECRET ?? '' });

await db.execute(CREATE_TABLE);
await client.ready();
const server = serve({ fetch: createApp({ db, client, codec }).fetch, port: Number(PORT) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});

process.once('SIGTERM', () => {
  server.close(async () => {
    await client.shutdown();
    await pool.end();
  });
});
