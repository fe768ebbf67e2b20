import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlotQueue } from './slot-queue.js';

/** The same, without thinking: looks at every slot each time. */
class NaiveQueue {
  readonly used = new Map<number, number>();

  constructor(readonly size: number) {}

  first(): { slot: number; freeFrom: number } | undefined {
    const all = Array.from({ length: this.size }, (_, slot) => ({
      slot,
      freeFrom: this.used.get(slot) ?? 0,
    }));
    const unused = all.find(({ slot }) => !this.used.has(slot));
    return unused ?? all.sort((a, b) => a.freeFrom - b.freeFrom || a.slot - b.slot)[0];
  }
}

/** How many entries of maps are written while some work is done: the queue keeps each place and time in one. */
function countWrites(work: () => void): number {
  const set = Map.prototype.set;
  let writes = 0;
  Map.prototype.set = function (key, value) {
    writes++;
    return set.call(this, key, value);
  };
  try {
    work();
  } finally {
    Map.prototype.set = set;
  }
  return writes;
}

describe('a queue of slots', () => {
  it('gives never-used slots first, in order, then the one that becomes free first', () => {
    const queue = new SlotQueue(3);
    const order: unknown[] = [];
    for (const freeFrom of [50, 40, 60]) {
      const first = queue.first();
      order.push(first);
      queue.set(first?.slot ?? -1, freeFrom);
    }
    expect(order).toEqual([0, 1, 2].map((slot) => ({ slot, freeFrom: 0 })));
    expect(queue.first()).toEqual({ slot: 1, freeFrom: 40 });
    queue.set(1, 70);
    expect(queue.first()).toEqual({ slot: 0, freeFrom: 50 });
    expect([0, 1, 2].map((slot) => queue.freeFrom(slot))).toEqual([50, 70, 60]);
  });

  it('is empty when it has no slots', () => expect(new SlotQueue(0).first()).toBe(undefined));

  it('starts from what was used before, in any order', () => {
    const used: [number, number][] = [
      [3, 10],
      [0, 20],
      [1, 5],
    ];
    const queue = new SlotQueue(4, used);
    expect(new Map(queue.used())).toEqual(new Map(used));
    expect(queue.first()).toEqual({ slot: 2, freeFrom: 0 });
    queue.set(2, 30);
    expect(queue.first()).toEqual({ slot: 1, freeFrom: 5 });
  });

  it('does what a queue does that looks at every slot', () => {
    const anyStep = fc.record({ slot: fc.option(fc.nat(11)), freeFrom: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(anyStep, { maxLength: 60 }), (size, steps) => {
        const queue = new SlotQueue(size);
        const naive = new NaiveQueue(size);
        for (const { slot, freeFrom } of steps) {
          // Mostly what a pool does, takes the first; sometimes any slot, as a release does.
          const chosen = slot === null ? (naive.first()?.slot ?? 0) : slot % size;
          queue.set(chosen, freeFrom);
          naive.used.set(chosen, freeFrom);
          expect(queue.first()).toEqual(naive.first());
          expect(new Map(queue.used())).toEqual(naive.used);
        }
      }),
    );
  });

  it('takes a step for each doubling of the pool, however full it is', () => {
    for (const size of [64, 1024, 8192, 65_536]) {
      const queue = new SlotQueue(
        size,
        Array.from({ length: size }, (_, slot): [number, number] => [slot, slot + 1]),
      );
      const depth = Math.log2(size);
      for (let time = size; time < size + 100; time++) {
        const writes = countWrites(() => queue.set(queue.first()?.slot ?? 0, time));
        // The value, and the places of the slots on one path: down the heap, and standing still twice.
        expect(writes).toBeLessThanOrEqual(depth + 3);
      }
    }
  });
});
