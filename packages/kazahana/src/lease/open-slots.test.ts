// Rule R4: where free slots are looked for while floors of a former layout lie ahead. Eight floors, each of eight slots.
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import { MemoryDriver } from '../providers/memory-driver.js';
import { virtualEnvironment } from '../virtual-environment.js';
import type { Wanted } from './driver.js';
import { NOTHING_WANTED, noChanges } from './new-pool.js';
import { OpenSlots } from './open-slots.js';
import { FLOOR_QUOTA } from './quotas.js';
import { newPool, type PoolRecord } from './rules.js';

const NOW = 1000;
const LATE = 2000;
const FLOORS = { generation: 'f', bitSeq: 18, until: LATE };

class Driver extends MemoryDriver {
  readonly wanted: Wanted[] = [];

  override read(pool: string, wanted: Wanted) {
    this.wanted.push(wanted);
    return super.read(pool, wanted);
  }
}

function poolOf(changes: Partial<PoolRecord> = {}): PoolRecord {
  const layout = { ...DEFAULT_ID_LAYOUT, bitId: 7, bitSeq: 15 };
  const like = { layout, share: { index: 0, of: 1 }, maxWindow: 500 };
  return { ...newPool('p', 'g', like), floors: FLOORS, ...changes };
}

/** A store with floors that pass at these times; one that is left out was never written. */
async function setUp(ends: readonly (number | undefined)[]) {
  const environment = virtualEnvironment({ at: NOW });
  const driver = new Driver({ environment });
  const slots = new OpenSlots(driver, 'default');
  /** Writes floors, as another process does. */
  const write = async (floors: readonly (number | undefined)[]) => {
    const before = await driver.list('default', 'f', -1, 10);
    const facts = await driver.read('default', NOTHING_WANTED);
    const changed = floors.flatMap((freeFrom, slot) => {
      if (freeFrom === undefined) return [];
      const key = { generation: 'f', slot, quotas: [FLOOR_QUOTA], data: '' };
      const unwritten = { ...key, quotas: [], freeFrom: 0, version: null };
      return [{ before: before.find((one) => one.slot === slot) ?? unwritten, after: { ...key, freeFrom } }];
    });
    expect(await driver.write('default', { ...noChanges(facts), slots: changed }, facts)).not.toBe('changed');
  };
  const floors = async () =>
    (await driver.list('default', 'f', -1, 10)).map(({ slot, freeFrom, quotas }) => [
      slot,
      freeFrom,
      ...quotas,
    ]);
  await write(ends);
  driver.wanted.length = 0;
  return { environment, driver, slots, write, floors };
}

describe('open slots', () => {
  const rows: [title: string, ends: (number | undefined)[], from: number | undefined, to?: number][] = [
    ['are all of the longest run of floors that have passed', [LATE, 1, LATE, 1, 1, LATE, 1, LATE], 24, 40],
    ['are of the first such run', [1, LATE, 1, LATE, 1, LATE, LATE, LATE], 0, 8],
    ['are of neighbours, whichever passed first', [LATE, 30, 20, 10, LATE, LATE, LATE, LATE], 8, 32],
    ['are those that were never used, too', [LATE, LATE, LATE, 1, undefined, undefined, LATE, LATE], 24, 48],
    ['are those whose floor passes now', [LATE, NOW, LATE, LATE, LATE, LATE, LATE, LATE], 8, 16],
    ['are none while every floor lies ahead', Array(8).fill(NOW + 1), undefined],
  ];
  for (const [title, ends, from, to] of rows) {
    it(title, async () => {
      const { slots } = await setUp(ends);
      await slots.search(poolOf(), NOW);
      expect(slots.range(poolOf())).toEqual(from === undefined ? undefined : { from, to });
      expect(slots.rest(poolOf())).toEqual(from === undefined ? { nextAt: NOW + 1 } : {});
    });
  }

  it('are looked for among the floors of the share, 256 at a time', async () => {
    const { driver, slots } = await setUp([]);
    await slots.search(poolOf({ share: { index: 1, of: 2 } }), NOW);
    await slots.search(poolOf({ layout: DEFAULT_ID_LAYOUT, floors: { ...FLOORS, bitSeq: 9 } }), NOW);
    expect(driver.wanted.map(({ free }) => [free?.from, free?.to, free?.count])).toEqual([
      [4, 8, 4],
      [0, 4096, 256],
    ]);
  });

  it('are all when the pool has no floors, or all of them have passed', async () => {
    const { slots } = await setUp([1, LATE]);
    const all = { from: 0, to: 64 };
    await slots.search(poolOf(), NOW);
    const without = poolOf({ floors: null });
    expect([slots.range(without), slots.rest(without), slots.isStale(without, NOW)]).toEqual([
      all,
      undefined,
      false,
    ]);
    expect(slots.isStale(poolOf(), LATE)).toBe(true);
    await slots.search(poolOf(), LATE);
    expect([slots.range(poolOf()), slots.isStale(poolOf(), LATE)]).toEqual([all, false]);
  });

  it('of a former change are not those of the next: its floors are others', async () => {
    const { slots } = await setUp([1, LATE]);
    await slots.search(poolOf(), NOW);
    expect(slots.isStale(poolOf(), NOW)).toBe(false);
    const next = poolOf({ floors: { ...FLOORS, generation: 'f2' } });
    expect(slots.isStale(next, NOW)).toBe(true);
    expect(slots.range(next)).toEqual({ from: 0, to: 64 });
  });
});

describe('a range whose slots are all held', () => {
  it('is closed until the first of them ends, and the next one is opened', async () => {
    const { slots, floors } = await setUp([1, undefined, LATE, 1, LATE, LATE, LATE, LATE]);
    await slots.search(poolOf(), NOW);
    expect(slots.range(poolOf())).toEqual({ from: 0, to: 16 });
    await slots.close(poolOf(), 1500);
    expect(slots.range(poolOf())).toEqual({ from: 24, to: 32 });
    // What is closed is no floor: every slot in it has a record, and is counted by that.
    expect((await floors()).slice(0, 3)).toEqual([
      [0, 1500],
      [1, 1500],
      [2, LATE, FLOOR_QUOTA],
    ]);
  });

  it('is not opened earlier than another process has found', async () => {
    const { slots, write, floors } = await setUp([1, 1, LATE, LATE, LATE, LATE, LATE, LATE]);
    await slots.search(poolOf(), NOW);
    await write([1600, 1500]);
    await slots.close(poolOf(), 1500);
    expect((await floors()).slice(0, 2)).toEqual([
      [0, 1600, FLOOR_QUOTA],
      [1, 1500, FLOOR_QUOTA],
    ]);
    expect(slots.rest(poolOf())).toEqual({ nextAt: 1500 });
  });
});
