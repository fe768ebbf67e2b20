// Orders in PostgreSQL, with Hono and Drizzle: 64-bit keys in the table, external IDs in URLs and JSON, and 404 for links that
// were made up. The app gets what it needs, so that a test can run it without a socket.
import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { Hono } from 'hono';
import type { ExternalIdCodec, KazahanaClient } from 'kazahana';
import { pgKazahanaId } from 'kazahana/drizzle';
import * as z from 'zod';

export const orders = pgTable('orders', {
  id: pgKazahanaId().primaryKey(),
  what: text().notNull(),
});
/** A migration would do this. */
export const CREATE_TABLE = sql`CREATE TABLE IF NOT EXISTS orders (id bigint PRIMARY KEY, what text NOT NULL)`;

const NewOrder = z.strictObject({ what: z.string().min(1).max(200) });

export interface Parts {
  readonly db: NodePgDatabase;
  readonly client: Pick<KazahanaClient, 'nextId' | 'stats'>;
  readonly codec: ExternalIdCodec;
}

export function createApp({ db, client, codec }: Parts): Hono {
  const app = new Hono();

  app.post('/orders', async (context) => {
    const body = NewOrder.safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) return context.json({ error: z.prettifyError(body.error) }, 400);
    const order = { id: await client.nextId(), what: body.data.what };
    await db.insert(orders).values(order);
    const id = codec.toExternalId(order.id);
    return context.json({ ...order, id }, 201, { location: `/orders/${id}` });
  });

  app.get('/orders/:id', async (context) => {
    const id = codec.parse(context.req.param('id'));
    const [order] = id === undefined ? [] : await db.select().from(orders).where(eq(orders.id, id));
    if (order === undefined) return context.json({ error: 'there is no such order' }, 404);
    return context.json({ ...order, id: codec.toExternalId(order.id) });
  });

  app.get('/healthz', (context) => {
    const { throughputPerMs, randomIds } = client.stats();
    return context.json({ randomIds }, throughputPerMs > 0 ? 200 : 503);
  });

  return app;
}
