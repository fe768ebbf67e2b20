// What happens when etcd crashes, loses its leader, is set back, or its responses are lost: nothing that was
// acknowledged is lost, and no window is granted twice.
import { cpSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KazahanaClient } from 'kazahana';
import type { LeaseInfo } from 'kazahana/lease';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdCall, etcdUrl, openEtcdWay, startEtcd, startEtcdCluster } from '../../../tests/services/etcd.ts';
import type { Service } from '../../../tests/services/process.ts';
import { release } from '../../../tests/stores/calls.ts';
import { findOverlaps, givenBack, grantedLease } from '../../../tests/stores/ledger.ts';
import { EtcdLeaseProvider } from './provider.js';

const LONG = { default: { leaseDuration: 600_000 } };
const server = await startEtcd();
afterAll(() => server.dispose());
let cases = 0;
const newPrefix = () => `/case-${++cases}/`;

describe('an etcd that is killed in the middle of acquires', () => {
  it('has lost nothing that was acknowledged, and goes on when it is back', async () => {
    const prefix = newPrefix();
    const provider = new EtcdLeaseProvider({ endpoints: [etcdUrl(server)], prefix, services: LONG });
    const acknowledged: LeaseInfo[] = [];
    let failed = 0;
    const acquireSome = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        try {
          acknowledged.push(...(await provider.acquire({ throughputPerMs: 512 })).leases);
        } catch {
          failed++;
        }
      }
    };
    for (let crash = 0; crash < 2; crash++) {
      const before = acknowledged.length;
      const acquiring = Promise.all(Array.from({ length: 20 }, () => acquireSome(6)));
      while (acknowledged.length < before + 20) await new Promise(setImmediate);
      await server.kill();
      await server.start();
      await acquiring;
    }
    await acquireSome(1);
    console.log(`etcd killed twice: ${acknowledged.length} leases granted, ${failed} acquires refused`);
    const listed = new Map((await provider.listLeases()).map((lease) => [lease.id, lease]));
    for (const { id, created } of acknowledged) expect(listed.get(id)).toMatchObject({ created });
    expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
    expect(findOverlaps(acknowledged.map(grantedLease))).toEqual([]);
    await provider.close();
  });
});

describe('the response to a write that is lost on the way', () => {
  /** A provider whose every write happens, and whose response to it is lost, as long as `isLosing`. */
  async function open() {
    const way = await openEtcdWay(server);
    const prefix = newPrefix();
    const provider = new EtcdLeaseProvider({ endpoints: [way.url], prefix, services: LONG });
    const rival = new EtcdLeaseProvider({ endpoints: [etcdUrl(server)], prefix, services: LONG });
    await provider.acquire({});
    const isWrite = (body: string) => body.includes('request_put') || body.includes('request_delete_range');
    const close = async () => {
      await provider.close();
      await rival.close();
      way.close();
    };
    return { way, provider, rival, isWrite, close };
  }

  it('strands no slot: what was requested happens once', async () => {
    const { way, provider, isWrite, close } = await open();
    let lost = 0;
    way.losesResponse = (body) => isWrite(body) && ++lost > 0;
    const first = await provider.acquire({ throughputPerMs: 512, requestId: 'request 1' });
    expect(first.leases.map(({ id }) => id)).toEqual([1, 2]);
    const again = await provider.acquire({ throughputPerMs: 512, requestId: 'request 1' });
    expect(again.leases).toEqual(first.leases);
    const responses = await Promise.all(Array.from({ length: 10 }, () => provider.acquire({})));
    expect((await provider.listLeases()).length).toBe(13);
    for (const { leases } of [first, ...responses])
      for (const lease of leases) await release(provider, lease);
    expect((await provider.listLeases()).map(({ id }) => id)).toEqual([0]);
    expect(lost).toBeGreaterThan(5);
    await close();
  });

  it('strands no change of layout', async () => {
    const { way, provider, isWrite, close } = await open();
    way.losesResponse = isWrite;
    expect(await provider.changeLayout({ bitId: 12, bitSeq: 10 })).toMatchObject({ slots: 2048 });
    expect((await provider.listLeases()).map(({ id }) => id)).toEqual([0]);
    await close();
  });

  it('gives no slot two holders when a rival has won it', async () => {
    const { way, provider, rival, isWrite, close } = await open();
    const granted: LeaseInfo[] = [];
    let overtaken = 0;
    // The rival takes the same slot just before; then the write that was refused looks like one that may have happened.
    way.holdsUp = async (body) => {
      if (!isWrite(body) || ++overtaken > 5) return;
      granted.push(...(await rival.acquire({})).leases);
    };
    way.losesResponse = (body) => isWrite(body) && overtaken <= 2;
    for (let acquires = 0; acquires < 3; acquires++) {
      const { leases } = await provider.acquire({ requestId: `request ${acquires}` });
      granted.push(...leases);
    }
    expect(overtaken).toBeGreaterThan(5);
    const secrets = new Map(granted.map(({ id, secret }) => [id, secret]));
    expect(secrets.size).toBe(granted.length);
    // Each is the holder that the store knows.
    const listed = await rival.listLeases();
    expect(listed).toHaveLength(granted.length + 1);
    way.losesResponse = () => false;
    for (const lease of granted) await release(provider, lease);
    await close();
  });

  it('gives no slot two holders when the write arrives late, after its caller has gone on', async () => {
    const { way, provider, rival, isWrite, close } = await open();
    const late: (() => void)[] = [];
    let writes = 0;
    // The first write is held up until long after its connection has ended.
    way.holdsUp = (body) => {
      if (!isWrite(body) || ++writes > 1) return undefined;
      way.breakConnections();
      return new Promise<void>((resolve) => late.push(resolve));
    };
    const { leases } = await provider.acquire({ requestId: 'request 1' });
    for (const arrive of late) arrive();
    const others = await rival.acquire({ throughputPerMs: 1024 });
    const ids = [...leases, ...others.leases].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(await rival.listLeases()).toHaveLength(6);
    expect((await provider.acquire({ requestId: 'request 1' })).leases).toEqual(leases);
    await close();
  });
});

describe('a cluster of three that loses its leader', () => {
  it('is followed to the next one: clients go on, in order and without duplicates', async () => {
    const members = await startEtcdCluster(3);
    const provider = new EtcdLeaseProvider({
      endpoints: members.map((member) => etcdUrl(member)),
      services: { default: { leaseDuration: 500, fallbackGrace: 30_000 } },
    });
    let grants = 0;
    // A client that waits for a lease for that long goes on in the fallback window of its last one.
    const patience = { acquireTimeout: 200, acquireRetryInterval: 100, disableRandomFallback: true };
    const clients = Array.from({ length: 3 }, () => new KazahanaClient({ provider, ...patience }));
    for (const client of clients) client.on('lease', () => grants++);
    // A busy machine may need more than that for the very first lease.
    for (const client of clients) {
      while (client.stats().leases === 0) {
        client.ready().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    const made = clients.map((): bigint[] => []);
    let isOver = false;
    let longestWait = 0;
    const making = clients.map(async (client, index) => {
      while (!isOver) {
        const sentAt = Date.now();
        made[index]?.push(...(await client.nextIds(10)));
        longestWait = Math.max(longestWait, Date.now() - sentAt);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
    const [leader] = await leadersOf(members);
    await leader?.kill();
    const lost = Date.now();
    const before = grants;
    while (grants === before) await new Promise((resolve) => setTimeout(resolve, 5));
    const pause = Date.now() - lost;
    // Every client has renewed at the next leader.
    while (grants < before + 2 * clients.length) await new Promise((resolve) => setTimeout(resolve, 20));
    isOver = true;
    await Promise.all(making);
    const count = (name: 'fencedIds' | 'acquireFailures') =>
      clients.reduce((total, client) => total + client.stats()[name], 0);
    const all = made.flat();
    console.log(
      `leader lost: the next lease after ${pause} ms, no ID waited longer than ${longestWait} ms; ` +
        `${all.length} IDs, ${count('fencedIds')} of them in fallback; ` +
        `${count('acquireFailures')} acquires failed`,
    );
    expect(new Set(all).size).toBe(all.length);
    for (const ids of made) expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
    await Promise.all(clients.map((client) => client.shutdown()));
    await provider.close();
    // In order, they would look for a successor first, for seconds.
    await Promise.all(members.map((member) => member.kill().then(() => member.dispose())));
  });

  async function leadersOf(members: readonly Service[]): Promise<Service[]> {
    const statuses = await Promise.all(members.map((member) => etcdCall(member, 'maintenance/status', {})));
    return members.filter((_, index) => {
      const { header, leader } = statuses[index] as { header: { member_id: string }; leader: string };
      return header.member_id === leader;
    });
  }
});

describe('an etcd that was set back', () => {
  it('is noticed as soon as one client calls that knows better', async () => {
    const other = await startEtcd();
    const options = { endpoints: [etcdUrl(other)], services: { default: { leaseDuration: 60_000 } } };
    const provider = new EtcdLeaseProvider(options);
    await provider.acquire({});
    await other.stop();
    cpSync(other.folder, `${other.folder}-backup`, { recursive: true });
    await other.start();
    const { pool = '', serial = 0 } = await provider.acquire({});
    await other.stop();
    rmSync(other.folder, { recursive: true });
    cpSync(`${other.folder}-backup`, other.folder, { recursive: true });
    await other.start();

    await expect(provider.acquire({ seen: { pool, serial } })).rejects.toMatchObject({
      code: 'POOL_EXHAUSTED',
      reason: 'in quarantine',
    });
    await expect(provider.acquire({})).rejects.toMatchObject({ reason: 'in quarantine' });
    expect((await provider.inspectPool()).serial).toBeGreaterThanOrEqual(serial);
    await provider.close();
    await other.dispose();
    rmSync(`${other.folder}-backup`, { recursive: true });
  });
});

describe('an etcd that is full', () => {
  it('is a clear error, and what was granted can be seen', async () => {
    const small = await startEtcd(['--quota-backend-bytes', '300000']);
    const provider = new EtcdLeaseProvider({ endpoints: [etcdUrl(small)], services: LONG });
    await provider.acquire({});
    const value = Buffer.alloc(100_000).toString('base64');
    const fill = async () => {
      for (;;) await etcdCall(small, 'kv/put', { key: 'eA==', value });
    };
    await expect(fill()).rejects.toThrow('space exceeded');
    await expect(provider.acquire({})).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_FULL' });
    expect(await provider.listLeases()).toHaveLength(1);
    await provider.close();
    await small.dispose();
  });
});

describe('a member that hangs', () => {
  it('is left for the next one', async () => {
    let requests = 0;
    const hanging = createServer(() => requests++);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const silent = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const provider = new EtcdLeaseProvider({
      endpoints: [silent, etcdUrl(server)],
      prefix: newPrefix(),
      // Long enough for an etcd that is busy.
      requestTimeout: 2000,
    });
    for (let acquires = 0; acquires < 2; acquires++) {
      expect((await provider.acquire({})).leases).toHaveLength(1);
      expect(requests).toBe(1);
    }
    await provider.close();
    hanging.closeAllConnections();
    hanging.close();
  });
});

describe('leases that were given back', () => {
  it('are granted again, to others, after the time that they were used for', async () => {
    const options = { endpoints: [etcdUrl(server)], prefix: newPrefix() };
    const services = { default: { bitId: 3, bitSeq: 19, leaseDuration: 600_000 } };
    const providers = Array.from({ length: 4 }, () => new EtcdLeaseProvider({ ...options, services }));
    const granted = await Promise.all(
      providers.map(async (provider) => {
        const own: ReturnType<typeof grantedLease>[] = [];
        while (own.length < 10) {
          const response = await provider.acquire({}).catch(() => undefined);
          for (const lease of response?.leases ?? []) {
            await release(provider, lease);
            own.push(givenBack(grantedLease(lease), lease.created));
          }
        }
        return own;
      }),
    );
    expect(findOverlaps(granted.flat())).toEqual([]);
    await Promise.all(providers.map((provider) => provider.close()));
  });
});
