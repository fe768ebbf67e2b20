// A write is kept as a whole or not at all: not when something that it rests on has changed since the read.
import type { Changes, Facts, LeaseDriver, Wanted } from '../../lease/driver.js';
import type { ConformanceRule } from '../conformance/case.js';
import { equal } from '../conformance/checks.js';
import {
  become,
  byNumber,
  type DriverCase,
  type DriverTrial,
  firstWrite,
  free,
  GENERATION,
  LONG,
  POOL,
} from './subject.js';

const slotsOf = (...slots: number[]) => slots.map((slot) => ({ generation: GENERATION, slot }));

/** All that a pool of these cases has. */
const EVERYTHING: Wanted = {
  ...free(),
  slots: slotsOf(0, 1, 2, 3, 9),
  requests: ['known', 'new', 'old'],
  quotas: ['q'],
  held: GENERATION,
};

async function everything(trial: DriverTrial): Promise<unknown> {
  const { now: _, ...facts } = await trial.look(EVERYTHING);
  const responses = facts.responses.toSorted((a, b) => (a.request < b.request ? -1 : 1));
  return [
    { ...facts, responses, slots: byNumber(facts.slots) },
    await trial.driver.list(POOL, GENERATION, -1, 20),
  ];
}

/** Two slots were granted to the request `known`, slot 0 counts for the quota `q`. */
async function begin(trial: DriverTrial): Promise<void> {
  trial.needsNoLocks();
  const freeFrom = (await trial.look()).now + LONG;
  const known = { request: 'known', created: 5, slots: slotsOf(0, 1) };
  const old = { request: 'old', created: 6, slots: [] };
  await trial.change({
    pool: 'a pool',
    grants: 3,
    slots: [firstWrite(0, { freeFrom, quotas: ['q'] }), firstWrite(1, { freeFrom })],
    responses: [known, old].map((after) => ({ before: null, after })),
  });
}

/** What a turn of these cases changes, of every kind. */
function bigChange({ pool, now, slots }: Facts): Changes {
  const existing = slots.filter(({ slot }) => slot < 2);
  const freeFrom = now + 2 * LONG;
  return {
    poolVersion: pool?.version ?? null,
    pool: 'another record',
    grants: 2,
    serialAtLeast: 5,
    slots: [
      ...existing.map((slot) => become(slot, { freeFrom: 7, quotas: [], data: 'changed' })),
      firstWrite(2, { freeFrom, quotas: ['q'] }),
    ],
    responses: [
      { before: null, after: { request: 'new', created: 8, slots: slotsOf(2) } },
      { before: 5, after: { request: 'known', created: 8, slots: slotsOf(0) } },
    ],
    forget: [{ request: 'old', created: 6 }],
    quotas: [{ quota: 'q', count: 1 }],
  };
}

interface Conflict {
  readonly name: string;
  readonly rule: ConformanceRule;
  /** What happens between the read and the write. */
  readonly meanwhile: (trial: DriverTrial, driver: LeaseDriver) => Promise<unknown>;
  /** The part of the change that rests on it. */
  readonly part: (change: Changes) => Partial<Changes>;
}

const conflicts: readonly Conflict[] = [
  {
    name: 'when the record of the pool was replaced, even if it does not change the record itself',
    rule: 'R4',
    meanwhile: (trial, driver) => trial.change({ pool: 'a third record' }, { driver }),
    part: ({ poolVersion, grants }) => ({ poolVersion, grants }),
  },
  {
    name: 'when one of its slots was written',
    rule: 'R2',
    meanwhile: (trial, driver) => trial.put([{ slot: 1, data: 'written meanwhile' }], { driver }),
    part: ({ slots }) => ({ slots }),
  },
  {
    name: 'when one of its slots was written for the first time',
    rule: 'R2',
    meanwhile: (trial, driver) => trial.put([{ slot: 2, freeFrom: 3 }], { driver }),
    part: ({ slots }) => ({ slots: slots.slice(2) }),
  },
  {
    name: 'when one of its slots was dropped',
    rule: 'R2',
    meanwhile: (_trial, driver) => driver.drop(POOL, GENERATION),
    part: ({ slots }) => ({ slots: slots.slice(0, 1) }),
  },
  {
    name: 'when a request that had no response has one',
    rule: 'R8',
    meanwhile(trial, driver) {
      const after = { request: 'new', created: 7, slots: slotsOf(9) };
      return trial.change({ slots: [firstWrite(9)], responses: [{ before: null, after }] }, { driver });
    },
    part: ({ responses }) => ({ responses: responses.slice(0, 1) }),
  },
  {
    name: 'when a response that it replaces was replaced',
    rule: 'R8',
    meanwhile(trial, driver) {
      const after = { request: 'known', created: 7, slots: slotsOf(0) };
      return trial.change({ responses: [{ before: 5, after }] }, { driver });
    },
    part: ({ responses }) => ({ responses: responses.slice(1) }),
  },
  {
    name: 'when a response that it replaces was forgotten',
    rule: 'R8',
    meanwhile: (trial, driver) => trial.change({ forget: [{ request: 'known', created: 5 }] }, { driver }),
    part: ({ responses }) => ({ responses: responses.slice(1) }),
  },
  {
    name: 'when one of its quotas counts more',
    rule: 'quotas',
    async meanwhile(trial, driver) {
      const { now } = await trial.look({}, { driver });
      await trial.put([{ slot: 9, freeFrom: now + LONG, quotas: ['q'] }], { driver });
    },
    part: ({ quotas, slots }) => ({ quotas, slots: slots.slice(2) }),
  },
  {
    name: 'when one of its quotas counts a slot that was there before',
    rule: 'quotas',
    meanwhile: (trial, driver) => trial.put([{ slot: 1, quotas: ['q'] }], { driver }),
    part: ({ quotas, slots }) => ({ quotas, slots: slots.slice(2) }),
  },
];

const conflictCase = ({ name, rule, meanwhile, part }: Conflict): DriverCase => ({
  name: `a write is refused as a whole ${name}`,
  rule,
  async run(trial) {
    await begin(trial);
    const [first, second] = [await trial.read(EVERYTHING), await trial.read(EVERYTHING)];
    await meanwhile(trial, trial.other);
    const before = await everything(trial);
    const whole = await trial.attempt(first, bigChange(first));
    equal('the response to a write of many things', whole, 'changed');
    equal('what is there afterwards', await everything(trial), before);
    equal(
      'the response to a write of this alone',
      await trial.attempt(second, part(bigChange(second))),
      'changed',
    );
    equal('what is there afterwards', await everything(trial), before);
  },
});

export const conflictCases: readonly DriverCase[] = [
  ...conflicts.map(conflictCase),
  {
    name: 'a write is refused as a whole when the pool that was missing has been created',
    rule: 'R7',
    async run(trial) {
      trial.needsNoLocks();
      const facts = await trial.read();
      await trial.change({ pool: 'the first', grants: 1 }, { driver: trial.other });
      const before = await everything(trial);
      const second = { pool: 'the second', grants: 1, slots: [firstWrite(0)] };
      equal('the response', await trial.attempt(facts, second), 'changed');
      equal('what is there afterwards', await everything(trial), before);
    },
  },
  {
    name: 'a write of everything at once is kept when nothing changed',
    rule: 'storage',
    async run(trial) {
      const known = { request: 'known', created: 5, slots: slotsOf(0) };
      const responses = [known, { ...known, request: 'old', created: 6 }];
      await trial.change({
        pool: 'a pool',
        grants: 1,
        slots: [firstWrite(0), firstWrite(1)],
        responses: responses.map((after) => ({ before: null, after })),
      });
      const facts = await trial.read(EVERYTHING);
      equal('the response', await trial.attempt(facts, bigChange(facts)), { serial: 7 });
      const after = await trial.look(EVERYTHING);
      equal('the record and the serial', [after.pool?.data, after.serial], ['another record', 7]);
      const texts = after.slots.map(({ slot, freeFrom, data }) => `${slot}: ${freeFrom} ${data}`).sort();
      equal('the slots', texts, ['0: 7 changed', '1: 7 changed', `2: ${facts.now + 2 * LONG} slot 2`]);
      const times = after.responses.map(({ request, created }) => `${request} ${created}`).sort();
      equal('the responses', times, ['known 8', 'new 8']);
      equal('the count of a quota', after.quotas[0]?.count, 1);
    },
  },
  {
    name: 'a write is kept when only what it does not rest on has changed',
    rule: 'storage',
    async run(trial) {
      await begin(trial);
      const facts = await trial.read(EVERYTHING);
      const { now } = facts;
      const driver = trial.other;
      await trial.change(
        {
          grants: 4,
          slots: [
            firstWrite(9, { freeFrom: now + LONG, quotas: ['another quota'] }),
            firstWrite(10, { freeFrom: 5, quotas: ['q'] }),
          ],
          responses: [{ before: null, after: { request: 'another', created: 9, slots: slotsOf(9) } }],
          // Another has removed what this write would remove.
          forget: [{ request: 'old', created: 6 }],
        },
        { driver },
      );
      const kept = await trial.attempt(facts, bigChange(facts));
      // The serial rises from where it is when it is written, not from where it was read.
      equal('the response', kept, { serial: 9 });
      equal('the serial', (await trial.look()).serial, 9);
      equal('the response of another', (await trial.response('another'))?.created, 9);
    },
  },
  {
    name: 'a quota is compared at the time of the read, not at that of the write',
    rule: 'quotas',
    async run(trial) {
      const { advance } = trial;
      await begin(trial);
      const facts = await trial.read(EVERYTHING);
      equal('the count when it is read', facts.quotas[0]?.count, 1);
      // The slot that counted ends, and another begins to count: one at the time of the write, two at that of the read.
      await advance(2 * LONG);
      const { now } = await trial.look();
      await trial.put([{ slot: 9, freeFrom: now + LONG, quotas: ['q'] }], { driver: trial.other });
      const change = { slots: [firstWrite(2)], quotas: [{ quota: 'q', count: 1 }] };
      equal('the response', await trial.attempt(facts, change), 'changed');
    },
  },
];
