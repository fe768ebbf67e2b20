// What an acquire costs, in pages that it looks at: these can be counted, and do not depend on who else is running.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres, postgresUrl, startPostgres } from '../../../tests/services/postgres.ts';
import type { Service } from '../../../tests/services/process.ts';
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

/** A provider whose last acquire can be looked into. */
class Explained {
  readonly provider: PostgresLeaseProvider;
  #last = '';

  constructor(schema: string, layout: Layout) {
    const services = { default: { ...layout, leaseDuration: 600_000, fallbackGrace: 0 } };
    this.provider = new PostgresLeaseProvider({ connect: () => this.#connect() }, { schema, services });
  }

  async #connect(): Promise<PostgresClient> {
    const client = await pool.connect();
    return {
      query: (text) => {
        if (text.includes('.acquire(')) this.#last = text;
        return client.query(text);
      },
      release: client.release.bind(client),
      on: client.on.bind(client),
      removeListener: client.removeListener.bind(client),
    };
  }

  get #hexadecimal(): string {
    return /decode\('([0-9a-f]+)'/.exec(this.#last)?.[1] ?? '';
  }

  /** What the last acquire sent. */
  get args(): Readonly<Record<string, unknown>> {
    return JSON.parse(Buffer.from(this.#hexadecimal, 'hex').toString());
  }

  /** The pages that an acquire looks at; it is undone. */
  async pages(args = this.args): Promise<number> {
    const text = this.#last
      .replace(this.#hexadecimal, Buffer.from(JSON.stringify(args)).toString('hex'))
      .replace('SELECT', 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT')
      .replace(/COMMIT$/, 'ROLLBACK');
    const client = await pool.connect();
    // The first time, it is also compiled and planned.
    await client.query(text);
    const results = (await client.query(text)) as unknown as pg.QueryResult[];
    client.release();
    const [{ Plan: plan }] = results.flatMap(({ rows }) => rows)[0]['QUERY PLAN'];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
}

/** Acquires and releases as a server does, by the same functions and with its memory, but inside PostgreSQL: quicker. */
const pairs = (schema: string, args: object, { bitSeq }: Layout, count: number): string => `
  DO $do$
  DECLARE
    args jsonb := $json$${JSON.stringify(args)}$json$;
    granted jsonb;
    released jsonb;
  BEGIN
    FOR i IN 1..${count} LOOP
      granted := ${schema}.acquire(args);
      args := args || jsonb_build_object('place', granted -> 'place');
      COMMIT;
      released := ${schema}.release(jsonb_build_object('pool', args -> 'pool', 'id', args -> 'id', 'version', 1,
        'slot', granted -> 'slots' -> 0, 'bit_seq', ${bitSeq}, 'is_former', false, 'serial', granted -> 'serial',
        'fallback_until', (granted ->> 'now')::bigint + 600000, 'free_from', (granted ->> 'now')::bigint));
      COMMIT;
      IF (released ->> 'isDone')::boolean IS NOT TRUE THEN
        RAISE EXCEPTION 'was granted %, and could not release', granted;
      END IF;
    END LOOP;
  END
  $do$`;

describe('an acquire', () => {
  it('looks at as many pages however full the pool is', async () => {
    const slots = 2 ** 11;
    const explained = new Explained('filled', { bitId: 12, bitSeq: 10 });
    const { provider } = explained;
    const pages: number[] = [];
    for (const part of [0, 0.5, 0.99, 1]) {
      const { held } = await provider.inspectPool();
      const missing = Math.floor(slots * part) - held - 1;
      if (missing > 0) await provider.acquire({ throughputPerMs: missing * 2 ** 10 });
      await provider.acquire({});
      pages.push(await explained.pages());
    }
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'POOL_EXHAUSTED' });
    console.log('pages when it is empty, half full, at 99 %, full:', pages.join(', '));
    for (const count of pages) expect(count).toBeLessThanOrEqual(1.5 * (pages[0] ?? 0));
  });

  it.each([
    ['a pool of 8,192', { bitId: 14, bitSeq: 8 }],
    ['a pool of 64, where each slot is soon taken again', { bitId: 7, bitSeq: 15 }],
  ])('from %s looks at no more beside an idle transaction and its dead rows', async (_, layout) => {
    const COUNT = 2000;
    const schema = `idle_${layout.bitId}`;
    const explained = new Explained(schema, layout);
    await explained.provider.acquire({});
    await explained.provider.acquire({});
    const before = await explained.pages();

    const idle = await pool.connect();
    await idle.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
    const started = performance.now();
    await pool.query(pairs(schema, explained.args, layout, COUNT));
    const micros = Math.round((1000 * (performance.now() - started)) / COUNT);
    // This server remembers a place from before; with its next acquire it comes to know the present one.
    await explained.provider.acquire({});
    await explained.provider.acquire({});
    const after = await explained.pages();
    const { place: _place, ...fromTheHead } = explained.args;
    const without = await explained.pages(fromTheHead);
    await idle.query('ROLLBACK');
    idle.release();
    console.log(
      `pages before: ${before}; after ${COUNT} pairs (${micros} µs each): ${after}; from the head: ${without}`,
    );
    // The indexes have grown by a level or two.
    expect(after).toBeLessThanOrEqual(before + 20);
    expect(without).toBeGreaterThan(2 * after);
  });
});
