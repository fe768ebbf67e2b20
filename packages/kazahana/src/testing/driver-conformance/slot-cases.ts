// Slots by their names: what is written is read back, listed by number, and dropped with its generation.
import { check, equal } from '../conformance/checks.js';
import {
  become,
  byNumber,
  type DriverCase,
  firstWrite,
  free,
  GENERATION,
  LONG,
  numbersOf,
  POOL,
  SLOTS,
  unwritten,
  upTo,
  withoutVersion,
} from './subject.js';

const OTHER = 'another generation';
const LAST_SLOT = 2 ** 29 - 1;

export const slotCases: readonly DriverCase[] = [
  {
    name: 'a slot is read back as it was written, with a version',
    rule: 'R2',
    async run(trial) {
      const written = firstWrite(3, { freeFrom: 12_345, quotas: ['a', 'b'], data: 'some data' });
      await trial.create(written);
      const key = { generation: GENERATION, slot: 3 };
      const { slots } = await trial.look({ slots: [key] });
      equal('the slots', slots.map(withoutVersion), [written.after]);
      check(typeof slots[0]?.version === 'string', 'a written slot must have a version, a text; it has none');
      const [last] = (await trial.look(free())).free.slice(-1);
      equal('the same slot in the order of granting', last, slots[0]);
      equal('the same slot in the list', await trial.driver.list(POOL, GENERATION, -1, 5), slots);
    },
  },
  {
    name: 'a slot is written again and again, and has what was written last',
    rule: 'R2',
    async run(trial) {
      await trial.create();
      for (const freeFrom of [50, 70, 10, 10]) {
        await trial.put([{ slot: 3, freeFrom, quotas: [`quota ${freeFrom}`], data: `until ${freeFrom}` }]);
        const { slots } = await trial.look({ slots: [{ generation: GENERATION, slot: 3 }] });
        equal('the slots', slots.map(withoutVersion), [
          {
            generation: GENERATION,
            slot: 3,
            freeFrom,
            quotas: [`quota ${freeFrom}`],
            data: `until ${freeFrom}`,
          },
        ]);
        equal('its place in the order of granting', (await trial.order()).indexOf(3), SLOTS - 1);
      }
    },
  },
  {
    name: 'a slot whose data changes and nothing else has another version',
    rule: 'R2',
    async run(trial) {
      await trial.create(firstWrite(0));
      const wanted = { slots: [{ generation: GENERATION, slot: 0 }] };
      const before = (await trial.look(wanted)).slots[0]?.version;
      await trial.put([{ slot: 0, data: 'revoked' }]);
      const after = (await trial.look(wanted)).slots[0]?.version;
      check(after !== before, 'a slot that was written since must have another version, it has the same');
    },
  },
  {
    name: 'slots that are requested are read where they were ever written, each once',
    rule: 'storage',
    async run(trial) {
      await trial.create(firstWrite(0), firstWrite(2), firstWrite(2, {}, OTHER));
      const keys = [0, 1, 2].flatMap((slot) =>
        [GENERATION, OTHER].map((generation) => ({ generation, slot })),
      );
      const slots = [...keys, ...keys, { generation: 'no such generation', slot: 0 }];
      const after = { request: 'request', created: 5, slots: keys };
      await trial.change({ responses: [{ before: null, after }] });
      const facts = await trial.look({ slots, requests: ['request'] });
      equal(
        'the slots',
        byNumber(facts.slots).map(({ generation, slot }) => [slot, generation]),
        [
          [0, GENERATION],
          [2, OTHER],
          [2, GENERATION],
        ],
      );
      equal('slots that are not requested', (await trial.look()).slots, []);
    },
  },
  {
    name: 'the slots of two generations do not mix',
    rule: 'R4',
    async run(trial) {
      const { now } = await trial.look();
      const end = now + LONG;
      await trial.create(
        firstWrite(0, { freeFrom: end, data: 'old', quotas: ['q'] }),
        firstWrite(1, { freeFrom: end }),
        firstWrite(1, { freeFrom: end, data: 'new', quotas: ['q'] }, OTHER),
      );
      const keys = [GENERATION, OTHER].map((generation) => ({ generation, slot: 1 }));
      const { slots, quotas } = await trial.look({ slots: keys, quotas: ['q'] });
      equal(
        'slot 1 of each',
        byNumber(slots).map(({ data }) => data),
        ['new', 'slot 1'],
      );
      equal('the count of a quota, over both', quotas[0]?.count, 2);
      equal('the first generation, by order', await trial.order({ to: 4 }), [2, 3, 0, 1]);
      equal('the second generation, by order', await trial.order({ to: 4, generation: OTHER }), [0, 2, 3, 1]);
      equal('a third', await trial.order({ to: 3, generation: 'a third' }), [0, 1, 2]);
      equal('held in the first', (await trial.look({ held: GENERATION })).held, 2);
      equal('held in the second', (await trial.look({ held: OTHER })).held, 1);
      await trial.put([{ slot: 1, generation: OTHER, freeFrom: 5, data: 'newer' }]);
      const [old] = (await trial.look({ slots: keys.slice(0, 1) })).slots;
      equal('the slot of the first when the second is written', old?.data, 'slot 1');
      equal('held in the first then', (await trial.look({ held: GENERATION })).held, 2);
    },
  },
  {
    name: 'a list has the written slots of a generation by number, in pages',
    rule: 'inspection',
    async run(trial) {
      const numbers = [0, 2, 3, 9, 10, 11, 99, 100, 1000, LAST_SLOT];
      const changes = numbers.map((slot) => firstWrite(slot, { freeFrom: 2000 - (slot % 1000) }));
      await trial.create(...changes.toReversed(), firstWrite(5, {}, OTHER));
      const { driver } = trial;
      const all = await driver.list(POOL, GENERATION, -1, 100);
      equal(
        'the list',
        all.map(withoutVersion),
        changes.map(({ after }) => after),
      );
      for (const limit of [1, 3, 5, 10]) {
        const found: number[] = [];
        for (let left = numbers.length; left > 0; left -= limit) {
          found.push(...numbersOf(await driver.list(POOL, GENERATION, found.at(-1) ?? -1, limit)));
        }
        equal(`the slots in pages of ${limit}`, found, numbers);
        equal('the page after the last', await driver.list(POOL, GENERATION, LAST_SLOT, limit), []);
      }
      equal(
        'the list after a number that is not written',
        numbersOf(await driver.list(POOL, GENERATION, 12, 2)),
        [99, 100],
      );
      equal('the list of no generation', await driver.list(POOL, 'no such generation', -1, 10), []);
    },
  },
  {
    name: 'a slot can be changed as it was listed, and as it came in the order of granting',
    rule: 'storage',
    async run(trial) {
      await trial.create(firstWrite(0));
      const [listed] = await trial.driver.list(POOL, GENERATION, -1, 1);
      check(listed !== undefined, 'a written slot must be listed');
      await trial.change({ slots: [become(listed, { data: 'from the list' })] });
      const last = free({ skip: SLOTS - 1, count: 1 });
      await trial.change((facts) => ({ slots: facts.free.map((slot) => become(slot, { freeFrom: 9 })) }), {
        wanted: last,
      });
      equal('the slot', (await trial.look(last)).free.map(withoutVersion), [
        { generation: GENERATION, slot: 0, freeFrom: 9, quotas: [], data: 'from the list' },
      ]);
    },
  },
  {
    name: 'a generation that is dropped is gone, and nothing else',
    rule: 'R4',
    async run(trial) {
      const { now } = await trial.look();
      const after = { freeFrom: now + LONG, quotas: ['q'] };
      await trial.create(firstWrite(0, after, OTHER), firstWrite(1, after, OTHER));
      await trial.fill(upTo(250).map((slot) => firstWrite(slot, after)));
      equal('the count of a quota', await trial.count('q'), 252);
      await trial.driver.drop(POOL, GENERATION);
      const key = { generation: GENERATION, slot: 1 };
      const facts = await trial.look({ ...free({ to: 3 }), slots: [key], quotas: ['q'], held: GENERATION });
      equal('its first slots', facts.free, [unwritten(0), unwritten(1), unwritten(2)]);
      equal('its slot 1, and how many are held', [facts.slots, facts.held], [[], 0]);
      equal('the count of a quota after the drop', facts.quotas[0]?.count, 2);
      equal('its list', await trial.driver.list(POOL, GENERATION, -1, 10), []);
      equal('the list of another', numbersOf(await trial.driver.list(POOL, OTHER, -1, 10)), [0, 1]);
      equal('the order of another', await trial.order({ to: 3, generation: OTHER }), [2, 0, 1]);
      equal('the record of the pool', facts.pool?.data, 'a pool');
      // A name that came back would begin anew.
      await trial.put([{ slot: 1, freeFrom: 5 }]);
      equal('its order after it is written again', await trial.order({ to: 3 }), [0, 2, 1]);
      await trial.driver.drop(POOL, 'no such generation');
    },
  },
  {
    name: 'one write carries as many slots as the driver says, with their responses',
    rule: 'storage',
    async run(trial) {
      const { maxSlotsPerWrite } = trial.driver;
      check(
        Number.isSafeInteger(maxSlotsPerWrite) && maxSlotsPerWrite >= 1,
        `maxSlotsPerWrite must be a positive integer, it is ${maxSlotsPerWrite}`,
      );
      const numbers = upTo(Math.min(maxSlotsPerWrite, 1000));
      await trial.create();
      const { now } = await trial.look();
      const data = 'x'.repeat(500);
      const slots = numbers.map((slot) => firstWrite(slot, { freeFrom: now + LONG, quotas: ['q'], data }));
      const responses = numbers.slice(0, 64).map((slot) => ({
        before: null,
        after: { request: `request ${slot}`, created: now, slots: [{ generation: GENERATION, slot }] },
      }));
      equal('the serial', await trial.change({ grants: slots.length, slots, responses }), slots.length);
      const requests = responses.map(({ after }) => after.request);
      const facts = await trial.look({ requests, quotas: ['q'], held: GENERATION });
      equal('how many are held', facts.held, numbers.length);
      equal('how many count', facts.quotas[0]?.count, numbers.length);
      equal(
        'the number of responses and of their slots',
        [facts.responses.length, facts.slots.length],
        [responses.length, responses.length],
      );
    },
  },
  {
    name: 'numbers are kept to the last digit: slots to 2^29 − 1, times to 2^53 − 1',
    rule: 'R2',
    async run(trial) {
      const latest = Number.MAX_SAFE_INTEGER;
      const rows: [slot: number, freeFrom: number][] = [
        [6, 0],
        [LAST_SLOT - 4, latest],
        [LAST_SLOT - 3, latest - 1],
        [LAST_SLOT - 1, 1_767_225_600_001],
        [LAST_SLOT, latest - 1],
      ];
      await trial.create(...rows.map(([slot, freeFrom]) => firstWrite(slot, { freeFrom, quotas: ['q'] })));
      const created = latest - 2;
      const keys = rows.map(([slot]) => ({ generation: GENERATION, slot }));
      const after = { request: 'request', created, slots: keys };
      await trial.change({ responses: [{ before: null, after }] });
      const facts = await trial.look({ requests: ['request'] });
      equal('the response', facts.responses, [after]);
      equal(
        'the slots and their times',
        byNumber(facts.slots).map(({ slot, freeFrom }) => [slot, freeFrom]),
        rows,
      );
      equal('the count of a quota', await trial.counts('q'), [
        { quota: 'q', count: 3, firstEnd: latest - 1 },
      ]);
      equal('the order of granting', await trial.order({ from: LAST_SLOT - 4, to: LAST_SLOT + 1 }), [
        LAST_SLOT - 2,
        LAST_SLOT - 1,
        LAST_SLOT - 3,
        LAST_SLOT,
        LAST_SLOT - 4,
      ]);
      await trial.change({ forget: [{ request: 'request', created: created - 1 }] });
      equal('the response when one of another time is forgotten', await trial.response('request'), after);
      await trial.change({ forget: [{ request: 'request', created }] });
      equal('the response when it is forgotten', await trial.response('request'), undefined);
    },
  },
];
