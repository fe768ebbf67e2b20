// The example with Hono, Drizzle and PostgreSQL, against a real server: made, linked to, read back exactly; and 404, never 500, for
// links that were made up.
import { PostgresLeaseProvider } from '@kazahana/postgres';
import { drizzle } from 'drizzle-orm/node-postgres';
import { createExternalIdCodec, KazahanaClient } from 'kazahana';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CREATE_TABLE, createApp } from '../../examples/hono-drizzle-postgres/app.ts';
import { postgresUrl, startPostgres } from '../services/postgres.ts';
import type { Service } from '../services/process.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('examples/hono-drizzle-postgres', () => {
  const codec = createExternalIdCodec({ prefix: 'order', secret: 'kazahana' });
  let service: Service;
  let pool: pg.Pool;
  let client: KazahanaClient;
  let app: ReturnType<typeof createApp>;

  beforeAll(async () => {
    service = await startPostgres();
    pool = new pg.Pool({ connectionString: postgresUrl(service) });
    client = new KazahanaClient({ provider: new PostgresLeaseProvider(pool), disableFallback: true });
    const db = drizzle(pool);
    await db.execute(CREATE_TABLE);
    app = createApp({ db, client, codec });
  });
  afterAll(async () => {
    await client.shutdown();
    await pool.end();
    await service.dispose();
  });

  const post = (body: string) =>
    app.request('/orders', { method: 'POST', headers: { 'content-type': 'application/json' }, body });

  it('makes an order, and finds it under its external ID', async () => {
    const made = await post(JSON.stringify({ what: 'tea' }));
    expect(made.status).toBe(201);
    const location = made.headers.get('location') ?? '';
    expect(location).toMatch(/^\/orders\/order_[\w-]{11}$/);
    const order = await made.json();
    expect(order).toEqual({ id: location.slice('/orders/'.length), what: 'tea' });
    expect(await (await app.request(location)).json()).toEqual(order);
    const { rows } = await pool.query('SELECT id FROM orders');
    expect(rows).toEqual([{ id: String(codec.toInternalId(order.id)) }]);
  });

  it('is 404 for a link that was made up, whatever it is', async () => {
    const random = crypto.getRandomValues(new Uint8Array(11 * 300));
    const bodies = Array.from({ length: 300 }, (_, i) =>
      Array.from(random.subarray(11 * i, 11 * i + 11), (byte) => ALPHABET.charAt(byte & 63)).join(''),
    );
    const links = [
      ...bodies.map((body) => `order_${body}`),
      codec.toExternalId(2n ** 64n - 1n),
      codec.toExternalId(5n),
      'user_AAAAAAAAAAA',
      '42',
      '%00',
      "'; DROP TABLE orders",
    ];
    for (const link of links) {
      expect((await app.request(`/orders/${encodeURIComponent(link)}`)).status).toBe(404);
    }
  });

  it('is 400 for a body that is no order', async () => {
    for (const body of ['', '{', '{}', '{"what":""}', '{"what":"tea","id":5}']) {
      expect((await post(body)).status).toBe(400);
    }
  });

  it('is healthy while it has a lease', async () => {
    expect((await app.request('/healthz')).status).toBe(200);
  });
});
