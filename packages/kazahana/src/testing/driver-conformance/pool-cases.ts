// The record of a pool, its serial, and the store's clock.
import { check, equal } from '../conformance/checks.js';
import { type DriverCase, firstWrite, GENERATION, POOL, SLOTS, unwritten } from './subject.js';

export const poolCases: readonly DriverCase[] = [
  {
    name: 'a pool that is missing has no record, serial 0, no slots, no responses, and counts nothing',
    rule: 'storage',
    async run(trial) {
      const key = { generation: GENERATION, slot: 3 };
      const wanted = { slots: [key], requests: ['request'], quotas: ['quota'], held: GENERATION };
      const { pool, serial, slots, responses, quotas, held } = await trial.look(wanted);
      equal(
        'what is known of a missing pool',
        { pool, serial, slots, responses, quotas, held },
        {
          pool: null,
          serial: 0,
          slots: [],
          responses: [],
          quotas: [{ quota: 'quota', count: 0, firstEnd: Number.POSITIVE_INFINITY }],
          held: 0,
        },
      );
      equal('its list', await trial.driver.list(POOL, GENERATION, -1, 10), []);
      await trial.driver.drop(POOL, GENERATION);
      equal('the record after a drop', (await trial.look()).pool, null);
    },
  },
  {
    name: 'a pool is created, replaced, and kept by writes that leave its record out',
    rule: 'storage',
    async run(trial) {
      await trial.change({ pool: 'first' });
      const first = (await trial.look()).pool;
      equal('the record', first?.data, 'first');
      check(typeof first?.version === 'string', 'the record must have a version, a text; it has none');
      await trial.change({ slots: [firstWrite(0)], grants: 1 });
      equal('the record after a write that leaves it out', (await trial.look()).pool, first);
      await trial.change({ pool: 'second' });
      const second = (await trial.look()).pool;
      equal('the record after it was replaced', second?.data, 'second');
      check(second?.version !== first.version, 'another record must have another version, it has the same');
      await trial.change({ pool: '' });
      equal('a record that is empty', (await trial.look()).pool?.data, '');
    },
  },
  {
    name: 'a pool is created together with slots, responses and grants',
    rule: 'storage',
    async run(trial) {
      const after = { request: 'request', created: 5, slots: [{ generation: GENERATION, slot: 0 }] };
      const serial = await trial.change({
        pool: 'a pool',
        grants: 1,
        slots: [firstWrite(0)],
        responses: [{ before: null, after }],
      });
      const facts = await trial.look({ requests: ['request'] });
      equal('the serial', [serial, facts.serial], [1, 1]);
      equal('the record', facts.pool?.data, 'a pool');
      equal('the response', facts.responses, [after]);
      equal(
        'the slots',
        facts.slots.map(({ data }) => data),
        ['slot 0'],
      );
    },
  },
  {
    name: 'pools share nothing',
    rule: 'storage',
    async run(trial) {
      const change = {
        grants: 3,
        slots: [firstWrite(1, { freeFrom: Number.MAX_SAFE_INTEGER, quotas: ['quota'] })],
        responses: [{ before: null, after: { request: 'request', created: 5, slots: [] } }],
      };
      await trial.change({ pool: 'one', ...change });
      const key = { generation: GENERATION, slot: 1 };
      const wanted = {
        slots: [key],
        requests: ['request'],
        quotas: ['quota'],
        held: GENERATION,
        free: { generation: GENERATION, from: 0, to: SLOTS, skip: 0, count: 2 },
      };
      for (const pool of ['poo', 'pool2', 'Pool', 'pool ']) {
        await trial.change({ pool: 'another' }, { pool });
        const facts = await trial.look(wanted, { pool });
        equal(`the record of ${JSON.stringify(pool)}`, facts.pool?.data, 'another');
        equal('its serial', facts.serial, 0);
        equal('its slots and responses', [facts.slots, facts.responses], [[], []]);
        equal('its counts', [facts.held, facts.quotas[0]?.count], [0, 0]);
        equal('its first slots', facts.free, [unwritten(0), unwritten(1)]);
        equal('its list', await trial.driver.list(pool, GENERATION, -1, 10), []);
        // The other way round: what is written here must not be seen there.
        await trial.change(
          { pool: 'changed', grants: 9, forget: [{ request: 'request', created: 5 }] },
          { pool },
        );
        await trial.driver.drop(pool, GENERATION);
      }
      const facts = await trial.look(wanted);
      equal('the record of the first pool', facts.pool?.data, 'one');
      equal(
        'its serial, and what it has',
        [facts.serial, facts.slots.length, facts.responses.length],
        [3, 1, 1],
      );
    },
  },
  {
    name: 'the serial becomes max(serial, serialAtLeast) + grants, is returned and read back',
    rule: 'R7',
    async run(trial) {
      await trial.create();
      const rows: [grants: number, serialAtLeast: number, serial: number][] = [
        [0, 0, 0],
        [1, 0, 1],
        [3, 0, 4],
        [0, 0, 4],
        [1, 2, 5],
        [0, 5, 5],
        [0, 9, 9],
        [2, 20, 22],
        [64, 21, 86],
        [1, 2 ** 52, 2 ** 52 + 1],
        [2, 0, 2 ** 52 + 3],
      ];
      for (const [grants, serialAtLeast, serial] of rows) {
        const what = `${grants} grants and at least ${serialAtLeast}`;
        equal(`the serial returned for ${what}`, await trial.change({ grants, serialAtLeast }), serial);
        equal(`the serial read after ${what}`, (await trial.look()).serial, serial);
      }
    },
  },
  {
    name: 'the serial stays when the record, slots or responses change without a grant',
    rule: 'R7',
    async run(trial) {
      await trial.create();
      await trial.change({ grants: 7 });
      await trial.change({ pool: 'another record' });
      await trial.put([{ slot: 0, data: 'changed' }]);
      const after = { request: 'request', created: 5, slots: [] };
      equal('the serial', await trial.change({ responses: [{ before: null, after }] }), 7);
      await trial.driver.drop(POOL, GENERATION);
      equal('the serial after a drop', (await trial.look()).serial, 7);
    },
  },
  {
    name: "facts carry the store's time, in whole milliseconds",
    rule: 'R3',
    async run(trial) {
      const before = await trial.now();
      const first = await trial.look();
      const after = await trial.now();
      check(Number.isSafeInteger(first.now), `now must be whole milliseconds, it is ${first.now}`);
      check(
        (before ?? first.now) <= first.now && first.now <= (after ?? first.now),
        `now must be the store's time, ${before} to ${after}, it is ${first.now}`,
      );
      await trial.pause(5);
      const later = await trial.look();
      check(later.now > first.now, `now must go on from ${first.now}, it is ${later.now}`);
    },
  },
  {
    name: 'facts follow a clock that is moved',
    rule: 'R3',
    async run(trial) {
      const { advance } = trial;
      const { now } = await trial.look();
      await advance(LEAP);
      const later = (await trial.look()).now;
      check(later >= now + LEAP && later < now + 2 * LEAP, `now must be about ${now + LEAP}, it is ${later}`);
    },
  },
];

/** An hour: more than a case takes. */
const LEAP = 3_600_000;
