// PostgreSQL for the tests that drive every store: a server of its own, and a schema for every case.
import { PostgresLeaseProvider } from '@kazahana/postgres';
import type { PoolsOptions } from 'kazahana/lease';
import { type ConformanceSubject, virtualEnvironment } from 'kazahana/testing';
import type pg from 'pg';
import { connectPostgres, postgresUrl, startPostgres } from '../services/postgres.ts';
import type { StartedStore, StoreUnderTest } from './store-under-test.ts';

/** Puts a clock that a table holds in the place of the store's own: nothing else about the functions changes. */
async function replaceClock(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(`
    CREATE TABLE "${schema}".test_clock AS SELECT 0::bigint AS now_ms;
    CREATE OR REPLACE FUNCTION "${schema}".now_ms() RETURNS bigint LANGUAGE sql VOLATILE
      AS 'SELECT now_ms FROM "${schema}".test_clock'`);
}

/** Schemas of one kind. One that is given back is emptied and used again: that is quicker than to make another. */
class Schemas {
  readonly #pool: pg.Pool;
  readonly #kind: string;
  readonly #prepare: (pool: pg.Pool, schema: string) => Promise<void>;
  readonly #free: string[] = [];
  #made = 0;

  constructor(pool: pg.Pool, kind: string, prepare: (pool: pg.Pool, schema: string) => Promise<void>) {
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
    const tables = ['pools', 'slots', 'former_leases', 'grants'].map((table) => `"${schema}".${table}`);
    await this.#pool.query(`TRUNCATE ${tables.join(', ')}`);
    this.#free.push(schema);
  }
}

export const postgres: StoreUnderTest = {
  name: 'postgres',

  async start(): Promise<StartedStore> {
    // Nobody pulls the plug of this machine, and the disk is slow.
    const service = await startPostgres(['fsync=off', 'full_page_writes=off']);
    const pool = connectPostgres(postgresUrl(service));
    const real = new Schemas(pool, 'real', async () => {});
    const virtual = new Schemas(pool, 'virtual', replaceClock);

    const open = (schemas: Schemas, schema: string, options: PoolsOptions): ConformanceSubject => {
      const connect = (others: PoolsOptions) => new PostgresLeaseProvider(pool, { ...others, schema });
      return {
        provider: connect(options),
        reopen: async (others) => connect(others),
        dispose: () => schemas.giveBack(schema),
      };
    };

    return {
      address: postgresUrl(service),
      subject: async (options) => open(real, await real.take(), options),
      async virtualSubject(options) {
        const schema = await virtual.take();
        const time = virtualEnvironment();
        const setClock = () => pool.query(`UPDATE "${schema}".test_clock SET now_ms = ${time.now()}`);
        await setClock();
        return {
          ...open(virtual, schema, options),
          now: time.now,
          async advance(ms) {
            await time.advance(ms);
            await setClock();
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
