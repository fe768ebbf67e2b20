// Orders in SQLite, with Fastify and Kysely: DATABASE=orders.db ORDER_SECRET=… node main.ts
// 64-bit keys in the table, external IDs in URLs and JSON, and 404 for links that were made up.
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import fastify from 'fastify';
import { createExternalIdCodec, KazahanaClient } from 'kazahana';
import { Kysely, SqliteDialect } from 'kysely';
import { openDatabase } from './node-sqlite.ts';

interface Order {
  readonly id: bigint;
  readonly what: string;
}

const { DATABASE = 'orders.db', ORDER_SECRET, PORT = '3000' } = process.env;
const db = new Kysely<{ orders: Order }>({
  dialect: new SqliteDialect({ database: openDatabase(DATABASE) }),
});
// A second file for the leases: several processes on this machine may share it.
const provider = new SqliteLeaseProvider({ path: `${DATABASE}.leases` });
const client = new KazahanaClient({ provider, disableRandomFallback: true });
// Without ORDER_SECRET this throws, rather than showing the order of the orders.
const codec = createExternalIdCodec({ prefix: 'order', secret: ORDER_SECRET ?? '' });

// As it is: by default, Fastify makes the text "5" of the number 5.
const app = fastify({ ajv: { customOptions: { coerceTypes: false } } });
const NewOrder = {
  type: 'object',
  required: ['what'],
  additionalProperties: false,
  properties: { what: { type: 'string', minLength: 1 } },
} as const;
// JSON cannot hold a bigint; with a schema, Fastify writes these fields and no others.
const Shown = { type: 'object', properties: { id: { type: 'string' }, what: { type: 'string' } } } as const;

app.post<{ Body: { what: string } }>(
  '/orders',
  { schema: { body: NewOrder, response: { 201: Shown } } },
  async (request, response) => {
    const order = { id: await client.nextId(), what: request.body.what };
    await db.insertInto('orders').values(order).execute();
    const id = codec.toExternalId(order.id);
    return response
      .code(201)
      .header('location', `/orders/${id}`)
      .send({ ...order, id });
  },
);

app.get<{ Params: { id: string } }>(
  '/orders/:id',
  { schema: { response: { 200: Shown } } },
  async (request, response) => {
    const id = codec.parse(request.params.id);
    const order = id && (await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst());
    if (!order) return response.code(404).send({ error: 'there is no such order' });
    return { ...order, id: codec.toExternalId(order.id) };
  },
);

app.addHook('onClose', async () => {
  await client.shutdown();
  await provider.close();
  await db.destroy();
});

await db.schema
  .createTable('orders')
  .ifNotExists()
  .addColumn('id', 'integer', (column) => column.primaryKey())
  .addColumn('what', 'text', (column) => column.notNull())
  .execute();
await client.ready();
console.log(await app.listen({ port: Number(PORT), host: '127.0.0.1' }));

process.once('SIGTERM', () => app.close());
