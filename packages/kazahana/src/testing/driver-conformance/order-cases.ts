// The order of granting: never-written slots first, by number; then written ones by `freeFrom`, then by number.
import { check, equal } from '../conformance/checks.js';
import {
  type DriverCase,
  type DriverTrial,
  firstWrite,
  free,
  LONG,
  numbersOf,
  SLOTS,
  unwritten,
  upTo,
} from './subject.js';

/** Takes slots one by one, each with another skip, until none is left that was never written. */
async function takeAll(trial: DriverTrial, from: number, to: number): Promise<number[]> {
  const taken: number[] = [];
  for (let turn = 0; turn < 2 * (to - from); turn++) {
    const left = to - from - taken.length;
    if (left === 0) break;
    const wanted = free({ from, to, skip: (turn * 5) % left, count: 1 });
    await trial.change(
      ({ free: [slot] }) => {
        check(slot !== undefined, `a slot must be found, ${left} were never written`);
        check(slot.version === null, `slot ${slot.slot} is given while ${left} were never written`);
        taken.push(slot.slot);
        return { slots: [firstWrite(slot.slot, { freeFrom: 1000 + turn })] };
      },
      { wanted },
    );
  }
  return taken;
}

export const orderCases: readonly DriverCase[] = [
  {
    name: 'slots that were never written come first, by number, and have no version',
    rule: 'granting',
    async run(trial) {
      await trial.create();
      const fresh = await trial.look(free({ count: 3 }));
      equal('the first slots', fresh.free, [unwritten(0), unwritten(1), unwritten(2)]);
      await trial.put([{ slot: 0, freeFrom: 5 }]);
      equal('the order', await trial.order({ to: 12 }), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]);
      equal('slots that are not requested', (await trial.look()).free, []);
      equal('none of them', await trial.order({ count: 0 }), []);
    },
  },
  {
    name: 'written slots follow by freeFrom, then by number, wherever it lies',
    rule: 'granting',
    async run(trial) {
      const { now } = await trial.look();
      const times = [
        now + 2 * LONG,
        now + LONG,
        7,
        7,
        now,
        100_000_000_000,
        20_000,
        7,
        3000,
        3000,
        0,
        3000,
        900,
      ];
      await trial.create(...times.map((freeFrom, slot) => firstWrite(slot, { freeFrom })));
      const order = [10, 2, 3, 7, 12, 8, 9, 11, 6, 5, 4, 1, 0];
      equal('the order', await trial.order({ to: times.length }), order);
      await trial.put([
        { slot: 2, freeFrom: 8 },
        { slot: 0, freeFrom: 1 },
      ]);
      const moved = [10, 0, 3, 7, 2, 12, 8, 9, 11, 6, 5, 4, 1];
      equal('the order after two have moved', await trial.order({ to: times.length }), moved);
      equal('with slots never written', await trial.order({ to: 15, count: 4 }), [13, 14, 10, 0]);
    },
  },
  {
    name: 'slots with one freeFrom come by number, not by text',
    rule: 'granting',
    async run(trial) {
      const numbers = [0, 1, 2, 9, 10, 11, 99, 100, 101, 1000];
      await trial.create(...numbers.toReversed().map((slot) => firstWrite(slot, { freeFrom: 77 })));
      const written = free({ to: 1001, skip: 1001 - numbers.length, count: 20 });
      equal('the order', numbersOf((await trial.look(written)).free), numbers);
    },
  },
  {
    name: 'skip leaves out so many at the beginning, count ends the list',
    rule: 'granting',
    async run(trial) {
      const changes = upTo(8).map((slot) => firstWrite(slot, { freeFrom: 100 - slot }));
      await trial.create(...changes);
      const all = [8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0];
      for (let from = 0; from <= SLOTS + 1; from++) {
        for (const count of [1, 3, SLOTS, 1000]) {
          const found = await trial.order({ skip: from, count });
          equal(`the order with skip ${from} and count ${count}`, found, all.slice(from, from + count));
        }
      }
    },
  },
  {
    name: 'a list shorter than count means that there are no more',
    rule: 'granting',
    async run(trial) {
      await trial.create();
      equal('never-written slots', (await trial.look(free({ to: 5000 }))).free.length, 5000);
      await trial.fill(upTo(400).map((slot) => firstWrite(slot, { freeFrom: 10_000 - slot })));
      const written = upTo(400).reverse();
      equal('written slots', await trial.order({ to: 400, count: 5000 }), written);
      const both = [...upTo(200).map((slot) => 400 + slot), ...written];
      equal('slots of both kinds', await trial.order({ to: 600, count: 500 }), both.slice(0, 500));
      equal(
        'the last slots of both kinds',
        await trial.order({ to: 600, skip: 150, count: 5000 }),
        both.slice(150),
      );
    },
  },
  {
    name: 'from and to bound both kinds of slots',
    rule: 'granting',
    async run(trial) {
      const numbers = [0, 7, 8, 10, 12, 15, 16, 20];
      await trial.create(...numbers.map((slot) => firstWrite(slot, { freeFrom: 100 - slot })));
      const order = [9, 11, 13, 14, 15, 12, 10, 8];
      for (const skip of [0, 2, 4, 6]) {
        const found = await trial.order({ from: 8, to: 16, skip, count: 20 });
        equal(`slots 8 to 15 with skip ${skip}`, found, order.slice(skip));
      }
      equal('the first of them', await trial.order({ from: 8, to: 16, count: 3 }), [9, 11, 13]);
      equal('slots 15 to 17', await trial.order({ from: 15, to: 18 }), [17, 16, 15]);
      equal('one slot', await trial.order({ from: 7, to: 8, count: 5 }), [7]);
      await trial.put([9, 11, 13, 14].map((slot) => ({ slot, freeFrom: slot })));
      const full = [9, 11, 13, 14, 15, 12, 10, 8];
      equal('slots 8 to 15 when all were written', await trial.order({ from: 8, to: 16, count: 20 }), full);
      equal('slots 16 to 23 then', await trial.order({ from: 16, to: 24 }), [17, 18, 19, 21, 22, 23, 20, 16]);
    },
  },
  {
    name: 'slots that were skipped come by number like all that were never written',
    rule: 'granting',
    async run(trial) {
      await trial.create(firstWrite(5, { freeFrom: 9 }), firstWrite(9, { freeFrom: 3 }));
      equal('the order', await trial.order({ to: 12 }), [0, 1, 2, 3, 4, 6, 7, 8, 10, 11, 9, 5]);
      equal('the order from the fifth on', await trial.order({ to: 12, skip: 4, count: 3 }), [4, 6, 7]);
      await trial.put([{ slot: 0, freeFrom: 4 }]);
      equal(
        'the order when the first is written',
        await trial.order({ to: 12, count: 6 }),
        [1, 2, 3, 4, 6, 7],
      );
    },
  },
  {
    name: 'every slot can be had, whatever was skipped before',
    rule: 'granting',
    async run(trial) {
      await trial.create();
      const numbers = (taken: readonly number[]) => [...taken].sort((a, b) => a - b);
      equal('the slots granted', numbers(await takeAll(trial, 0, SLOTS)), upTo(SLOTS));
      const share = await takeAll(trial, 64, 64 + SLOTS);
      equal(
        'the slots granted of a share',
        numbers(share),
        upTo(SLOTS).map((slot) => 64 + slot),
      );
    },
  },
  {
    name: 'a pool of 2^29 slots costs no more than a small one',
    rule: 'granting',
    async run(trial) {
      const to = 2 ** 29;
      await trial.create(firstWrite(to - 1), firstWrite(2 ** 28 + 1));
      equal('the first slots', await trial.order({ to, count: 3 }), [0, 1, 2]);
      equal('the first of the upper half', await trial.order({ from: 2 ** 28, to, count: 3 }), [
        2 ** 28,
        2 ** 28 + 2,
        2 ** 28 + 3,
      ]);
      equal('far down', await trial.order({ to, skip: 10_000, count: 2 }), [10_000, 10_001]);
    },
  },
];
