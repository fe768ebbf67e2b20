// The order of granting is read from where it begins: what was granted before costs nothing, and what joins it is found.
import type { StoredSlot, Wanted } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdUrl, openEtcdWay, startEtcd } from '../../../tests/services/etcd.ts';
import { leaseOf, release } from '../../../tests/stores/calls.ts';
import { EtcdDriver } from './driver.js';
import { resolveSettings } from './options.js';
import { EtcdLeaseProvider } from './provider.js';

const server = await startEtcd();
const way = await openEtcdWay(server);
afterAll(async () => {
  way.close();
  await server.dispose();
});
let cases = 0;
const newPrefix = () => `/case-${++cases}/`;

interface Range {
  readonly request_range?: { readonly key: string };
}

/** The keys at which the ranges of requests begin, one list for each request, while `call` runs. */
async function requestsOf(call: () => Promise<unknown>): Promise<string[][]> {
  const requests: string[][] = [];
  way.holdsUp = (body) => {
    const { success } = JSON.parse(body) as { success: readonly Range[] };
    requests.push(success.map((range) => Buffer.from(range.request_range?.key ?? '', 'base64').toString()));
    return undefined;
  };
  await call();
  way.holdsUp = () => undefined;
  return requests;
}

/** The free times at which reads of the order begin, while `call` runs. */
async function readsFrom(call: () => Promise<unknown>): Promise<number[]> {
  const places = (await requestsOf(call)).flat().map((key) => key.split('/order/')[1]);
  return places.filter((place) => place !== undefined).map(Number);
}

describe('the order of granting', () => {
  /** A provider whose requests can be looked at, and two that go their own ways. */
  function open() {
    const environment = virtualEnvironment();
    const services = { default: { bitId: 5, bitSeq: 17, leaseDuration: 60_000 } };
    const options = { prefix: newPrefix(), services, environment };
    const watched = new EtcdLeaseProvider({ endpoints: [way.url], ...options });
    const direct = { endpoints: [etcdUrl(server)], ...options };
    const [other, third] = [new EtcdLeaseProvider(direct), new EtcdLeaseProvider(direct)];
    /** So many slots are granted and released, one after the other. */
    const cycle = async (count: number) => {
      for (let round = 0; round < count; round++) {
        await environment.advance(1);
        await release(other, await leaseOf(other));
      }
    };
    const close = () => Promise.all([watched.close(), other.close(), third.close()]);
    return { environment, watched, third, cycle, close };
  }

  it('is read from where it begins, and once a minute from its very start', async () => {
    const { environment, watched, cycle, close } = open();
    await cycle(16);
    await readsFrom(() => leaseOf(watched));
    for (let minute = 0; minute < 3; minute++) {
      await environment.advance(30_000);
      await cycle(100);
      await leaseOf(watched);
      const [from = 0] = await readsFrom(() => leaseOf(watched));
      expect(from).toBeGreaterThan(environment.now() - 6000);
      await environment.advance(61_000);
      expect((await readsFrom(() => leaseOf(watched)))[0]).toBe(0);
    }
    await close();
  });

  it('begins earlier when an earlier slot comes back, and that slot is the next to be granted', async () => {
    const { watched, cycle, close } = open();
    const early = await leaseOf(watched);
    await cycle(100);
    await release(watched, early);
    expect((await leaseOf(watched)).id).toBe(early.id);
    await close();
  });

  it('begins earlier for a process that has read it while that slot was on its way', async () => {
    const { watched, third, cycle, close } = open();
    const early = await leaseOf(watched);
    let isHeld = false;
    way.holdsUp = (body) => {
      if (isHeld || !body.includes('request_put')) return undefined;
      isHeld = true;
      return cycle(100).then(() => leaseOf(third));
    };
    await release(watched, early);
    way.holdsUp = () => undefined;
    expect(isHeld).toBe(true);
    expect((await leaseOf(third)).id).toBe(early.id);
    await close();
  });
});

const GENERATION = 'generation';

/** Two drivers on one pool, whose requests can be looked at. */
async function openDrivers() {
  const environment = virtualEnvironment();
  const settings = resolveSettings({ endpoints: [way.url], prefix: newPrefix() });
  const connect = () => new EtcdDriver(settings, environment);
  const [driver, other] = [connect(), connect()];
  const nothing: Wanted = { slots: [], requests: [], quotas: [] };
  const rest = { grants: 0, serialAtLeast: 0, responses: [], forget: [], quotas: [] };
  /** Writes slots, and the pool if it is missing. */
  const write = async (by: EtcdDriver, slots: readonly Pick<StoredSlot, 'slot' | 'freeFrom'>[]) => {
    const keys = slots.map(({ slot }) => ({ generation: GENERATION, slot }));
    const facts = await by.read('pool', { ...nothing, slots: keys });
    const changes = slots.map(({ slot, freeFrom }) => {
      const empty = { generation: GENERATION, slot, freeFrom: 0, quotas: [], data: '', version: null };
      const before = facts.slots.find((found) => found.slot === slot) ?? empty;
      return { before, after: { generation: GENERATION, slot, freeFrom, quotas: [], data: 'x' } };
    });
    const poolVersion = facts.pool?.version ?? null;
    const written = await by.write('pool', { poolVersion, pool: 'a pool', slots: changes, ...rest }, facts);
    expect(written).not.toBe('changed');
  };
  const order = async (by: EtcdDriver, to: number, count: number) => {
    const free = { generation: GENERATION, from: 0, to, skip: 0, count };
    return (await by.read('pool', { ...nothing, free })).free.map(({ slot }) => slot);
  };
  const close = () => Promise.all([driver.close(), other.close()]);
  return { environment, driver, other, connect, write, order, close };
}

describe('a slot that another process writes', () => {
  it('is found at its place, however far back a release puts it, before those that were free later', async () => {
    const { environment, driver, other, write, order, close } = await openDrivers();
    const start = environment.now();
    await write(driver, [
      { slot: 0, freeFrom: start - 20_000 },
      { slot: 1, freeFrom: start + 55_000 },
      { slot: 2, freeFrom: start + 600_000 },
    ]);
    await environment.advance(58_000);
    expect(await order(driver, 3, 1)).toEqual([0]);
    expect(await order(driver, 3, 1)).toEqual([0]);
    // Behind the first one, which is older than a release can be.
    await write(other, [{ slot: 2, freeFrom: environment.now() - 29_000 }]);
    expect(await order(driver, 3, 2)).toEqual([0, 2]);
    // The first one is granted, and comes back a moment ago.
    await write(other, [{ slot: 0, freeFrom: environment.now() + 60_000 }]);
    expect(await order(driver, 3, 1)).toEqual([2]);
    await write(other, [{ slot: 2, freeFrom: environment.now() + 60_000 }]);
    expect(await order(driver, 3, 1)).toEqual([1]);
    await write(other, [{ slot: 0, freeFrom: environment.now() - 30_000 }]);
    expect(await order(driver, 3, 1)).toEqual([0]);
    await write(other, [{ slot: 2, freeFrom: environment.now() - 1 }]);
    expect(await order(driver, 3, 3)).toEqual([0, 1, 2]);
    await close();
  });
});

describe('a slot that joins the order further back than a release can', () => {
  it('is found within a minute', async () => {
    const { environment, driver, other, write, order, close } = await openDrivers();
    const now = environment.now();
    await write(
      driver,
      [now - 30_000, now - 20_000, now + 9e6].map((freeFrom, slot) => ({ slot, freeFrom })),
    );
    expect(await order(driver, 3, 2)).toEqual([0, 1]);
    await write(other, [{ slot: 2, freeFrom: 5 }]);
    expect(await order(driver, 3, 2)).toEqual([0, 1]);
    await environment.advance(60_000);
    expect(await order(driver, 3, 2)).toEqual([2, 0]);
    await close();
  });

  it('is found at once when there are too few others', async () => {
    const { environment, driver, other, write, order, close } = await openDrivers();
    const now = environment.now();
    await write(
      driver,
      [now - 30_000, now + 9e5, now + 9e6].map((freeFrom, slot) => ({ slot, freeFrom })),
    );
    expect(await order(driver, 3, 1)).toEqual([0]);
    await write(other, [{ slot: 2, freeFrom: 5 }]);
    expect(await order(driver, 3, 2)).toEqual([2, 0]);
    await close();
  });
});

describe('the first slot that was never written', () => {
  it('is found behind thousands of others in a few requests, and then in one', async () => {
    const { driver, connect, write, order, close } = await openDrivers();
    const holes = [2345, 3210];
    const numbers = Array.from({ length: 4000 }, (_, slot) => slot).filter((slot) => !holes.includes(slot));
    for (let at = 0; at < numbers.length; at += 128) {
      await write(
        driver,
        numbers.slice(at, at + 128).map((slot) => ({ slot, freeFrom: 9 })),
      );
    }
    const fresh = connect();
    const first = await requestsOf(async () => {
      expect(await order(fresh, 2 ** 29, 4)).toEqual([...holes, 4000, 4001]);
    });
    expect(first.length).toBeLessThan(12);
    const second = await requestsOf(async () => expect(await order(fresh, 2 ** 29, 1)).toEqual([2345]));
    expect(second).toHaveLength(1);
    await fresh.close();
    await close();
  });
});
