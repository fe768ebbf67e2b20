// What is kept in Redis, and what becomes of it: exact numbers, names of any kind, nothing that piles up.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { redis as store } from '../../../tests/stores/redis.ts';
import { administeredRedis, POOL, refused, SLOT, services } from './testing/server.ts';

const { admin, provide, empty, stop } = await administeredRedis();
afterAll(stop);
beforeEach(empty);

describe('what is kept', () => {
  it('is counted exactly beyond 31 and beyond 50 bits', async () => {
    const started = await store.start();
    const wide = {
      default: { bitReserve: 1, bitTs: 32, bitId: 30, bitSeq: 1, leaseDuration: 2_592_000_000 },
    };
    const { provider, advance, now } = await started.virtualSubject({ services: wide });
    const { pool = '' } = await provider.acquire({});
    // The highest that a client may say to have seen is 2^52.
    const top = 2 ** 52 - 1;
    await refused(provider.acquire({ seen: { pool, serial: top } }));
    await advance?.(1e15);
    const responses = [
      await provider.acquire({}),
      await provider.acquire({ seen: { pool, serial: top + 1 } }),
    ];
    expect(responses.map(({ serial }) => serial)).toEqual([top + 1, top + 2]);
    const time = await now?.();
    expect(time).toBeGreaterThan(1e15);
    const created = responses.flatMap(({ leases }) => leases.map((lease) => lease.created));
    expect(created).toEqual([time, time]);
    const [lease] = responses[0]?.leases ?? [];
    expect(lease?.fallbackUntil).toBe((time ?? 0) + 2 * 2_592_000_000);
    const listed = await provider.listLeases?.();
    expect(listed?.map(({ fallbackUntil }) => fallbackUntil)).toEqual([
      lease?.fallbackUntil,
      lease?.fallbackUntil,
    ]);
    await started.stop();
  });

  it('reaches the last machine ID of the widest pool', async () => {
    const share = { index: 2 ** 29 - 1, of: 2 ** 29 };
    const pools = { default: { bitReserve: 1, bitTs: 32, bitId: 30, bitSeq: 1, share } };
    const provider = provide({ services: { default: { leaseDuration: 60_000 } }, pools });
    expect((await provider.acquire({})).leases.map(({ id }) => id)).toEqual([2 ** 29 - 1]);
    expect((await provider.listLeases()).map(({ id }) => id)).toEqual([2 ** 29 - 1]);
    expect(await refused(provider.acquire({}))).toMatchObject({ code: 'POOL_EXHAUSTED' });
  });

  it('can be taken by the thousand at once', async () => {
    const provider = provide({ services: { default: { bitId: 14, bitSeq: 8, leaseDuration: 60_000 } } });
    const { leases } = await provider.acquire({ throughputPerMs: 2 ** 31 });
    expect(new Set(leases.map(({ id }) => id)).size).toBe(8192);
    expect(new Set(leases.map(({ secret }) => secret)).size).toBe(8192);
    expect(await provider.inspectPool()).toMatchObject({ held: 8192, slots: 8192, serial: 1 });
  });

  it('does not pile up while clients come and go', async () => {
    const short = { ...services.default, leaseDuration: 1, fallbackGrace: 0 };
    const provider = provide({ services: { default: short, limited: { ...short, maxLeases: 3 } } });
    const sizes = async (...kinds: readonly string[]) => {
      const names = (await admin.keys('*')).map((key) => key.slice(`${POOL}:`.length));
      return kinds.map((kind) => names.filter((name) => name.startsWith(kind)).length);
    };
    for (let i = 0; i < 300; i++) {
      const serviceId = i % 3 === 0 ? 'limited' : `service ${i}`;
      const call = { account: { name: `account ${i % 5}`, maxLeases: 2 } };
      const request = { serviceId, requestId: `request ${i}`, throughputPerMs: SLOT * (1 + (i % 2)) };
      await provider.acquire(request, call).catch(() => {});
      if (i === 99) {
        expect(await sizes('gaps', 'order', 'slots', 'responses', 'pool')).toEqual([1, 1, 1, 1, 1]);
        expect(await admin.hLen(`${POOL}:slots`)).toBe(4);
        expect(await admin.hLen(`${POOL}:responses`)).toBeLessThanOrEqual(4);
      }
      const isWide = i % 40 === 15;
      if (i >= 100 && i % 20 === 15) {
        await provider.changeLayout({ bitId: isWide ? 4 : 3, bitSeq: isWide ? 18 : 19 });
      }
    }
    // A pool remembers four former layouts, and these have eight slots at most. Its present one, of narrower slots, has floors.
    const layouts = 1 + 4 + 1;
    expect(await sizes('gaps', 'order', 'slots', 'pool')).toEqual([layouts, layouts, 1, 1]);
    expect(await admin.hLen(`${POOL}:slots`)).toBeLessThanOrEqual(8 * layouts);
    expect((await admin.hKeys(`${POOL}:pool`)).sort()).toEqual(['data', 'life', 'serial', 'version']);
    // Held by one service and five accounts, and floors.
    const quotas = await admin.keys('*:quota:*');
    expect(quotas.length).toBeLessThanOrEqual(7);
    for (const quota of quotas) expect(await admin.zCard(quota)).toBeLessThanOrEqual(8 * layouts);
  });

  it('is missed when only the record of the pool is gone: the next one starts with a stop', async () => {
    const provider = provide();
    await provider.acquire({});
    await admin.del(`${POOL}:pool`);
    expect(await refused(provider.acquire({}))).toMatchObject({ reason: 'in quarantine' });
    expect(await refused(provide().acquire({}))).toMatchObject({ reason: 'in quarantine' });
  });

  it('is refused when another version wrote it', async () => {
    await provide().acquire({});
    const record = JSON.parse((await admin.hGet(`${POOL}:pool`, 'data')) ?? '') as string;
    const newer = JSON.stringify({ ...(JSON.parse(record) as object), format: 99 });
    await admin.hSet(`${POOL}:pool`, 'data', JSON.stringify(newer));
    expect(await refused(provide().acquire({}))).toMatchObject({ code: 'STORE_INCOMPATIBLE' });
  });

  it('is what other providers have made of it, layout, limits and all', async () => {
    const [one, other] = [provide(), provide()];
    await one.acquire({});
    await other.changeLayout({ bitId: 4, bitSeq: 18 });
    const { leases } = await one.acquire({});
    expect(leases.map(({ id, bitId }) => [id, bitId])).toEqual([[2, 4]]);
    const limited = provide({ services: { ...services, default: { leaseDuration: 60_000, maxLeases: 1 } } });
    await limited.acquire({});
    // Granted where a limit is set, a lease counts for all that set one.
    expect(await refused(limited.acquire({}))).toMatchObject({ reason: 'the quota is used up' });
    await one.acquire({});
    await other.quarantine();
    expect(await refused(one.acquire({}))).toMatchObject({ reason: 'in quarantine' });
  });

  it('lies under keys of one hash tag, whatever the names are', async () => {
    const name = 'a}{b %\n\ud800 ü';
    const provider = provide({ services: { ...services, [name]: { ...services.default, pool: name } } });
    const request = { serviceId: name, requestId: name, meta: { [name]: name } };
    const { leases } = await provider.acquire(request, { account: { name, maxLeases: 1 } });
    expect((await provider.acquire(request)).leases).toEqual(leases);
    expect(await provider.listLeases(name)).toMatchObject([{ serviceId: name, holder: { [name]: name } }]);
    const tags = (await admin.keys('*')).map((key) => /^\{[^}]*\}/.exec(key)?.[0]);
    expect(new Set(tags).size).toBe(1);
  });
});
