// The server of the page: orders in SQLite, external IDs in JSON and URLs, and 404 for links that were made up.
// DATABASE=orders.db ORDER_SECRET=… npm start
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { Hono } from 'hono';
import { createExternalIdCodec, KazahanaClient } from 'kazahana';
import { isCanonicalUuid, uuidToBytes } from 'kazahana/uuid';

interface Order {
  readonly id: bigint;
  readonly what: string;
}

const { DATABASE = 'orders.db', ORDER_SECRET, PORT = '3000' } = process.env;
// Integers as bigint: a number would lose digits.
const database = new DatabaseSync(DATABASE, { readBigInts: true });
database.exec(
  'CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, key BLOB UNIQUE, what TEXT NOT NULL)',
);
const insert = database.prepare('INSERT OR IGNORE INTO orders (id, key, what) VALUES (?, ?, ?)');
const byKey = database.prepare('SELECT id, what FROM orders WHERE key = ?');
const byId = database.prepare('SELECT id, what FROM orders WHERE id = ?');

const provider = new SqliteLeaseProvider({ path: `${DATABASE}.leases` });
const client = new KazahanaClient({ provider, disableRandomFallback: true });
// Without ORDER_SECRET this throws, rather than showing the order of the orders.
const codec = createExternalIdCodec({ prefix: 'order', secret: ORDER_SECRET ?? '' });
const toJson = ({ id, what }: Order) => ({ id: codec.toExternalId(id), what });

function findOrder(externalId: string): Order | undefined {
  const id = codec.parse(externalId);
  return id === undefined ? undefined : (byId.get(id) as Order | undefined);
}

const app = new Hono();

app.post('/api/orders', async (context) => {
  const { what } = await context.req.json<{ what?: unknown }>().catch(() => ({ what: undefined }));
  if (typeof what !== 'string' || what === '') return context.json({ error: 'what must be a text' }, 400);
  const name = context.req.header('idempotency-key');
  if (name !== undefined && !isCanonicalUuid(name))
    return context.json({ error: 'idempotency-key must be a UUID' }, 400);
  const key = name === undefined ? null : uuidToBytes(name);
  const made = { id: await client.nextId(), what };
  insert.run(made.id, key, what);
  // A key that came before keeps the order that it made.
  const order = key === null ? made : (byKey.get(key) as unknown as Order);
  const shown = toJson(order);
  return context.json(shown, 201, { location: `/api/orders/${shown.id}` });
});

app.get('/api/orders/:id', (context) => {
  const order = findOrder(context.req.param('id'));
  return order === undefined
    ? context.json({ error: 'there is no such order' }, 404)
    : context.json(toJson(order));
});

// Every route of the page is the same file; the status tells crawlers what the page tells people.
const page = readFileSync('dist/index.html', 'utf8');
app.get('/orders/:id', (context) =>
  context.html(page, findOrder(context.req.param('id')) === undefined ? 404 : 200),
);
app.use(serveStatic({ root: 'dist' }));

await client.ready();
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});

process.once('SIGTERM', () => {
  server.close(async () => {
    await client.shutdown();
    await provider.close();
    database.close();
  });
});
