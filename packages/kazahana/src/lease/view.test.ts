// What a batch of calls sees: facts as plain data in, decisions on top of them, and what is to be written out.
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import type { Facts, ReadSlot, Wanted } from './driver.js';
import type { Looked } from './open-slots.js';
import { encodePool, encodeSlot } from './records.js';
import { type LeaseRecord, newPool, type SlotRecord } from './rules.js';
import { PoolView, TooFewFacts } from './view.js';

const NOW = 1_800_000_000_000;
const POOL = newPool('pool', 'g', {
  layout: DEFAULT_ID_LAYOUT,
  share: { index: 0, of: 1 },
  maxWindow: 1000,
});
const FREE = { generation: 'g', from: 0, to: 8, skip: 0, count: 4 };

const leaseOf = (changes: Partial<LeaseRecord> = {}): LeaseRecord => ({
  ...{ serviceId: 'orders', holder: {}, secret: 's', request: 'r', granted: NOW },
  ...{ created: NOW, expired: NOW + 600, fallbackUntil: NOW + 900, since: NOW },
  ...changes,
});

function record(slot: number, changes: Partial<SlotRecord> = {}): SlotRecord {
  return { generation: 'g', slot, freeFrom: NOW, quotas: [], lease: null, past: [], ...changes };
}

/** A slot as a driver reads it. */
const read = (slot: SlotRecord): ReadSlot => ({ ...encodeSlot(slot), version: '1' });

function viewOf(
  facts: Partial<Facts> = {},
  free: Wanted['free'] | 'none' = FREE,
  rest: Looked['rest'] = undefined,
): PoolView {
  const nothing = { free: [], slots: [], responses: [], quotas: [], held: 0 };
  const pool = { data: encodePool(POOL), version: '7' };
  const all = { now: NOW, pool, serial: 5, ...nothing, ...facts };
  return new PoolView(all, POOL, free === 'none' ? { rest } : { ...(free && { free }), rest });
}

const nameOfThrown = (work: () => unknown): string => {
  try {
    return `no error: ${String(work())}`;
  } catch (error) {
    return (error as Error).name;
  }
};

describe('the next free slot', () => {
  it('comes in the order of the facts, each once', () => {
    const view = viewOf({ free: [record(3), record(1)].map(read) }, { ...FREE, count: 2, to: 2 });
    expect([view.takeFree()?.slot, view.takeFree()?.slot, view.takeFree()]).toEqual([3, 1, undefined]);
  });

  it('is none that the store holds, nor one behind it', () => {
    const view = viewOf({ free: [record(3, { freeFrom: NOW + 1 }), record(1)].map(read) });
    expect(view.takeFree()).toBe(undefined);
  });

  it('is behind one that was granted in this batch', () => {
    const view = viewOf({ free: [record(3), record(1)].map(read) });
    view.write(record(3, { freeFrom: NOW + 900 }));
    expect(view.takeFree()?.slot).toBe(1);
  });

  it('is one that became free in this batch, if it is of the present layout', () => {
    const [own, former] = [
      record(2, { freeFrom: NOW + 9 }),
      record(6, { generation: 'old', freeFrom: NOW + 9 }),
    ];
    const view = viewOf({ slots: [own, former].map(read) }, { ...FREE, count: 8 });
    view.write({ ...former, freeFrom: NOW });
    expect(view.takeFree()).toBe(undefined);
    view.write({ ...own, freeFrom: NOW });
    expect(view.takeFree()?.slot).toBe(2);
    view.write({ ...own, freeFrom: NOW + 9 });
    expect(view.takeFree()).toBe(undefined);
  });

  const held = read(record(0, { freeFrom: NOW + 1 }));
  const free = read(record(0));
  const rows: [
    title: string,
    facts: readonly ReadSlot[],
    wanted: Wanted['free'] | 'none',
    isUnknown: boolean,
  ][] = [
    ['when none was wanted', [], 'none', true],
    ['when the first were left to others', [], { ...FREE, skip: 1 }, true],
    [
      'when the first were left to others, and all that was read is held',
      [held],
      { ...FREE, count: 1, skip: 1 },
      true,
    ],
    ['when as many were read as were wanted, all of them free', [free], { ...FREE, count: 1 }, true],
    ['not when the last one that was read is held', [held], { ...FREE, count: 1 }, false],
    ['not when fewer were read than were wanted', [free], { ...FREE, count: 2 }, false],
    ['not when all that the share has were read', [free], { ...FREE, from: 7, count: 1 }, false],
    ['not when none was found', [], FREE, false],
  ];
  for (const [title, slots, wanted, isUnknown] of rows) {
    it(`is not known ${title}`, () => {
      const view = viewOf({ free: slots }, wanted);
      if (slots[0] === free) view.takeFree();
      expect(nameOfThrown(() => view.takeFree())).toBe(isUnknown ? 'TooFewFacts' : 'no error: undefined');
    });
  }
});

describe('while slots of a former layout are not open yet, the next free slot', () => {
  const takeFree = (free: Wanted['free'] | 'none') =>
    nameOfThrown(() => viewOf({ free: [] }, free, { nextAt: NOW + 70 }).takeFree());

  it('is none when none is open, and the next one opens when the first floor passes', () => {
    expect(takeFree('none')).toBe('no error: undefined');
    expect(viewOf({}, 'none', { nextAt: NOW + 70 }).nextFreeFrom()).toBe(NOW + 70);
  });

  it('is not known when the first open ones were left to others', () => {
    expect(takeFree({ ...FREE, skip: 1 })).toBe('TooFewFacts');
    expect(takeFree({ ...FREE, count: 0, skip: 0 })).toBe('no error: undefined');
  });

  it('is not known when all open ones are held: others may have opened', () => {
    expect(nameOfThrown(() => viewOf({}, FREE, {}).nextFreeFrom())).toBe('TooFewFacts');
  });
});

describe('the time of the next free slot', () => {
  const at = (...slots: SlotRecord[]) => viewOf({ slots: slots.map(read) }).nextFreeFrom();

  it('is the first of the present layout', () => {
    const former = record(9, { generation: 'old', freeFrom: NOW + 5 });
    expect(at(former, record(0, { freeFrom: NOW + 30 }), record(1, { freeFrom: NOW + 20 }))).toBe(NOW + 20);
  });

  it('is never now: a caller that waited no time would call again at once', () => {
    expect(at(record(0, { freeFrom: NOW - 5 }))).toBe(NOW + 1);
  });
});

describe('the response to a request', () => {
  const slot = (number: number, lease: Partial<LeaseRecord> = {}) =>
    record(number, { lease: leaseOf(lease) });
  const responseTo = (
    slots: readonly SlotRecord[],
    ...keys: readonly { generation: string; slot: number }[]
  ) =>
    viewOf({ slots: slots.map(read), responses: [{ request: 'r', created: NOW, slots: keys }] })
      .responseTo('r')
      ?.map(({ slot: number }) => number);
  const [zero, one] = [
    { generation: 'g', slot: 0 },
    { generation: 'g', slot: 1 },
  ];

  it('has all its leases', () => {
    expect(responseTo([slot(0), slot(1)], zero, one)).toEqual([0, 1]);
  });

  const incomplete: [title: string, slots: Parameters<typeof responseTo>[0], keys: (typeof zero)[]][] = [
    ['one of them was released', [slot(0), record(1)], [zero, one]],
    ['one of them was never written', [slot(0)], [zero, one]],
    ['one of them belongs to another request', [slot(0), slot(1, { request: 'other' })], [zero, one]],
    ['one of them was granted at another time', [slot(0), slot(1, { granted: NOW - 1 })], [zero, one]],
    ['all of them belong to other requests', [slot(0, { request: 'other' })], [zero]],
    ['it had none', [], []],
  ];
  for (const [title, slots, keys] of incomplete) {
    it(`is none when ${title}`, () => {
      expect(responseTo(slots, ...keys)).toBe(undefined);
    });
  }

  it('is none when the layout has changed since', () => {
    const former = { ...slot(0), generation: 'old' };
    expect(responseTo([former], { generation: 'old', slot: 0 })).toBe(undefined);
  });

  it('is none when there was no such request', () => {
    expect(viewOf().responseTo('r')).toBe(undefined);
  });
});

describe('what is to be written', () => {
  it('is nothing when nothing has changed', () => {
    const view = viewOf({ slots: [read(record(0))], responses: [{ request: 'r', created: 1, slots: [] }] });
    view.addUnused({ generation: 'g', slot: 5 });
    view.serialAtLeast = 5;
    expect(view.changes()).toBe(undefined);
  });

  it('is a serial that must rise', () => {
    const view = viewOf();
    view.serialAtLeast = 6;
    expect(view.changes()).toEqual({
      ...{ poolVersion: '7', grants: 0, serialAtLeast: 6 },
      ...{ slots: [], responses: [], forget: [], quotas: [] },
    });
    expect(view.serial).toBe(6);
  });

  it('rests on there being no pool when there was none', () => {
    const view = viewOf({ pool: null });
    view.pool = { ...POOL, maxWindow: 2000 };
    expect(view.changes()).toMatchObject({ poolVersion: null, pool: encodePool(view.pool) });
  });

  it('is each slot that was written, as it was read and as it is', () => {
    const view = viewOf({ slots: [record(0), record(1)].map(read) });
    const added = view.addUnused({ generation: 'g', slot: 5 });
    view.write({ ...added, freeFrom: NOW + 900 });
    view.write(record(1, { freeFrom: NOW + 900 }));
    expect(view.changes()?.slots).toEqual([
      { before: read(record(1)), after: encodeSlot(record(1, { freeFrom: NOW + 900 })) },
      {
        before: { generation: 'g', slot: 5, freeFrom: 0, quotas: [], data: '', version: null },
        after: encodeSlot(record(5, { freeFrom: NOW + 900 })),
      },
    ]);
  });

  it('is no slot that was not read', () => {
    expect(() => viewOf().write(record(4))).toThrow('slot 4 was not read');
  });

  it('is a response that is new, or in the place of one that was read; no other', () => {
    const responses = ['kept', 'old'].map((request) => ({ request, created: 1, slots: [] }));
    const view = viewOf({ slots: [read(record(0))], responses });
    view.write(record(0, { freeFrom: NOW + 900 }));
    for (const request of ['old', 'new']) view.respond(request, [record(0)]);
    const slots = [{ generation: 'g', slot: 0 }];
    expect(view.changes()?.responses).toEqual([
      { before: 1, after: { request: 'old', created: NOW, slots } },
      { before: null, after: { request: 'new', created: NOW, slots } },
    ]);
  });

  it('forgets the response of a lease that is gone; else a store would keep one for every request there ever was', () => {
    const leased = (slot: number, request: string) =>
      record(slot, { lease: leaseOf({ request, granted: slot }) });
    const slots = [
      leased(1, 'released'),
      leased(2, 'again'),
      leased(3, ''),
      record(4),
      leased(5, 'untouched'),
    ];
    const view = viewOf({ slots: slots.map(read) });
    for (const slot of [1, 2, 3, 4]) view.write(record(slot));
    // The same request once more: its response is replaced, not forgotten.
    view.respond('again', [record(2)]);
    expect(view.changes()?.forget).toEqual([{ request: 'released', created: 1 }]);
  });
});

describe('a quota', () => {
  const quotas = [
    { quota: 'a', count: 2, firstEnd: NOW + 50 },
    { quota: 'b', count: 7, firstEnd: NOW + 10 },
  ];
  const slot = record(0, { freeFrom: NOW + 50, quotas: ['a'] });

  it('that was not read is not known', () => {
    expect(nameOfThrown(() => viewOf().quota('a'))).toBe('TooFewFacts');
    expect(() => viewOf().count('a')).toThrow(TooFewFacts);
  });

  it('counts what the batch has granted and freed', () => {
    const view = viewOf({ quotas, slots: [slot, record(1)].map(read) });
    view.write(record(1, { freeFrom: NOW + 20, quotas: ['a', 'unread'] }));
    expect(view.quota('a')).toEqual({ quota: 'a', count: 3, firstEnd: NOW + 20 });
    view.write(record(1, { freeFrom: NOW + 90, quotas: ['a'] }));
    expect(view.quota('a').count).toBe(3);
    view.write({ ...slot, freeFrom: NOW });
    expect(view.quota('a').count).toBe(2);
  });

  it('does not count what ends now, before or after', () => {
    const view = viewOf({ quotas, slots: [read(record(1, { quotas: ['a'] }))] });
    view.write(record(1, { freeFrom: NOW, quotas: ['a'] }));
    expect(view.quota('a')).toEqual(quotas[0]);
  });

  it('keeps its first end when a slot leaves it: another may end then', () => {
    const late = record(0, { freeFrom: NOW + 5, quotas: ['a'] });
    const view = viewOf({ quotas, slots: [read(late)] });
    view.write({ ...late, freeFrom: NOW, quotas: [] });
    expect(view.quota('a')).toEqual({ quota: 'a', count: 1, firstEnd: NOW + 50 });
  });

  it('that was relied on is written with the count that was read; one that was only counted is not', () => {
    const view = viewOf({ quotas, slots: [read(slot)] });
    view.quota('b');
    view.count('a');
    view.write({ ...slot, freeFrom: NOW });
    expect(view.changes()?.quotas).toEqual([{ quota: 'b', count: 7 }]);
  });
});
