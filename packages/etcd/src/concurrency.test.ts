// Many at once, in one process and in several: every slot once, every quota kept, and no more tries than needed.
import type { LeaseInfo } from 'kazahana/lease';
import { afterAll, describe, expect, it } from 'vitest';
import { etcdUrl, startEtcd } from '../../../tests/services/etcd.ts';
import { release } from '../../../tests/stores/calls.ts';
import { EtcdLeaseProvider } from './provider.js';

const server = await startEtcd();
afterAll(() => server.dispose());
let cases = 0;

type Options = ConstructorParameters<typeof EtcdLeaseProvider>[0];

/** Providers that know nothing of each other, as in several processes, on pools of their own. */
function open(count: number, services: Options['services'] = { default: { leaseDuration: 600_000 } }) {
  const prefix = `/case-${++cases}/`;
  return Array.from(
    { length: count },
    () => new EtcdLeaseProvider({ endpoints: [etcdUrl(server)], prefix, ...(services && { services }) }),
  );
}

const close = (providers: readonly EtcdLeaseProvider[]) =>
  Promise.all(providers.map((provider) => provider.close()));

describe('200 acquires at once', () => {
  for (const count of [1, 10]) {
    it(`get 200 different slots and serials, through ${count} provider(s)`, async () => {
      const providers = open(count);
      const started = performance.now();
      const responses = await Promise.all(
        Array.from({ length: 200 }, (_, index) => providers[index % count]?.acquire({})),
      );
      const ms = Math.round(performance.now() - started);
      console.log(`200 acquires at once, ${count} provider(s): ${ms} ms`);
      const ids = responses.flatMap((response) => response?.leases.map(({ id }) => id));
      expect(new Set(ids).size).toBe(200);
      expect(new Set(responses.map((response) => response?.serial)).size).toBe(200);
      await close(providers);
    });
  }
});

describe('a quota', () => {
  it('is kept to the last lease, however many clients request at the same time', async () => {
    const services = {
      default: { leaseDuration: 600_000 },
      orders: { leaseDuration: 600_000, maxLeases: 7 },
    };
    const providers = open(3, services);
    // All of them find a pool with free slots, and nothing held yet.
    await providers[0]?.acquire({ serviceId: 'others' });
    const call = { account: { name: 'a', maxLeases: 5 } };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => {
        const provider = providers[index % 3];
        return index % 2 === 0 ? provider?.acquire({ serviceId: 'orders' }) : provider?.acquire({}, call);
      }),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ reason: 'the quota is used up' });
    }
    const granted = (place: number) =>
      outcomes.filter(({ status }, index) => index % 2 === place && status === 'fulfilled').length;
    expect([granted(0), granted(1)]).toEqual([7, 5]);
    await close(providers);
  });
});

describe('a request', () => {
  it('that comes to several providers at once is granted once', async () => {
    const providers = open(4);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => providers[index % 4]?.acquire({ requestId: 'request 1' })),
    );
    expect(new Set(responses.map((response) => response?.leases[0]?.secret)).size).toBe(1);
    await close(providers);
  });
});

describe('a change of layout', () => {
  it('goes through while others acquire and release; no suffix has two holders at a time', async () => {
    const providers = open(3, { default: { bitId: 9, bitSeq: 13, leaseDuration: 600_000 } });
    const held: { lease: LeaseInfo; end: number }[] = [];
    let isOver = false;
    const working = providers.slice(1).flatMap((provider) =>
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const [lease] = (await provider.acquire({})).leases;
          if (!lease) continue;
          const entry = { lease, end: lease.fallbackUntil ?? lease.expired };
          held.push(entry);
          if (held.length % 3 === 0) continue;
          await release(provider, lease);
          entry.end = lease.created + 1;
        }
      }),
    );
    const [operator] = providers;
    for (const bitId of [8, 10]) {
      const before = held.length;
      while (held.length < before + 15) await new Promise(setImmediate);
      expect(await operator?.changeLayout({ bitId, bitSeq: 22 - bitId })).toMatchObject({
        slots: 2 ** (bitId - 1),
      });
    }
    isOver = true;
    await Promise.all(working);
    expect(new Set(held.map(({ lease }) => lease.bitSeq))).toEqual(new Set([13, 14, 12]));
    expect(overlapping(held)).toEqual([]);
    const live = held.filter(({ lease, end }) => end !== lease.created + 1);
    expect((await operator?.listLeases())?.length).toBe(live.length);
    await close(providers);
  });

  it('that meets another one comes before or after it', async () => {
    const providers = open(2, { default: { bitId: 9, bitSeq: 13, leaseDuration: 600_000 } });
    const [first, second] = providers;
    const { leases } = (await first?.acquire({ throughputPerMs: 20 * 2 ** 13 })) ?? { leases: [] };
    const changed = await Promise.all([
      first?.changeLayout({ bitId: 8, bitSeq: 14 }),
      second?.changeLayout({ bitId: 10, bitSeq: 12 }),
    ]);
    expect(changed.map((pool) => pool?.layout.bitId)).toEqual([8, 10]);
    expect([8, 10]).toContain((await first?.inspectPool())?.layout.bitId);
    expect(await second?.listLeases()).toHaveLength(20);
    for (const lease of leases) if (second) await release(second, lease);
    await close(providers);
  });
});

interface Holding {
  readonly lease: LeaseInfo;
  readonly end: number;
}

/** Pairs that share a suffix and a moment. */
function overlapping(held: readonly Holding[]): string[] {
  const found: string[] = [];
  const rangeOf = ({ lease: { id, bitSeq } }: Holding) => [id * 2 ** bitSeq, (id + 1) * 2 ** bitSeq] as const;
  held.forEach((a, index) => {
    for (const b of held.slice(index + 1)) {
      const [[fromA, toA], [fromB, toB]] = [rangeOf(a), rangeOf(b)];
      const sharesTime = a.lease.created < b.end && b.lease.created < a.end;
      if (fromA < toB && fromB < toA && sharesTime) found.push(JSON.stringify([a, b]));
    }
  });
  return found;
}
