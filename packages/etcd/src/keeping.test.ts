// What etcd is left with: nothing that has no use, no key that ends by itself, and a warning when it never compacts.
import { signRelease } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdCall, etcdUrl, startEtcd } from '../../../tests/services/etcd.ts';
import { EtcdLeaseProvider } from './index.js';

const server = await startEtcd([]);
afterAll(() => server.dispose());
const endpoints = [etcdUrl(server)];
let cases = 0;
const newPrefix = () => `/case-${++cases}/`;
const bytes = (text: string) => Buffer.from(text).toString('base64');
const text = (encoded: string) => Buffer.from(encoded, 'base64').toString();

interface StoredKey {
  readonly key: string;
  readonly lease?: string;
}

async function keysUnder(prefix: string): Promise<StoredKey[]> {
  const range = { key: bytes(prefix), range_end: bytes(`${prefix.slice(0, -1)}0`), keys_only: true };
  const { kvs = [] } = (await etcdCall(server, 'kv/range', range)) as { kvs?: StoredKey[] };
  return kvs.map((entry) => ({ ...entry, key: text(entry.key) }));
}

const HOUR = 60 * 60 * 1000;
const FOUR_SLOTS = { bitId: 3, bitSeq: 19, leaseDuration: 1000, fallbackGrace: 0 };

describe('the keys of a pool', () => {
  it('do not pile up: what has ended makes room for what comes', async () => {
    const environment = virtualEnvironment();
    const prefix = newPrefix();
    const provider = new EtcdLeaseProvider({
      endpoints,
      prefix,
      environment,
      services: { default: FOUR_SLOTS },
    });
    let requests = 0;
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round++) {
        const call = { account: { name: `account ${round % 2}`, maxLeases: 9 } };
        const requestId = `request ${++requests}`;
        const serviceId = `service ${requests}`;
        const { leases } = await provider.acquire({ serviceId, requestId, throughputPerMs: 2 ** 20 }, call);
        const [first] = leases;
        if (first && round % 3 === 0) {
          const { id, secret, created: timestamp } = first;
          await provider.release({ id, timestamp, serviceId, signature: signRelease(secret, id, timestamp) });
        }
        await environment.advance(600);
      }
      return (await keysUnder(prefix)).length;
    };
    const few = await rounds(10);
    expect(await rounds(30)).toBeLessThanOrEqual(few + 6);
    // Of layouts that were left, a few are remembered, and of all others nothing stays: neither slots nor quotas.
    const changes = async () => {
      for (const bitId of [4, 3, 4, 3, 4, 3]) {
        await rounds(5);
        await environment.advance(2000);
        await provider.changeLayout({ bitId, bitSeq: 22 - bitId });
      }
      return (await keysUnder(prefix)).map(({ key }) => key);
    };
    const first = (await changes()).length;
    const keys = await changes();
    expect(keys.length).toBeLessThanOrEqual(first + 6);
    const generationIn = (key: string) =>
      key.match(/\/slots\/([^/]+)/)?.[1] ?? key.match(/\/quota\/.*\/(.+)\//)?.[1];
    const generations = new Set(keys.map(generationIn).filter((name) => name !== undefined));
    expect(generations.size).toBeGreaterThan(1);
    expect(generations.size).toBeLessThanOrEqual(5);
    await provider.close();
  });

  it('have no lease of etcd, which would end and forget a window', async () => {
    const prefix = newPrefix();
    const provider = new EtcdLeaseProvider({ endpoints, prefix, services: { default: FOUR_SLOTS } });
    await provider.acquire({ requestId: 'request 1' }, { account: { name: 'a', maxLeases: 1 } });
    const keys = await keysUnder(prefix);
    expect(keys.length).toBeGreaterThan(5);
    for (const { key, lease } of keys) expect(lease, key).toBeUndefined();
    await provider.close();
  });

  it('may have any names in them', async () => {
    const names = ['a/b', 'ä', '~', '~YQ', '..', ' ', '\u0000', '\ud800', '\ud801', 'x'.repeat(200)];
    const services = Object.fromEntries(
      names.map((name) => [name, { ...FOUR_SLOTS, maxLeases: 1, pool: name }]),
    );
    const provider = new EtcdLeaseProvider({ endpoints, prefix: newPrefix(), services });
    const call = { account: { name: '\ud800/', maxLeases: 1 } };
    for (const serviceId of names) {
      const { leases } = await provider.acquire({ serviceId, requestId: serviceId }, call);
      expect(
        leases.map(({ id }) => id),
        serviceId,
      ).toEqual([0]);
    }
    await provider.close();
  });
});

describe('a pool of many slots', () => {
  it('gives as many leases in one response as a transaction can carry, and all of them in several', async () => {
    const services = { default: { bitId: 10, bitSeq: 12, leaseDuration: 600_000 } };
    const provider = new EtcdLeaseProvider({ endpoints, prefix: newPrefix(), services });
    const sizes: number[] = [];
    const ids = new Set<number>();
    for (;;) {
      const response = await provider
        .acquire({ throughputPerMs: 2 ** 31, requestId: `request ${sizes.length}` })
        .catch(() => undefined);
      if (!response) break;
      sizes.push(response.leases.length);
      for (const { id } of response.leases) ids.add(id);
    }
    expect(sizes).toEqual([128, 128, 128, 128]);
    expect(ids.size).toBe(512);
    expect(await provider.inspectPool()).toMatchObject({ held: 512, slots: 512 });

    // More than one transaction can write. Each lease overlaps two of the new slots.
    expect(await provider.changeLayout({ bitId: 11, bitSeq: 11 })).toMatchObject({ held: 1024, slots: 1024 });
    await expect(provider.acquire({})).rejects.toMatchObject({ reason: 'every slot is held' });
    expect(await provider.listLeases()).toHaveLength(512);
    await provider.close();
  });
});

describe('an etcd that never compacts', () => {
  it('is warned about, once, after a day; one that does is not', async () => {
    const environment = virtualEnvironment();
    const services = { default: { leaseDuration: 1000 } };
    const prefix = newPrefix();
    const open = (warnings: string[]) => {
      const onWarning = (message: string) => warnings.push(message);
      return new EtcdLeaseProvider({ endpoints, prefix, environment, services, onWarning });
    };
    const first: string[] = [];
    const provider = open(first);
    await provider.acquire({});
    const write = async () => {
      for (let i = 0; i < 50; i++)
        await etcdCall(server, 'kv/put', { key: bytes(`${prefix}other`), value: '' });
    };
    await Promise.all(Array.from({ length: 20 }, write));
    await environment.advance(23 * HOUR);
    await provider.acquire({});
    expect(first).toEqual([]);
    for (let looks = 0; looks < 2; looks++) {
      await environment.advance(2 * HOUR);
      await provider.acquire({});
    }
    await provider.close();
    expect(first).toEqual([expect.stringContaining('--auto-compaction-retention')]);

    const { header } = (await etcdCall(server, 'kv/range', { key: 'eA==' })) as {
      header: { revision: string };
    };
    await etcdCall(server, 'kv/compaction', { revision: header.revision });
    const second: string[] = [];
    const other = open(second);
    await other.acquire({});
    await other.close();
    expect(second).toEqual([]);
  });
});
