// What the suite for drivers cannot know of etcd: transactions at their limits, lost responses, compaction, snapshots,
// old formats.
import {
  type Changes,
  defaultEnvironment,
  type Environment,
  type Facts,
  type ReadSlot,
  type Wanted,
} from 'kazahana/lease';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdCall, etcdUrl, openEtcdWay, startEtcd } from '../../../tests/services/etcd.ts';
import type { Service } from '../../../tests/services/process.ts';
import { EtcdDriver } from './driver.js';
import { EtcdLeaseProvider } from './index.js';
import { resolveSettings } from './options.js';

const server = await startEtcd();
const way = await openEtcdWay(server);
afterAll(async () => {
  way.close();
  await server.dispose();
});
let cases = 0;
const bytes = (text: string) => Buffer.from(text).toString('base64');
const NOTHING: Wanted = { slots: [], requests: [], quotas: [] };
const keyOf = (slot: number) => ({ generation: 'generation', slot });
const EMPTY = { freeFrom: 0, quotas: [], data: '', version: null };

/** A driver whose requests can be held up, and one that is not; the pool exists. */
async function open(environment: Environment = defaultEnvironment) {
  const settings = (url: string) => resolveSettings({ endpoints: [url], prefix: `/case-${cases}/` });
  cases++;
  const driver = new EtcdDriver(settings(way.url), environment);
  const rival = new EtcdDriver(settings(etcdUrl(server)), environment);
  const write = (by: EtcdDriver, facts: Facts, changes: Partial<Changes>) => {
    const rest = { grants: 0, serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };
    return by.write('pool', { poolVersion: facts.pool?.version ?? null, ...rest, ...changes }, facts);
  };
  /** Writes slots as they are, so that they get another version. */
  const touch = async (numbers: readonly number[]) => {
    const facts = await rival.read('pool', { ...NOTHING, slots: numbers.map(keyOf) });
    const found = new Map(facts.slots.map((slot) => [slot.slot, slot]));
    const slots = numbers.map((slot) => become(found.get(slot) ?? { ...EMPTY, ...keyOf(slot) }));
    expect(await write(rival, facts, { slots })).not.toBe('changed');
  };
  await write(driver, await driver.read('pool', NOTHING), { pool: 'a pool' });
  const close = () => Promise.all([driver.close(), rival.close()]);
  return { driver, rival, write, touch, close };
}

const become = (before: ReadSlot, freeFrom = before.freeFrom) => {
  const { generation, slot, quotas } = before;
  return { before, after: { generation, slot, freeFrom, quotas, data: 'written' } };
};

describe('a write of more slots than can be compared one by one', () => {
  const rows: [slots: number, responses: number, gap: number][] = [
    [64, 64, 1],
    [64, 64, 3],
    [64, 0, 3],
    [128, 64, 3],
    [128, 1, 1],
  ];
  for (const [count, responses, gap] of rows) {
    it(`(${count} slots, ${responses} responses, one of ${gap} slots) is refused when any of them has changed`, async () => {
      const { driver, write, touch, close } = await open();
      const numbers = Array.from({ length: count }, (_, i) => i * gap);
      // Half of them were never written.
      const written = numbers.filter((_, i) => i % 2 === 0);
      for (let at = 0; at < written.length; at += 100) await touch(written.slice(at, at + 100));
      const wanted = { ...NOTHING, slots: numbers.map(keyOf) };
      const turn = async (round: number, meanwhile: () => Promise<unknown>) => {
        const facts = await driver.read('pool', wanted);
        const found = new Map(facts.slots.map((slot) => [slot.slot, slot]));
        const slots = numbers.map((slot) => become(found.get(slot) ?? { ...EMPTY, ...keyOf(slot) }, 5));
        const requests = Array.from({ length: responses }, (_, i) => ({
          before: null,
          after: { request: `request ${round} ${i}`, created: 5, slots: [keyOf(i)] },
        }));
        await meanwhile();
        return write(driver, facts, { slots, responses: requests, grants: count });
      };
      const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
      const some = [first, numbers[1] ?? 0, numbers[Math.floor(count / 3)] ?? 0, last];
      for (const [round, number] of some.entries()) {
        expect(await turn(round, () => touch([number])), `slot ${number}`).toBe('changed');
      }
      // Of another slot they do not rest on anything.
      expect(await turn(9, () => touch([last + 1]))).toEqual({ serial: count });
      await close();
    });
  }
});

describe('a write whose response is lost', () => {
  it('throws, whether it has happened or not: never is it said to be refused', async () => {
    const { driver, write, touch, close } = await open();
    for (const isOvertaken of [false, true]) {
      const facts = await driver.read('pool', { ...NOTHING, slots: [keyOf(0)] });
      const [before = { ...EMPTY, ...keyOf(0) }] = facts.slots;
      if (isOvertaken) await touch([0]);
      let sent = 0;
      way.losesResponse = () => ++sent === 1;
      const outcome = write(driver, facts, { slots: [become(before, 7)], grants: 1 });
      await expect(outcome).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      way.losesResponse = () => false;
      expect(sent).toBe(1);
      // It has happened once, or not at all.
      expect((await driver.read('pool', NOTHING)).serial).toBe(1);
    }
    await close();
  });
});

describe('a read that etcd compacts in the middle', () => {
  it('begins anew', async () => {
    const { driver, touch, close } = await open();
    await touch([0, 1]);
    let requests = 0;
    way.holdsUp = async () => {
      if (++requests !== 2) return;
      const put = await etcdCall(server, 'kv/put', { key: bytes('/other'), value: '' });
      const { revision } = (put as { header: { revision: string } }).header;
      await etcdCall(server, 'kv/compaction', { revision });
    };
    const free = { generation: 'generation', from: 0, to: 2, skip: 0, count: 2 };
    const facts = await driver.read('pool', { ...NOTHING, free });
    way.holdsUp = () => undefined;
    expect(facts.free.map(({ slot, data }) => [slot, data])).toEqual([
      [0, 'written'],
      [1, 'written'],
    ]);
    expect(requests).toBe(4);
    await close();
  });
});

describe('facts', () => {
  it('name the cluster, which is another one when a snapshot was restored', async () => {
    const { driver, close } = await open();
    const { header } = (await etcdCall(server, 'maintenance/status', {})) as {
      header: { cluster_id: string };
    };
    const { incarnation } = await driver.read('pool', NOTHING);
    expect(incarnation).toEqual({ id: header.cluster_id, mayLose: true });
    await close();
  });
});

describe('a write that comes to an etcd with a restored snapshot', () => {
  const TAKEN = become({ ...EMPTY, ...keyOf(1) }, Number.MAX_SAFE_INTEGER);
  const RESPONSES = [{ before: null, after: { request: 'late', created: 5, slots: [keyOf(1)] } }];
  const WANTED = { ...NOTHING, slots: [keyOf(1)], requests: ['late'] };

  async function revisionOf(service: Service): Promise<number> {
    const range = await etcdCall(service, 'kv/range', { key: bytes('/none') });
    return Number((range as { header: { revision: string } }).header.revision);
  }

  /** Two clusters with the same keys at the same revisions, as if one were the other's snapshot. */
  async function openWithCopy() {
    // A record tells when its pool was created.
    const environment = { ...defaultEnvironment, now: () => Date.parse('2027-01-01T00:00:00Z') };
    const { close, ...parts } = await open(environment);
    const copy = await startEtcd();
    const settings = resolveSettings({ endpoints: [etcdUrl(copy)], prefix: `/case-${cases}/` });
    const there = new EtcdDriver(settings, environment);
    const catchUp = async (behind: number) => {
      while ((await revisionOf(copy)) < (await revisionOf(server)) - behind) {
        await etcdCall(copy, 'kv/put', { key: bytes('/filler'), value: '' });
      }
    };
    const putPool = async (by: EtcdDriver, pool: string) =>
      parts.write(by, await by.read('pool', NOTHING), { pool });
    await catchUp(1);
    await putPool(there, 'a pool');
    const end = async () => {
      way.losesResponse = () => false;
      way.leadTo(server);
      await Promise.all([close(), there.close()]);
      await copy.dispose();
    };
    return { ...parts, copy, there, catchUp, putPool, end };
  }

  it('is refused, and its request finds no lease there', async () => {
    const { driver, touch, copy, write, end } = await openWithCopy();
    const facts = await driver.read('pool', WANTED);
    // A rival gets the slot, which the snapshot does not know.
    await touch([1]);
    way.leadTo(copy);
    expect(await write(driver, facts, { slots: [TAKEN], responses: RESPONSES, grants: 1 })).toBe('changed');
    // Nothing is read before the response is gone.
    way.losesResponse = (body) => body.includes('request_delete_range');
    await expect(driver.read('pool', WANTED)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    way.losesResponse = () => false;
    const after = await driver.read('pool', WANTED);
    expect(after.pool?.version).toBe(facts.pool?.version);
    expect(after.incarnation?.id).not.toBe(facts.incarnation?.id);
    expect(after.responses).toEqual([]);
    // The slot stays held, by no client.
    expect(after.slots).toMatchObject([{ slot: 1, freeFrom: Number.MAX_SAFE_INTEGER }]);
    await end();
  });

  it('changes nothing when the pool was written at the same revision there', async () => {
    const { driver, rival, there, copy, write, catchUp, putPool, end } = await openWithCopy();
    await catchUp(0);
    await putPool(rival, 'lost');
    await putPool(there, 'quarantined');
    const facts = await driver.read('pool', WANTED);
    expect((await there.read('pool', NOTHING)).pool?.version).toBe(facts.pool?.version);
    way.leadTo(copy);
    expect(await write(driver, facts, { slots: [TAKEN], responses: RESPONSES, grants: 1 })).toBe('changed');
    expect((await there.read('pool', WANTED)).slots).toEqual([]);
    await end();
  });
});

describe('a pool of a version before the first release', () => {
  it('is refused, and stays as it is', async () => {
    const prefix = '/before/';
    await etcdCall(server, 'kv/put', { key: bytes(`${prefix}default/pool`), value: bytes('{}') });
    const provider = new EtcdLeaseProvider({ endpoints: [etcdUrl(server)], prefix });
    const refused = expect(provider.acquire({})).rejects;
    await refused.toMatchObject({ name: 'StoreError', code: 'STORE_INCOMPATIBLE' });
    await provider.close();
    const range = { key: bytes(prefix), range_end: bytes('/before0') };
    expect(await etcdCall(server, 'kv/range', range)).toMatchObject({ count: '1' });
  });
});
