// Orders in PostgreSQL, with Prisma 7 and its driver adapter: DATABASE_URL=postgres://… ORDER_SECRET=… npm start
// 64-bit keys in the table, external IDs in URLs and JSON, and 404 for links that were made up.
import { serve } from '@hono/node-server';
import { PostgresLeaseProvider } from '@kazahana/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import { Hono } from 'hono';
import { createExternalIdCodec, KazahanaClient } from 'kazahana';
import pg from 'pg';
import { type Order, PrismaClient } from './generated/client.ts';

const { DATABASE_URL, ORDER_SECRET, PORT = '3000' } = process.env;
// One pool of connections for the orders and the leases.
const pool = new pg.Pool({ connectionString: DATABASE_URL });
const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
const client = new KazahanaClient({ provider: new PostgresLeaseProvider(pool), disableRandomFallback: true });
// Without ORDER_SECRET this throws, rather than showing the order of the orders.
const codec = createExternalIdCodec({ prefix: 'order', secret: ORDER_SECRET ?? '' });
// JSON.stringify throws for a bigint: this says what leaves the program.
const toJson = ({ id, what }: Order) => ({ id: codec.toExternalId(id), what });

const app = new Hono();

app.post('/orders', async (context) => {
  const { what } = await context.req.json<{ what?: unknown }>().catch(() => ({ what: undefined }));
  if (typeof what !== 'string' || what === '') return context.json({ error: 'what must be a text' }, 400);
  const order = await prisma.order.create({ data: { id: await client.nextId(), what } });
  const shown = toJson(order);
  return context.json(shown, 201, { location: `/orders/${shown.id}` });
});

app.get('/orders/:id', async (context) => {
  const id = codec.parse(context.req.param('id'));
  const order = id === undefined ? null : await prisma.order.findUnique({ where: { id } });
  return order === null
    ? context.json({ error: 'there is no such order' }, 404)
    : context.json(toJson(order));
});

// `prisma migrate` would do this.
await prisma.$executeRaw`CREATE TABLE IF NOT EXISTS orders (id bigint PRIMARY KEY, what text NOT NULL)`;
await client.ready();
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});

process.once('SIGTERM', () => {
  server.close(async () => {
    await client.shutdown();
    await prisma.$disconnect();
    await pool.end();
  });
});
