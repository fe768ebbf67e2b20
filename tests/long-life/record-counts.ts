// How many rows or keys each store has, all of them: what a life leaves behind.
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@redis/client';
import { connectPostgres } from '../services/postgres.ts';
import type { StoreName } from '../stores/store-under-test.ts';

interface Counter {
  count(): Promise<number>;
  close(): Promise<void>;
}

const COUNTERS: Readonly<Record<StoreName, (address: string) => Promise<Counter>>> = {
  async sqlite(path) {
    const database = new DatabaseSync(path, { readOnly: true });
    return {
      async count() {
        const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
        const counts = tables.map(
          ({ name }) => database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n,
        );
        return counts.reduce<number>((sum, count) => sum + Number(count), 0);
      },
      close: async () => database.close(),
    };
  },
  async redis(url) {
    const client = createClient({ url });
    await client.connect();
    return {
      async count() {
        let sum = 0;
        for (const key of await client.keys('*')) {
          const type = await client.type(key);
          sum += type === 'hash' ? await client.hLen(key) : type === 'zset' ? await client.zCard(key) : 1;
        }
        return sum;
      },
      close: () => client.close(),
    };
  },
  async postgres(url) {
    const pool = connectPostgres(url);
    return {
      async count() {
        const { rows } = await pool.query(
          "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
        );
        let sum = 0;
        for (const { schemaname, tablename } of rows) {
          const counted = await pool.query(`SELECT count(*) AS n FROM "${schemaname}"."${tablename}"`);
          sum += Number(counted.rows[0].n);
        }
        return sum;
      },
      close: () => pool.end(),
    };
  },
  async etcd(url) {
    const every = Buffer.from('\0').toString('base64');
    return {
      async count() {
        const body = JSON.stringify({ key: every, range_end: every, count_only: true });
        const response = await fetch(`${url}/v3/kv/range`, { method: 'POST', body });
        return Number(((await response.json()) as { count?: string }).count ?? 0);
      },
      close: async () => {},
    };
  },
};

export const openCounter = (name: StoreName, address: string): Promise<Counter> => COUNTERS[name](address);
