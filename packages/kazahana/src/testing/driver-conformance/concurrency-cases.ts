// Several processes at once: each turn is a read and its write, and turns that meet do not lose each other's work.
import type { Facts, LeaseDriver, Wanted } from '../../lease/driver.js';
import { check, equal } from '../conformance/checks.js';
import {
  become,
  type DriverCase,
  type DriverTrial,
  firstWrite,
  free,
  GENERATION,
  LONG,
  NOTHING,
  numbersOf,
  POOL,
  unwritten,
  upTo,
} from './subject.js';

/** More than the turns of a case can meet. */
const MANY = 1000;

/** Reads and writes until a write is kept, or there is nothing to write. */
async function turn<Result>(
  trial: DriverTrial,
  driver: LeaseDriver,
  wanted: Partial<Wanted>,
  decide: (facts: Facts) => {
    readonly change?: Parameters<DriverTrial['attempt']>[1];
    readonly result: Result;
  },
): Promise<Result> {
  for (let attempt = 0; attempt < MANY; attempt++) {
    const facts = await driver.read(POOL, { ...NOTHING, ...wanted });
    const { change, result } = decide(facts);
    if (!change) {
      await driver.abandon?.(facts);
      return result;
    }
    if ((await trial.attempt(facts, change, { driver })) !== 'changed') return result;
  }
  throw new Error(`a write is refused ${MANY} times, though each time another one should have been kept`);
}

/** Runs turns over both drivers at once; one after another on each, as an engine does, where a read waits for a lock. */
async function allAtOnce<Result>(
  trial: DriverTrial,
  count: number,
  take: (driver: LeaseDriver, index: number) => Promise<Result>,
): Promise<Result[]> {
  const drivers = [trial.driver, trial.other];
  const last = new Map<LeaseDriver, Promise<unknown>>();
  const turns = upTo(count).map((index) => {
    const driver = drivers[index % drivers.length] ?? trial.driver;
    const before = trial.locks ? last.get(driver) : undefined;
    const result = (before ?? Promise.resolve()).then(() => take(driver, index));
    last.set(driver, result);
    return result;
  });
  return Promise.all(turns);
}

export const concurrencyCases: readonly DriverCase[] = [
  {
    name: 'twenty turns at once that each take a slot take twenty different ones',
    rule: 'R2',
    async run(trial) {
      await trial.create();
      const taken = await allAtOnce(trial, 20, (driver, index) =>
        turn(trial, driver, free({ to: 64, count: 1 }), ({ free: [slot] }) => {
          check(slot?.version === null, 'a slot that was never written must come first');
          const change = { grants: 1, slots: [become(slot, { freeFrom: 9, data: `${index}` })] };
          return { change, result: slot.slot };
        }),
      );
      equal(
        'the slots granted',
        taken.toSorted((a, b) => a - b),
        upTo(20),
      );
      equal('the serial', (await trial.look()).serial, 20);
      const list = await trial.driver.list(POOL, GENERATION, -1, 100);
      const owners = taken.map((_, slot) => `${taken.indexOf(slot)}`);
      equal(
        'the turn that has each slot',
        list.map(({ data }) => data),
        owners,
      );
    },
  },
  {
    name: 'turns at once on one slot come one after the other',
    rule: 'R2',
    async run(trial) {
      await trial.create(firstWrite(0, { data: '0' }));
      const key = { generation: GENERATION, slot: 0 };
      const seen = await allAtOnce(trial, 12, (driver) =>
        turn(trial, driver, { slots: [key] }, ({ slots: [slot = unwritten(0)] }) => ({
          change: { grants: 1, slots: [become(slot, { data: String(Number(slot.data) + 1) })] },
          result: Number(slot.data),
        })),
      );
      equal(
        'the counts that were seen',
        seen.toSorted((a, b) => a - b),
        upTo(12),
      );
    },
  },
  {
    name: 'a pool that many create at once is created once',
    rule: 'R7',
    async run(trial) {
      const seen = await allAtOnce(trial, 6, (driver, index) =>
        turn(trial, driver, {}, ({ pool }) =>
          pool
            ? { result: pool.data }
            : { change: { pool: `pool ${index}`, grants: 1 }, result: `pool ${index}` },
        ),
      );
      equal('the number of pools', new Set(seen).size, 1);
      const facts = await trial.look();
      equal('the record and the serial', [facts.pool?.data, facts.serial], [seen[0], 1]);
    },
  },
  {
    name: 'a request that comes many times at once is granted once',
    rule: 'R8',
    async run(trial) {
      await trial.create();
      const wanted = { ...free({ to: 64, count: 1 }), requests: ['request'] };
      // Each looks for a slot of its own, so that only the response can be in the way.
      const slots = await allAtOnce(trial, 8, (driver, index) =>
        turn(trial, driver, { ...wanted, ...free({ to: 64, skip: index, count: 1 }) }, (facts) => {
          const [response] = facts.responses;
          const slot = response?.slots[0] ?? facts.free[0];
          check(slot !== undefined, 'there must be a slot');
          if (response) return { result: slot.slot };
          const after = {
            request: 'request',
            created: 5,
            slots: [{ generation: GENERATION, slot: slot.slot }],
          };
          const change = { grants: 1, slots: [firstWrite(slot.slot)], responses: [{ before: null, after }] };
          return { change, result: slot.slot };
        }),
      );
      equal('the number of different responses', new Set(slots).size, 1);
      equal(
        'the slots written',
        numbersOf(await trial.driver.list(POOL, GENERATION, -1, 100)),
        slots.slice(0, 1),
      );
    },
  },
  {
    name: 'a quota holds when many use it up at once',
    rule: 'quotas',
    async run(trial) {
      const limit = 3;
      await trial.create();
      // Each takes a slot of its own, so that only the quota can be in the way.
      const outcomes = await allAtOnce(trial, 10, (driver, slot) =>
        turn(trial, driver, { quotas: ['q'] }, ({ now, quotas }) => {
          const count = quotas[0]?.count ?? 0;
          if (count >= limit) return { result: false };
          const slots = [firstWrite(slot, { freeFrom: now + LONG, quotas: ['q'] })];
          return { change: { grants: 1, slots, quotas: [{ quota: 'q', count }] }, result: true };
        }),
      );
      equal('how many were granted', outcomes.filter(Boolean).length, limit);
      equal('the count of the quota', await trial.count('q'), limit);
    },
  },
  {
    name: 'facts are all of one moment',
    rule: 'storage',
    async run(trial) {
      const { driver, other } = trial;
      const keys = [0, 1].map((slot) => ({ generation: GENERATION, slot }));
      const wanted = { ...free({ to: 2 }), slots: keys, requests: ['request'], quotas: ['even', 'odd'] };
      // Every write says one number in all of its parts.
      const say = (number: number, before: Facts) => ({
        pool: String(number),
        grants: 1,
        slots: keys.map(({ slot }) =>
          become(before.slots.find((found) => found.slot === slot) ?? unwritten(slot), {
            freeFrom: Number.MAX_SAFE_INTEGER - 1000 + number,
            quotas: [number % 2 === 0 ? 'even' : 'odd'],
            data: String(number),
          }),
        ),
        responses: [
          {
            before: before.responses[0]?.created ?? null,
            after: { request: 'request', created: number, slots: keys },
          },
        ],
      });
      await trial.change((facts) => say(1, facts));
      let isOver = false;
      const write = async () => {
        for (let number = 2; number <= 25 && !isOver; number++) {
          await trial.change((facts) => say(number, facts), { driver: other, wanted });
        }
      };
      const read = async () => {
        while (!isOver) {
          const facts = await trial.look(wanted, { driver });
          const number = facts.serial;
          equal('the record', facts.pool?.data, String(number));
          for (const slot of [...facts.slots, ...facts.free]) equal('a slot', slot.data, String(number));
          const times = facts.responses.map(({ created }) => created);
          equal('the time of the response', times, [number]);
          const [even, odd] = ['even', 'odd'].map((name) => facts.quotas.find(({ quota }) => quota === name));
          equal('the counts of two quotas', [even?.count, odd?.count], number % 2 === 0 ? [2, 0] : [0, 2]);
          // Readers that come one right after the other would keep a writer from its lock.
          if (trial.locks) await trial.pause(1);
        }
      };
      const end = () => {
        isOver = true;
      };
      await Promise.all([write().finally(end), read().finally(end)]);
    },
  },
];
