// What an acquire costs, in pages that it looks at: these can be counted, and do not depend on who else is running.
import type { LeaseInfo } from 'kazahana/lease';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres, postgresUrl, startPostgres } from '../../../tests/services/postgres.ts';
import type { Service } from '../../../tests/services/process.ts';
import { release } from '../../../tests/stores/calls.ts';
import { PostgresLeaseProvider } from './provider.js';
import type { PostgresClient } from './types.js';

let service: Service;
let pool: pg.Pool;
beforeAll(async () => {
  service = await startPostgres(['fsync=off', 'full_page_writes=off']);
  pool = connectPostgres(postgresUrl(service));
});
afterAll(async () => {
  await service.dispose();
  await pool.end();
});

interface Layout {
  readonly bitId: number;
  readonly bitSeq: number;
}

/** A provider whose last transaction can be looked into. */
class Counted {
  readonly provider: PostgresLeaseProvider;
  /** The pages that the last transaction that was committed has looked at, from its read to its write. */
  pages = 0;
  readonly #schema: string;

  constructor(schema: string, layout: Layout) {
    this.#schema = schema;
    const services = { default: { ...layout, leaseDuration: 600_000, fallbackGrace: 0 } };
    this.provider = new PostgresLeaseProvider({ connect: () => this.#connect() }, { schema, services });
  }

  async #connect(): Promise<PostgresClient> {
    const client = await pool.connect();
    const count = `SELECT sum(pg_stat_get_xact_blocks_fetched(oid)) AS pages FROM pg_class
      WHERE relnamespace = '${this.#schema}'::regnamespace`;
    let atFirst = 0;
    return {
      query: async (text) => {
        if (text.includes('FOR UPDATE')) {
          const results = (await client.query(
            text.replace(';', `; ${count};`),
          )) as unknown as pg.QueryResult[];
          atFirst = Number(results[1]?.rows[0].pages);
          return results;
        }
        if (!text.includes('INSERT INTO') || !text.endsWith('COMMIT')) return client.query(text);
        const counting = text.replace(/COMMIT$/, `${count}; COMMIT`);
        const results = (await client.query(counting)) as unknown as pg.QueryResult[];
        this.pages = Number(results.at(-2)?.rows[0].pages) - atFirst;
        return results;
      },
      release: client.release.bind(client),
      on: client.on.bind(client),
      removeListener: client.removeListener.bind(client),
    };
  }

  async acquire(): Promise<LeaseInfo> {
    const { leases } = await this.provider.acquire({});
    return leases[0] as LeaseInfo;
  }
}

describe('an acquire', () => {
  it('looks at as many pages however full the pool is', async () => {
    const slots = 2 ** 11;
    const counted = new Counted('filled', { bitId: 12, bitSeq: 10 });
    const { provider } = counted;
    const pages: number[] = [];
    for (const part of [0, 0.5, 0.99, 1]) {
      const { held } = await provider.inspectPool();
      const missing = Math.floor(slots * part) - held - 1;
      if (missing > 0) await provider.acquire({ throughputPerMs: missing * 2 ** 10 });
      await counted.acquire();
      pages.push(counted.pages);
    }
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'POOL_EXHAUSTED' });
    console.log('pages when it is empty, half full, at 99 %, full:', pages.join(', '));
    for (const count of pages) expect(count).toBeLessThanOrEqual(1.5 * (pages[0] ?? 0));
  });

  const COUNT = 2000;
  const AT_ONCE = 10;

  it.each([
    // The indexes grow by a level or two.
    ['a pool of 8,192', { bitId: 14, bitSeq: 8 }, 20],
    // And a primary key looks at every dead version of its row, when the row is looked up and when it is written.
    [
      'a pool of 64, where each slot is soon taken again',
      { bitId: 7, bitSeq: 15 },
      20 + (2 * 2 * COUNT) / 64,
    ],
  ])('from %s looks at no more beside an idle transaction and its dead rows', async (_, layout, more) => {
    const schema = `idle_${layout.bitId}`;
    const counted = new Counted(schema, layout);
    const { provider } = counted;
    // Every slot has been used once, and is free.
    const all = await provider.acquire({ throughputPerMs: 2 ** 21 });
    await Promise.all(all.leases.map((lease) => release(provider, lease)));
    await release(provider, await counted.acquire());
    await counted.acquire();
    const before = counted.pages;

    const idle = await pool.connect();
    await idle.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
    for (let i = 0; i < COUNT; i += AT_ONCE) {
      const leases = await Promise.all(Array.from({ length: AT_ONCE }, () => counted.acquire()));
      await Promise.all(leases.map((lease) => release(provider, lease)));
    }
    await counted.acquire();
    const after = counted.pages;
    await pool.query(`UPDATE ${schema}.heads SET free_from = 0, slot = 0`);
    await counted.acquire();
    const fromTheHead = counted.pages;
    await idle.query('ROLLBACK');
    idle.release();
    console.log(`pages before: ${before}; after ${COUNT} pairs: ${after}; from the head: ${fromTheHead}`);
    expect(after).toBeLessThanOrEqual(before + more);
    expect(fromTheHead).toBeGreaterThan(2 * after);
  });
});
