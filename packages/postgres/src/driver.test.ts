// The driver against its contract, on a real server.
import { MemoryDriver } from 'kazahana';
import {
  type Changes,
  defaultEnvironment,
  type Facts,
  type LeaseDriver,
  type ReadSlot,
  type StoredResponse,
  type Wanted,
} from 'kazahana/lease';
import { leaseDriverConformance } from 'kazahana/testing';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../simulation/world.ts';
import { connectPostgres, postgresUrl, startPostgres } from '../../../tests/services/postgres.ts';
import type { Service } from '../../../tests/services/process.ts';
import { clockTable } from '../../../tests/stores/postgres.ts';
import { PostgresDriver } from './driver.js';

let service: Service;
let pool: pg.Pool;
beforeAll(async () => {
  service = await startPostgres(['fsync=off', 'full_page_writes=off']);
  pool = connectPostgres(postgresUrl(service));
});
afterAll(async () => {
  // First: a test that failed may have left a connection on loan, for which the pool would wait.
  await service.dispose();
  await pool.end();
});

let schemas = 0;
/** A fresh schema, whose clock stands still until the test moves it. */
async function subject() {
  const schema = `driver_${++schemas}`;
  const { clock, create, set } = clockTable(schema);
  const connect = () => new PostgresDriver(pool, { schema, clock });
  const driver = connect();
  await driver.migrate();
  await create(pool);
  let now = Date.parse('2027-01-01T00:00:00Z');
  await set(pool, now);
  return {
    driver,
    other: connect(),
    locks: true,
    now: () => now,
    async advance(ms: number) {
      now += ms;
      await set(pool, now);
    },
    // The pool stays locked until its connection ends, so a copy of it would be as it is; and a fail-over ends all connections.
    backup: async () => async () => {
      await pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'",
      );
    },
  };
}

describe('the PostgreSQL driver conforms:', () => {
  for (const { name, run } of leaseDriverConformance(subject)) it(name, run);
});

describe('random turns', () => {
  const GENERATIONS = ['a', 'b'];
  const REQUESTS = ['one', 'two', 'three', 'four'];
  const QUOTAS = ['p', 'q'];
  const SLOTS = 12;

  const byKey = (a: ReadSlot, b: ReadSlot) => (a.generation + a.slot < b.generation + b.slot ? -1 : 1);
  const byRequest = (a: StoredResponse, b: StoredResponse) => (a.request < b.request ? -1 : 1);

  function drawWanted(random: Random): Wanted {
    const some = <Item>(items: readonly Item[]) => items.filter(() => random.chance(0.3));
    // Mostly the same search again: where it begins depends on the last one.
    const isWhole = random.chance(0.9);
    const from = isWhole ? 0 : random.integer(0, SLOTS / 2);
    const free = {
      generation: random.chance(0.85) ? 'a' : 'b',
      from,
      to: isWhole ? SLOTS : random.integer(from, SLOTS),
      skip: random.chance(0.85) ? 0 : random.integer(0, SLOTS),
      count: random.integer(0, 8),
    };
    const keys = GENERATIONS.map((generation) => ({ generation, slot: random.integer(0, SLOTS - 1) }));
    return {
      ...(random.chance(0.8) && { free }),
      ...(random.chance(0.3) && { held: random.pick(GENERATIONS) }),
      ...{ slots: some(keys), requests: some(REQUESTS), quotas: some(QUOTAS) },
    };
  }

  /** Changes to what was read: some slots, some responses. */
  function drawChanges(random: Random, { requests }: Wanted, facts: Facts): Omit<Changes, 'poolVersion'> {
    const read = new Map(
      [...[...facts.slots].sort(byKey), ...facts.free].map((slot) => [
        `${slot.generation} ${slot.slot}`,
        slot,
      ]),
    );
    const taken = [...read.values()].filter((_, i) => random.chance(i === 0 ? 0.8 : 0.4));
    const slots = taken.map((before) => {
      const freeFrom = Math.max(0, facts.now + random.integer(-20, 20) * 10);
      const quotas = QUOTAS.filter(() => random.chance(0.3));
      return { before, after: { ...before, freeFrom, quotas, data: `${random.integer(0, 999)}` } };
    });
    const keys = taken.slice(0, 2).map(({ generation, slot }) => ({ generation, slot }));
    const responses = requests
      .filter(() => random.chance(0.5))
      .map((request) => ({
        before: facts.responses.find((response) => response.request === request)?.created ?? null,
        after: { request, created: facts.now, slots: keys },
      }));
    const known = [...facts.responses].sort(byRequest);
    const forget = known.filter(({ request }) => !responses.some(({ after }) => after.request === request));
    return {
      ...((facts.pool === null || random.chance(0.2)) && { pool: `record ${random.integer(0, 999)}` }),
      ...{ grants: random.integer(0, 3), serialAtLeast: random.integer(0, 50), slots, responses, quotas: [] },
      forget: forget.filter(() => random.chance(0.5)).map(({ request, created }) => ({ request, created })),
    };
  }

  const withoutVersion = ({ version, ...slot }: ReadSlot) => ({ ...slot, isWritten: version !== null });
  /** What drivers must agree on: not the versions, nor the order of what has none. */
  const essence = ({ pool: record, free, slots, responses, incarnation: _, ...rest }: Facts) => ({
    ...rest,
    pool: record?.data,
    free: free.map(withoutVersion),
    slots: [...slots].sort(byKey).map(withoutVersion),
    responses: [...responses].sort(byRequest),
  });

  it('have the same facts in two drivers on one store as in memory', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = new Random(seed);
      const { driver, other, now, advance } = await subject();
      const memory = new MemoryDriver({ environment: { ...defaultEnvironment, now } });
      for (let turn = 0; turn < 60; turn++) {
        const where = `seed ${seed}, turn ${turn}`;
        const stores: LeaseDriver[] = [memory, random.chance(0.5) ? driver : other];
        const wanted = drawWanted(random);
        const [expected, facts] = (await Promise.all(stores.map((store) => store.read('pool', wanted)))) as [
          Facts,
          Facts,
        ];
        if (random.chance(0.1)) await driver.abandon(facts).then(() => other.abandon(facts));
        else {
          const seedOfChanges = random.integer(1, 1e9);
          const serials = [expected, facts].map((read, i) => {
            const changes = drawChanges(new Random(seedOfChanges), wanted, read);
            return stores[i]?.write('pool', { poolVersion: read.pool?.version ?? null, ...changes }, read);
          });
          const [serial, got] = await Promise.all(serials);
          expect(got, where).toEqual(serial);
        }
        // Not before: a test that fails must not keep a connection.
        expect(essence(facts), where).toEqual(essence(expected));
        if (turn % 20 === 19) for (const store of [memory, driver]) await store.drop('pool', 'a');
        const [listed, list] = await Promise.all(stores.map((store) => store.list('pool', 'a', turn % 9, 5)));
        expect(list?.map(withoutVersion), where).toEqual(listed?.map(withoutVersion));
        await advance(random.integer(0, 50));
      }
    }
  });
});
