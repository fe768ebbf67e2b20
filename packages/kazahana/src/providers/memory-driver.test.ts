// What the driver does beyond the contract of a store; `testing/driver-conformance.test.ts` holds it to the rest.
import { expect, it } from 'vitest';
import type { Changes, Facts, Wanted } from '../lease/driver.js';
import { virtualEnvironment } from '../testing/index.js';
import { MemoryDriver } from './memory-driver.js';

const FREE = { generation: 'g', from: 0, to: 2 ** 29, skip: 0, count: 2 };
const EVERYTHING: Wanted = { free: FREE, slots: [], requests: ['r'], quotas: ['q'], held: 'g' };

/** Grants the first free slot. */
async function grant(driver: MemoryDriver, freeFrom: number): Promise<void> {
  const facts = await driver.read('pool', EVERYTHING);
  expect(await driver.write('pool', grantOf(facts, freeFrom), facts)).not.toBe('changed');
}

function grantOf({ pool, free, responses }: Facts, freeFrom: number): Changes {
  return {
    poolVersion: pool?.version ?? null,
    pool: `until ${freeFrom}`,
    grants: 1,
    serialAtLeast: 0,
    slots: free.slice(0, 1).map((before) => ({ before, after: { ...before, freeFrom, quotas: ['q'] } })),
    responses: [
      {
        before: responses[0]?.created ?? null,
        after: { request: 'r', created: freeFrom, slots: free.slice(0, 1) },
      },
    ],
    forget: [],
    quotas: [],
  };
}

it('goes back to a snapshot as a whole, as often as it is told', async () => {
  const environment = virtualEnvironment();
  const driver = new MemoryDriver({ environment });
  await grant(driver, environment.now() + 1000);
  const snapshot = driver.snapshot();
  const then = await driver.read('pool', EVERYTHING);
  for (let time = 0; time < 2; time++) {
    await grant(driver, environment.now() + 2000);
    await driver.drop('pool', 'g');
    expect(await driver.read('pool', EVERYTHING)).not.toEqual(then);
    driver.restore(snapshot);
    expect(await driver.read('pool', EVERYTHING)).toEqual(then);
  }
});

it('goes back to nothing', async () => {
  const driver = new MemoryDriver();
  const snapshot = driver.snapshot();
  await grant(driver, 2 ** 50);
  driver.restore(snapshot);
  expect(await driver.read('pool', EVERYTHING)).toMatchObject({
    pool: null,
    serial: 0,
    held: 0,
    responses: [],
  });
});

it('refuses, after it went back, what rests on the state that it lost', async () => {
  const driver = new MemoryDriver();
  await grant(driver, 1000);
  const snapshot = driver.snapshot();
  await grant(driver, 2000);
  const lost = await driver.read('pool', EVERYTHING);
  driver.restore(snapshot);
  // As many writes as were lost: versions that began again from the snapshot would now be the same.
  await grant(driver, 3000);
  expect(await driver.write('pool', grantOf(lost, 4000), lost)).toBe('changed');
});

it('tells the incarnation that was set', async () => {
  const driver = new MemoryDriver();
  expect(await driver.read('pool', EVERYTHING)).not.toHaveProperty('incarnation');
  driver.incarnation = { id: 'a', mayLose: true };
  expect((await driver.read('pool', EVERYTHING)).incarnation).toEqual({ id: 'a', mayLose: true });
});

it('does not count through the slots of a large pool', async () => {
  const driver = new MemoryDriver();
  const slots = [2 ** 29 - 1, 2 ** 28];
  const facts = await driver.read('pool', { ...EVERYTHING, slots: [] });
  const empty = { generation: 'g', freeFrom: 0, quotas: [], data: '', version: null };
  const changes = slots.map((slot) => ({
    before: { ...empty, slot },
    after: { ...empty, slot, freeFrom: 5 },
  }));
  await driver.write('pool', { ...grantOf(facts, 5), slots: changes, responses: [] }, facts);
  const last = { ...FREE, skip: 2 ** 29 - 3, count: 5 };
  const { free } = await driver.read('pool', { ...EVERYTHING, free: last });
  expect(free.map(({ slot }) => slot)).toEqual([2 ** 29 - 2, 2 ** 28, 2 ** 29 - 1]);
});
