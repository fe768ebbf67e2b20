// What was taken out of the order of granting is passed over by no read, and what is added below its beginning is found.
import type { LeaseInfo } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdCall, etcdUrl, openEtcdWay, startEtcd } from '../../../tests/services/etcd.ts';
import { leaseOf, release } from '../../../tests/stores/calls.ts';
import { EtcdLeaseProvider } from './provider.js';

const server = await startEtcd();
const way = await openEtcdWay(server);
afterAll(async () => {
  way.close();
  await server.dispose();
});
let cases = 0;

/** A provider whose requests can be looked at and held up, and two that go their own ways. */
function open() {
  const environment = virtualEnvironment();
  const services = { default: { bitId: 3, bitSeq: 19, leaseDuration: 60_000 } };
  const options = { prefix: `/case-${++cases}/`, services, environment };
  const watched = new EtcdLeaseProvider({ endpoints: [way.url], ...options });
  const direct = { endpoints: [etcdUrl(server)], ...options };
  const [other, third] = [new EtcdLeaseProvider(direct), new EtcdLeaseProvider(direct)];
  /** So many slots are taken and given back, one after the other. */
  const cycle = async (count: number) => {
    for (let round = 0; round < count; round++) {
      await environment.advance(1);
      await release(other, await leaseOf(other));
    }
    // What is done in the background is done then.
    await other.close();
  };
  const close = () => Promise.all([watched.close(), third.close()]);
  return { environment, watched, third, cycle, close };
}

interface Range {
  readonly request_range: { readonly key: string };
}

/** The free times at which a provider's reads of the order of granting begin, while `call` runs. */
async function readsFrom(call: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  way.holdsUp = (body) => {
    const { success } = JSON.parse(body) as { success: readonly Partial<Range>[] };
    for (const { request_range: range } of success) {
      const key = Buffer.from(range?.key ?? '', 'base64').toString();
      const [, place] = key.split('/free/');
      if (place !== undefined) found.push(Number(place.split('/')[0]));
    }
    return undefined;
  };
  await call();
  way.holdsUp = () => undefined;
  return found;
}

describe('the order of granting', () => {
  it('is read from where it begins, not from where it once began', async () => {
    const { environment, watched, cycle, close } = open();
    const start = environment.now();
    expect(await readsFrom(() => leaseOf(watched))).toEqual([0, 0]);
    await cycle(100);
    // The first read begins where the order began when it was read last, and so learns where it begins now.
    expect(await readsFrom(() => leaseOf(watched))).toEqual([0]);
    const [from = 0] = await readsFrom(() => leaseOf(watched));
    expect(from).toBeGreaterThan(start + 40);
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

  it('begins earlier even if it was raised while that slot was on its way', async () => {
    const { watched, third, cycle, close } = open();
    const early = await leaseOf(watched);
    let isHeld = false;
    way.holdsUp = (body) => {
      if (isHeld || !body.includes('request_put')) return undefined;
      isHeld = true;
      // The third one comes to know where the order begins now.
      return cycle(100).then(() => leaseOf(third));
    };
    await release(watched, early);
    way.holdsUp = () => undefined;
    expect(isHeld).toBe(true);
    expect((await leaseOf(third)).id).toBe(early.id);
    await close();
  });

  it('has nothing below its beginning, whatever many do at once', async () => {
    const prefix = `/case-${++cases}/`;
    const services = { default: { bitId: 7, bitSeq: 15, leaseDuration: 600_000 } };
    const options = { endpoints: [etcdUrl(server)], prefix, services };
    const providers = Array.from({ length: 4 }, () => new EtcdLeaseProvider(options));
    const hold = async (provider: EtcdLeaseProvider, number: number) => {
      const early = await leaseOf(provider);
      const held: LeaseInfo[] = [];
      for (let round = 0; round < 80; round++) {
        held.push(await leaseOf(provider));
        // Now the newest comes back, now the oldest.
        const isFull = held.length > 2;
        const back =
          isFull || (round + number) % 3 === 0 ? held.shift() : round % 2 === 0 ? held.pop() : undefined;
        if (back) await release(provider, back);
      }
      return () => release(provider, early);
    };
    const givingBack = await Promise.all(
      providers.flatMap((provider, number) => [hold(provider, number), hold(provider, number + 1)]),
    );
    // The first ones of all come back last, and at once: each would have the order begin at its own.
    await Promise.all(givingBack.map((giveBack) => giveBack()));
    await Promise.all(providers.map((provider) => provider.close()));
    const bytes = (text: string) => Buffer.from(text).toString('base64');
    const range = { key: bytes(prefix), range_end: bytes(`${prefix.slice(0, -1)}0`) };
    const { kvs } = (await etcdCall(server, 'kv/range', range)) as { kvs: { key: string; value?: string }[] };
    const text = (encoded = '') => Buffer.from(encoded, 'base64').toString();
    const all = kvs.map(({ key, value }) => [text(key), text(value)] as const);
    const first = all.find(([key]) => key.endsWith('/first'))?.[1] ?? '';
    const free = all.map(([key]) => key).filter((key) => key.includes('/free/'));
    expect(first).not.toContain('/free/0000000000000000/0000000000');
    expect(free.filter((key) => key < first)).toEqual([]);
    expect(free.length).toBeGreaterThan(0);
  });
});
