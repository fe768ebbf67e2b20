// Orders in PostgreSQL, with Express and `pg`: DATABASE_URL=postgres://… ORDER_SECRET=… node main.ts
// 64-bit keys in the table, external IDs in URLs and JSON, and 404 for links that were made up.
import { PostgresLeaseProvider } from '@kazahana/postgres';
import express, { type ErrorRequestHandler } from 'express';
import { createExternalIdCodec, KazahanaClient } from 'kazahana';
import pg from 'pg';

interface Order {
  readonly id: bigint;
  readonly what: string;
}

const { DATABASE_URL, ORDER_SECRET, PORT = '3000' } = process.env;
// `pg` reads bigint columns as text; from here on, as bigint.
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);
const pool = new pg.Pool({ connectionString: DATABASE_URL });
pool.on('error', (error) => console.error('an idle connection was lost:', error.message));
// Leases are kept beside the orders.
const client = new KazahanaClient({ provider: new PostgresLeaseProvider(pool), disableRandomFallback: true });
// Without ORDER_SECRET this throws, rather than showing the order of the orders.
const codec = createExternalIdCodec({ prefix: 'order', secret: ORDER_SECRET ?? '' });
// JSON.stringify throws for a bigint: this says what leaves the program.
const toJson = ({ id, what }: Order) => ({ id: codec.toExternalId(id), what });

const app = express();
app.use(express.json());

app.post('/orders', async (request, response) => {
  const { what } = (request.body ?? {}) as { what?: unknown };
  if (typeof what !== 'string' || what === '') {
    response.status(400).json({ error: 'what must be a text' });
    return;
  }
  const order = { id: await client.nextId(), what };
  await pool.query('INSERT INTO orders (id, what) VALUES ($1, $2)', [order.id, order.what]);
  const shown = toJson(order);
  response.status(201).location(`/orders/${shown.id}`).json(shown);
});

app.get('/orders/:id', async (request, response) => {
  const id = codec.parse(request.params.id);
  const found = id && (await pool.query<Order>('SELECT id, what FROM orders WHERE id = $1', [id]));
  const order = found ? found.rows[0] : undefined;
  if (order === undefined) response.status(404).json({ error: 'there is no such order' });
  else response.json(toJson(order));
});

const refuseBadJson: ErrorRequestHandler = (error, _request, response, next) => {
  if (error.type === 'entity.parse.failed') response.status(400).json({ error: 'the body must be JSON' });
  else next(error);
};
app.use(refuseBadJson);

await pool.query('CREATE TABLE IF NOT EXISTS orders (id bigint PRIMARY KEY, what text NOT NULL)');
await client.ready();
const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});

process.once('SIGTERM', () => {
  server.close(async () => {
    await client.shutdown();
    await pool.end();
  });
});
