// kazahana/zod, kazahana/drizzle and kazahana/opentelemetry with the libraries that they are for.
import { DatabaseSync } from 'node:sqlite';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { eq } from 'drizzle-orm';
import { getTableConfig as mysqlConfig, mysqlTable } from 'drizzle-orm/mysql-core';
import { getTableConfig as pgConfig, pgTable } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteConfig, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { createExternalIdCodec, KazahanaClient, type KazahanaId, MemoryLeaseProvider } from 'kazahana';
import * as columns from 'kazahana/drizzle';
import { encodePylonId, type PylonId } from 'kazahana/estelle';
import { observeClient } from 'kazahana/opentelemetry';
import { virtualEnvironment } from 'kazahana/testing';
import { generateV4, generateV7 } from 'kazahana/uuid';
import * as ids from 'kazahana/zod';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const ID = 115612034447441927n as KazahanaId;

describe('kazahana/zod', () => {
  const codec = createExternalIdCodec({ prefix: 'order', secret: 'kazahana' });
  const Order = z.object({ id: ids.kazahanaId(), link: ids.externalId(codec), trace: ids.uuid(7) });

  it('reads IDs from JSON and writes them back', () => {
    const order = { id: ID, link: ID, trace: generateV7() };
    const sent = z.encode(Order, order);
    expect(sent).toEqual({ id: String(ID), link: codec.toExternalId(ID), trace: order.trace });
    expect(z.decode(Order, JSON.parse(JSON.stringify(sent)))).toEqual(order);
  });

  it('gives branded types', () => {
    const { id, link } = Order.parse({ id: String(ID), link: codec.toExternalId(ID), trace: generateV7() });
    const pylon: PylonId = ids.pylonId().parse(encodePylonId(1, 2));
    expect([id, link] satisfies KazahanaId[]).toEqual([ID, ID]);
    expect(pylon).toBe(encodePylonId(1, 2));
  });

  const refused: [schema: z.ZodType, values: unknown[]][] = [
    [ids.kazahanaId(), ['', '-1', '01', '1.5', '1e3', ' 1', '9223372036854775808', 5, 5n, null, undefined]],
    [ids.externalId(codec), ['', 'order_', 'user_AAAAAAAAAAA', codec.toExternalId(2n ** 63n), ID, null]],
    [ids.uuid(), ['', `{${generateV7()}}`, generateV7().replaceAll('-', ''), 5]],
    [ids.uuid(7), [generateV4(), '00000000-0000-0000-0000-000000000000']],
    [ids.pylonId(), [-1, 2 ** 24, 1.5, '5', null]],
    [ids.clientId(), [encodePylonId(0, 1), '5']],
    [ids.workspaceId(), [-1, 2 ** 30]],
    [ids.conversationId(), [-1, 2 ** 30]],
  ];
  for (const [index, [schema, values]] of refused.entries()) {
    for (const value of values) {
      it(`refuses ${typeof value} ${String(value)} (${index})`, () => {
        expect(schema.safeParse(value).success).toBe(false);
      });
    }
  }

  it('is text in a JSON Schema', () => {
    const { properties } = z.toJSONSchema(Order, { io: 'input' });
    expect(properties).toMatchObject({
      id: { type: 'string' },
      link: { type: 'string' },
      trace: { format: 'uuid' },
    });
  });
});

describe('kazahana/drizzle', () => {
  it('names the column types of each database', () => {
    const pg = pgTable('t', { id: columns.pgKazahanaId(), uuid: columns.pgUuid() });
    const mysql = mysqlTable('t', { id: columns.mysqlKazahanaId(), uuid: columns.mysqlUuid() });
    const sqlite = sqliteTable('t', { id: columns.sqliteKazahanaId(), uuid: columns.sqliteUuid() });
    const typesOf = (config: { columns: { getSQLType(): string }[] }) =>
      config.columns.map((c) => c.getSQLType());
    expect(typesOf(pgConfig(pg))).toEqual(['bigint', 'uuid']);
    expect(typesOf(mysqlConfig(mysql))).toEqual(['bigint', 'binary(16)']);
    expect(typesOf(sqliteConfig(sqlite))).toEqual(['integer', 'blob']);
  });

  it('keeps every bit in SQLite, and UUIDs in 16 bytes', async () => {
    const orders = sqliteTable('orders', {
      id: columns.sqliteKazahanaId().primaryKey(),
      trace: columns.sqliteUuid().notNull(),
      what: text().notNull(),
    });
    using database = new DatabaseSync(':memory:', { readBigInts: true });
    database.exec('CREATE TABLE orders (id integer PRIMARY KEY, trace blob NOT NULL, what text NOT NULL)');
    const db = drizzle(async (sql, params, method) => {
      const statement = database.prepare(sql);
      if (method === 'run') {
        statement.run(...params);
        return { rows: [] };
      }
      statement.setReturnArrays(true);
      return { rows: statement.all(...params) as unknown as unknown[] };
    });
    const row = { id: ID, trace: generateV7(), what: 'tea' };
    await db.insert(orders).values(row);
    const found = await db.select().from(orders).where(eq(orders.id, ID));
    expect(found).toEqual([row]);
    expect(database.prepare('SELECT typeof(id) AS id, length(trace) AS trace FROM orders').get()).toEqual({
      id: 'integer',
      trace: 16n,
    });
  });

  it('takes what drivers give, and refuses a number that has lost digits', () => {
    const table = pgTable('t', { id: columns.pgKazahanaId() });
    const { id } = table;
    expect(id.mapFromDriverValue(String(ID))).toBe(ID);
    expect(id.mapFromDriverValue(ID)).toBe(ID);
    expect(id.mapFromDriverValue(42)).toBe(42n);
    expect(() => id.mapFromDriverValue(Number(ID))).toThrow('a number has lost digits');
    expect(id.mapToDriverValue(ID)).toBe(String(ID));
  });
});

describe('kazahana/opentelemetry', () => {
  it('measures what a client counts', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    const environment = virtualEnvironment();
    const client = new KazahanaClient({
      provider: new MemoryLeaseProvider({ environment }),
      environment,
      serviceId: 'orders',
    });
    const stop = observeClient(client, { meter: provider.getMeter('test'), attributes: { zone: 'a' } });
    const collect = async () => {
      exporter.reset();
      await reader.forceFlush();
      const metrics = exporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((s) => s.metrics));
      return Object.fromEntries(
        metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map((p) => [p.attributes, p.value]),
        ]),
      );
    };
    await client.nextIds(5);
    const common = { service: 'orders', zone: 'a' };
    expect(await collect()).toEqual({
      'kazahana.client.ids': [
        [{ ...common, kind: 'leased' }, 5],
        [{ ...common, kind: 'fenced' }, 0],
        [{ ...common, kind: 'random' }, 0],
      ],
      'kazahana.client.exhausted_milliseconds': [[common, 0]],
      'kazahana.client.acquire_failures': [[common, 0]],
      'kazahana.client.clock_steps': [[common, 0]],
      'kazahana.client.leases': [[common, 1]],
      'kazahana.client.throughput': [[common, 256]],
      'kazahana.client.waiting': [[common, 0]],
      'kazahana.client.repeat_odds': [[common, 0]],
      'kazahana.client.clock_offset': [[common, 0]],
    });
    await client.nextId();
    expect((await collect())['kazahana.client.ids']?.[0]).toEqual([{ ...common, kind: 'leased' }, 6]);
    stop();
    await client.shutdown();
    await provider.shutdown();
  });

  it('needs no meter: the global provider has one', () => {
    expect(() => observeClient(new KazahanaClient())()).not.toThrow();
  });
});
