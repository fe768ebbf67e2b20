// PostgreSQL for the tests that drive every store: a server of its own, and a schema for every case.
import { PostgresDriver, PostgresLeaseProvider } from '@kazahana/postgres';
import { LeaseEngine, type PoolsOptions } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import type pg from 'pg';
import { connectPostgres, postgresUrl, startPostgres } from '../services/postgres.ts';
import type { StartedStore, StoreUnderTest } from './store-under-test.ts';

/** A clock that a table holds, as the driver asks it: nothing else about the driver changes. */
export const clockTable = (schema: string) => ({
  clock: `(SELECT now_ms FROM "${schema}".test_clock)`,
  create: (pool: pg.Pool) => pool.query(`CREATE TABLE "${schema}".test_clock AS SELECT 0::bigint AS now_ms`),
  set: (pool: pg.Pool, now: number) => pool.query(`UPDATE "${schema}".test_clock SET now_ms = ${now}`),
});

/** Schemas of one kind. One that is given back is emptied and used again: that is quicker than to make another. */
class Schemas {
  readonly #pool: pg.Pool;
  readonly #kind: string;
  readonly #prepare: (pool: pg.Pool, schema: string) => Promise<unknown>;
  readonly #free: string[] = [];
  #made = 0;

  constructor(pool: pg.Pool, kind: string, prepare: (pool: pg.Pool, schema: string) => Promise<unknown>) {
    this.#pool = pool;
    this.#kind = kind;
    this.#prepare = prepare;
  }

  async take(): Promise<string> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const schema = `${this.#kind}_${++this.#made}`;
    await new PostgresLeaseProvider(this.#pool, { schema }).migrate();
    await this.#prepare(this.#pool, schema);
    return schema;
  }

  async giveBack(schema: string): Promise<void> {
    const tables = ['pools', 'heads', 'slots', 'quotas', 'responses'].map((table) => `"${schema}".${table}`);
    await this.#pool.query(`TRUNCATE ${tables.join(', ')}`);
    this.#free.push(schema);
  }
}

export const postgres: StoreUnderTest = {
  name: 'postgres',

  async start(): Promise<StartedStore> {
    // The tests do not cut this machine's power, and the disk is slow.
    const service = await startPostgres(['fsync=off', 'full_page_writes=off']);
    const pool = connectPostgres(postgresUrl(service));
    const real = new Schemas(pool, 'real', async () => {});
    const virtual = new Schemas(pool, 'virtual', (_, schema) => clockTable(schema).create(pool));

    return {
      address: postgresUrl(service),
      async subject(options) {
        const schema = await real.take();
        const connect = (others: PoolsOptions) => new PostgresLeaseProvider(pool, { ...others, schema });
        return {
          provider: connect(options),
          reopen: async (others) => connect(others),
          dispose: () => real.giveBack(schema),
        };
      },
      async virtualSubject(options) {
        const schema = await virtual.take();
        const { clock, set } = clockTable(schema);
        const connect = (others: PoolsOptions) =>
          new LeaseEngine(new PostgresDriver(pool, { schema, clock }), others);
        const time = virtualEnvironment();
        await set(pool, time.now());
        return {
          provider: connect(options),
          reopen: async (others) => connect(others),
          dispose: () => virtual.giveBack(schema),
          now: time.now,
          async advance(ms) {
            await time.advance(ms);
            await set(pool, time.now());
          },
        };
      },
      async stop() {
        await pool.end();
        await service.dispose();
      },
    };
  },

  async connect(address, options) {
    const pool = connectPostgres(address);
    return { provider: new PostgresLeaseProvider(pool, options), close: () => pool.end() };
  },
};
