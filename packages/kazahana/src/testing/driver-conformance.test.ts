import { describe, expect, it } from 'vitest';
import type { Changes, Facts, LeaseDriver, Wanted } from '../lease/driver.js';
import { MemoryDriver } from '../providers/memory-driver.js';
import {
  type DriverFactory,
  type DriverSubject,
  leaseDriverConformance,
  virtualEnvironment,
} from './index.js';

/** A driver that lives in virtual time. */
async function virtualSubject(): Promise<DriverSubject> {
  const environment = virtualEnvironment();
  const { now, advance } = environment;
  const driver = new MemoryDriver({ environment });
  return { driver, now, advance, backup: backupOf(driver) };
}

function backupOf(store: MemoryDriver): NonNullable<DriverSubject['backup']> {
  store.incarnation = { id: 'first', mayLose: true };
  return async () => {
    const copy = store.snapshot();
    return async () => {
      store.restore(copy);
      store.incarnation = { id: 'second', mayLose: true };
    };
  };
}

/** One of the processes that share a store and lock a pool from their read to its end, as SQL databases do. */
class LockingDriver implements LeaseDriver {
  readonly maxSlotsPerWrite = 7;
  readonly #store: MemoryDriver;
  /** By pool, the end of the last turn. */
  readonly #turns: Map<string, Promise<void>>;
  readonly #ends = new WeakMap<Facts, () => void>();

  constructor(store: MemoryDriver, turns: Map<string, Promise<void>>) {
    this.#store = store;
    this.#turns = turns;
  }

  async read(pool: string, wanted: Wanted): Promise<Facts> {
    const before = this.#turns.get(pool);
    let end = () => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#turns.set(pool, turn);
    await before;
    const facts = await this.#store.read(pool, wanted);
    this.#ends.set(facts, end);
    return facts;
  }

  async write(pool: string, changes: Changes, facts: Facts) {
    const outcome = await this.#store.write(pool, changes, facts);
    expect(outcome, 'with a lock, nothing changes between a read and its write').not.toBe('changed');
    await this.abandon(facts);
    return outcome;
  }

  async abandon(facts: Facts): Promise<void> {
    this.#ends.get(facts)?.();
  }

  async confirm(): Promise<void> {}

  list(pool: string, generation: string, after: number, limit: number) {
    return this.#store.list(pool, generation, after, limit);
  }

  drop(pool: string, generation: string) {
    return this.#store.drop(pool, generation);
  }
}

async function lockingSubject(store: MemoryDriver): Promise<DriverSubject> {
  const turns = new Map<string, Promise<void>>();
  store.incarnation = { id: 'the only one', mayLose: false };
  return { driver: new LockingDriver(store, turns), other: new LockingDriver(store, turns), locks: true };
}

describe('the memory driver conforms:', () => {
  for (const { name, run } of leaseDriverConformance(virtualSubject)) it(name, run);
});

describe('the memory driver conforms in real time, as stores do whose clock cannot be moved:', () => {
  const cases = leaseDriverConformance(async () => ({ driver: new MemoryDriver() }));
  for (const { name, run } of cases) it(name, run);
});

describe('a driver that locks, and carries few slots in a write, conforms:', () => {
  for (const { name, run } of leaseDriverConformance(() => lockingSubject(new MemoryDriver()))) it(name, run);
});

describe('the suite finds a driver that', () => {
  it('reads the clock before it waits for a lock', async () => {
    const factory = async () => {
      const store = new MemoryDriver();
      const { driver, other, ...rest } = await lockingSubject(store);
      const early = (locking: LeaseDriver): LeaseDriver => ({
        maxSlotsPerWrite: 1,
        async read(pool, wanted) {
          const { now } = await store.read(pool, wanted);
          // The lock knows its own facts.
          return Object.assign(await locking.read(pool, wanted), { now });
        },
        write: locking.write.bind(locking),
        list: locking.list.bind(locking),
        drop: locking.drop.bind(locking),
      });
      return { driver: early(driver), other: early(other ?? driver), ...rest };
    };
    const name = 'a read that waited for a lock tells the time after the wait, and what was written in it';
    const found = leaseDriverConformance(factory).find((other) => other.name === name);
    await expect(found?.run()).rejects.toThrow(/^R3: now must be at least/);
  });
});

describe('a case', () => {
  it('has a name of its own', () => {
    const names = leaseDriverConformance(virtualSubject).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is skipped only for what its subject lacks', async () => {
    const skippedWith = async (factory: DriverFactory) => {
      const reasons = new Set<string>();
      const skip = (reason: string) => void reasons.add(reason);
      for (const { run } of leaseDriverConformance(factory)) await run({ skip });
      return [...reasons].sort();
    };
    expect(await skippedWith(virtualSubject)).toEqual([
      'it needs `other`, a second driver on the same store',
      'the driver does not lock',
      'the driver has no `confirm`',
    ]);
    expect(await skippedWith(async () => ({ driver: new MemoryDriver() }))).toEqual([
      'it needs `backup`, to begin another life of the store',
      'it needs `other`, a second driver on the same store',
      'the driver does not lock',
      'the driver has no `confirm`',
      'the driver tells no incarnation',
      "the store's time cannot be moved",
    ]);
    expect(await skippedWith(() => lockingSubject(new MemoryDriver()))).toEqual([
      'a driver that locks lets nothing change between a read and its write',
      'it needs `backup`, to begin another life of the store',
      "the store's time cannot be moved",
    ]);
  });
});
