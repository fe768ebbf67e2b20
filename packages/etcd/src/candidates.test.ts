import { describe, expect, it } from 'vitest';
import { inOrderOfTrying, Reservations } from './candidates.js';
import type { FreeEntry } from './snapshot.js';

const entry = (slot: number, revision = 10): FreeEntry => ({ slot, freeFrom: 0, revision, last: undefined });
const entries = [0, 1, 2, 3, 4, 5].map((slot) => entry(slot));
const slots = (order: readonly FreeEntry[]) => order.map(({ slot }) => slot);

describe('free slots are tried', () => {
  it('in the order of granting, by whoever is alone', () => {
    const { isContested } = new Reservations();
    expect(slots(inOrderOfTrying(entries, { isContested, chance: undefined }))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('last when another call is about to take them, or has since they were read', () => {
    const reservations = new Reservations();
    const { isContested } = reservations;
    reservations.reserve([0, 1, 3]);
    reservations.settle([1], 11);
    reservations.settle([3], undefined);
    expect(slots(inOrderOfTrying(entries, { isContested, chance: undefined }))).toEqual([2, 3, 4, 5, 0, 1]);
    // Read after that, it is free again.
    expect(isContested(entry(1, 12))).toBe(false);
    expect(reservations.size).toBe(1);
  });

  it('by chance after a conflict, every one of them first now and then', () => {
    const { isContested } = new Reservations();
    let draws = 0;
    // Any source will do that gives all numbers.
    const chance = (limit: number) => (draws++ * 7) % limit;
    const orders = Array.from({ length: 60 }, () => slots(inOrderOfTrying(entries, { isContested, chance })));
    for (const order of orders) expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(orders.map(([first]) => first)).size).toBeGreaterThan(3);
  });
});

describe('reservations', () => {
  it('forget what was taken long ago', () => {
    const reservations = new Reservations();
    for (let slot = 0; slot < 2000; slot++) reservations.settle([slot], 11);
    expect(reservations.isContested(entry(0))).toBe(false);
    expect(reservations.isContested(entry(1999))).toBe(true);
  });
});
