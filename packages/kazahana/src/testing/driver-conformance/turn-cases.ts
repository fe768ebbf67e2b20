// How a turn begins and ends: what other drivers see of it, what waits for it, and what it leaves to others.
import { skip } from '../conformance/case.js';
import { check, equal } from '../conformance/checks.js';
import { type DriverCase, firstWrite, free, GENERATION, NOTHING, POOL } from './subject.js';

export const turnCases: readonly DriverCase[] = [
  {
    name: 'another driver sees at once what was written',
    rule: 'storage',
    async run(trial) {
      const driver = trial.separate;
      await trial.create(firstWrite(0, { quotas: ['q'], freeFrom: Number.MAX_SAFE_INTEGER }));
      const after = { request: 'request', created: 5, slots: [{ generation: GENERATION, slot: 0 }] };
      await trial.change({ grants: 1, responses: [{ before: null, after }] });
      const wanted = { ...free(), requests: ['request'], quotas: ['q'], held: GENERATION };
      const { now: _, ...here } = await trial.look(wanted);
      const { now: __, ...there } = await trial.look(wanted, { driver });
      equal('what another driver reads', there, here);
      await trial.change({ pool: 'another record', grants: 1 }, { driver });
      const facts = await trial.look();
      equal('what the first reads then', [facts.pool?.data, facts.serial], ['another record', 2]);
    },
  },
  {
    name: 'turns on two pools do not wait for each other for ever',
    rule: 'storage',
    async run(trial) {
      const pools = ['one', 'two', 'three'];
      await Promise.all(
        pools.map((pool) => trial.change({ pool, grants: 1, slots: [firstWrite(0)] }, { pool })),
      );
      for (const pool of pools) {
        const facts = await trial.look({}, { pool });
        equal(`the record and the serial of ${pool}`, [facts.pool?.data, facts.serial], [pool, 1]);
      }
    },
  },
  {
    name: 'a read that is abandoned leaves the pool to others',
    rule: 'storage',
    async run(trial) {
      const { driver, other } = trial;
      await trial.create();
      for (const [first, second] of [
        [driver, other],
        [other, driver],
        [driver, driver],
      ] as const) {
        const facts = await first.read(POOL, { ...NOTHING, ...free() });
        await first.abandon?.(facts);
        await trial.change({ grants: 1 }, { driver: second });
      }
      equal('the serial', (await trial.look()).serial, 3);
    },
  },
  {
    name: 'a refused write leaves the pool to others',
    rule: 'storage',
    async run(trial) {
      trial.needsNoLocks();
      await trial.create();
      const facts = await trial.read();
      await trial.change({ pool: 'another' }, { driver: trial.other });
      equal('the response', await trial.attempt(facts, { grants: 1 }), 'changed');
      await trial.change({ grants: 1 }, { driver: trial.other });
      await trial.change({ grants: 1 });
      equal('the serial', (await trial.look()).serial, 2);
    },
  },
  {
    name: 'a read that waited for a lock tells the time after the wait, and what was written in it',
    rule: 'R3',
    async run(trial) {
      trial.needsLocks();
      const { driver } = trial;
      const other = trial.separate;
      await trial.create();
      const first = await trial.read();
      const waiting = other.read(POOL, NOTHING);
      await trial.pause(50);
      await trial.attempt(first, { grants: 1 }, { driver });
      const second = await waiting;
      await trial.attempt(second, { grants: 1 }, { driver: other });
      equal('the serial that it read', second.serial, 1);
      check(second.now >= first.now + 45, `now must be at least ${first.now + 45}, it is ${second.now}`);
    },
  },
  {
    name: 'what was read can be confirmed',
    rule: 'R7',
    async run(trial) {
      const { driver } = trial;
      if (!driver.confirm) skip('the driver has no `confirm`');
      await trial.create();
      await trial.look();
      await driver.confirm?.(POOL);
    },
  },
  {
    name: 'all drivers of a store tell the same incarnation, and tell it again',
    rule: 'R7',
    async run(trial) {
      const { incarnation } = await trial.look();
      if (!incarnation) skip('the driver tells no incarnation');
      const { id, mayLose } = incarnation;
      check(
        typeof id === 'string' && typeof mayLose === 'boolean',
        'an incarnation has an id, and says mayLose',
      );
      await trial.create(firstWrite(0));
      equal('the incarnation after a write', (await trial.look()).incarnation, incarnation);
      const there = await trial.look({}, { driver: trial.other });
      equal('the incarnation that another driver tells', there.incarnation, incarnation);
    },
  },
  {
    name: 'what was read from one life of the store is not written to another',
    rule: 'R7',
    async run(trial) {
      const { backup } = trial;
      await trial.create(firstWrite(0));
      const beginAnotherLife = await backup();
      const facts = await trial.read({ ...free(), requests: ['late'] });
      // The next life does not know of this grant, so that all versions there are as they were read.
      if (!trial.locks) await trial.change({ grants: 1, slots: [firstWrite(1)] }, { driver: trial.other });
      await beginAnotherLife();
      const after = { request: 'late', created: facts.now, slots: [{ generation: GENERATION, slot: 1 }] };
      const changes = { grants: 1, slots: [firstWrite(1)], responses: [{ before: null, after }] };
      const outcome = await trial.attempt(facts, changes).catch(() => 'an error' as const);
      check(
        outcome === 'changed' || outcome === 'an error',
        "the write must fail or say 'changed', it was kept",
      );
      equal('the response to its request', await trial.response('late'), undefined);
    },
  },
];
