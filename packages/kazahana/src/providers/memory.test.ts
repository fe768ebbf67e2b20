import { describe, expect, it } from 'vitest';
import { signRelease } from '../lease/signature.js';
import type { LeaseInfo } from '../lease/types.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { MemoryLeaseProvider } from './memory.js';

const MINUTE = 60_000;

function newPool(service: { bitId?: number; bitSeq?: number; fallbackGrace?: number } = {}) {
  const environment = virtualEnvironment();
  const services = { default: { leaseDuration: MINUTE, fallbackGrace: 0, ...service } };
  const provider = new MemoryLeaseProvider({ services, environment });
  const lease = async (): Promise<LeaseInfo> => (await provider.acquire({})).leases[0] as LeaseInfo;
  const release = ({ id, secret }: LeaseInfo, timestamp: number) =>
    provider.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
  return { environment, provider, lease, release };
}

// Where the design document needed a decision: docs/decisions.md.
describe('§6.2 and A.13 of the document, round robin:', () => {
  it('on a fresh pool, longest-free-first is the same, even when slots are given back', async () => {
    const { environment, lease, release } = newPool({ bitId: 4, bitSeq: 18 });
    const ids: number[] = [];
    for (let i = 0; i < 20; i++) {
      const next = await lease();
      ids.push(next.id);
      await release(next, environment.now());
      await environment.advance(10);
    }
    expect(ids).toEqual(Array.from({ length: 20 }, (_, i) => i % 8));
  });

  it('later it is fairer: who waited longest is next, wherever the last one was', async () => {
    const { environment, provider, lease, release } = newPool({ bitId: 3, bitSeq: 19 });
    const leases = [await lease(), await lease(), await lease(), await lease()];
    for (const id of [3, 1]) {
      await environment.advance(10);
      await release(leases[id] as LeaseInfo, environment.now());
    }
    await environment.advance(10);
    expect([(await lease()).id, (await lease()).id]).toEqual([3, 1]);
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'POOL_EXHAUSTED' });
  });
});

describe('§6.2 of the document, a linear scan:', () => {
  it('a pool of 8192 slots at 99 % goes on granting and taking back, each slot to one holder', async () => {
    const { provider, lease, release } = newPool();
    const { leases } = await provider.acquire({ throughputPerMs: 8110 * 256 });
    expect(leases.length).toBe(8110);
    const held = [...leases];
    const taken = new Set(held.map(({ id }) => id));
    for (let round = 0; round < 5000; round++) {
      const next = await lease();
      expect(taken.has(next.id)).toBe(false);
      taken.add(next.id);
      // Any of them gives its slot back, not only the oldest; the slot is free at once, for nothing was made with it.
      const [given] = held.splice((round * 7919) % held.length, 1, next);
      if (!given) continue;
      await release(given, given.created - 1);
      taken.delete(given.id);
    }
    expect((await provider.inspectPool()).held).toBe(held.length);
  });
});

describe('§7.2 of the document, DEL on release:', () => {
  it('the slot keeps its window when the timestamp of the release lies ahead', async () => {
    const { environment, provider, lease, release } = newPool({ bitId: 1, bitSeq: 21 });
    const first = await lease();
    await release(first, first.created + 500);
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'POOL_EXHAUSTED', retryAfterMs: 501 });
    await environment.advance(500);
    await expect(provider.acquire({})).rejects.toMatchObject({ retryAfterMs: 1 });
    await environment.advance(1);
    expect((await lease()).created).toBe(first.created + 501);
  });
});

describe('§7.3 of the document, a secret from Math.random:', () => {
  it('every bit of a secret comes from the environment, 128 of them for each lease', async () => {
    const drawn: number[] = [];
    const virtual = virtualEnvironment();
    const environment = {
      ...virtual,
      random: (bytes: Uint8Array) => {
        drawn.push(bytes.length);
        return virtual.random(bytes);
      },
    };
    const provider = new MemoryLeaseProvider({ environment });
    await provider.acquire({ throughputPerMs: 3 * 256 });
    // The name of the request, the id of the pool and the name of its layout, then one secret for each lease.
    expect(drawn).toEqual([16, 16, 6, 16, 16, 16]);
  });

  it('a source that fails grants nothing, and no slot is lost for longer than a lease', async () => {
    const virtual = virtualEnvironment();
    let draws = 0;
    const environment = {
      ...virtual,
      random: (bytes: Uint8Array) => {
        if (++draws === 3) throw new Error('no entropy');
        return virtual.random(bytes);
      },
    };
    const services = { default: { leaseDuration: MINUTE, bitId: 3, bitSeq: 19 } };
    const provider = new MemoryLeaseProvider({ services, environment });
    await expect(provider.acquire({ throughputPerMs: 2 ** 21 })).rejects.toThrow('no entropy');
    expect(await provider.listLeases()).toEqual([]);
    await virtual.advance(2 * MINUTE);
    expect((await provider.acquire({ throughputPerMs: 2 ** 21 })).leases.length).toBe(4);
  });
});

describe('R3: when the clock of the store steps back', () => {
  it('slots stay held for longer, and windows stay apart', async () => {
    const { environment, provider, lease } = newPool({ bitId: 1, bitSeq: 21 });
    const first = await lease();
    environment.set(environment.now() - 10 * MINUTE);
    await expect(provider.acquire({})).rejects.toMatchObject({ retryAfterMs: 11 * MINUTE });
    await environment.advance(11 * MINUTE);
    expect((await lease()).created).toBe(first.expired);
  });

  it('a machine ID has one holder, the last', async () => {
    const { environment, provider, lease, release } = newPool({ bitId: 1, bitSeq: 21 });
    const first = await lease();
    await environment.advance(MINUTE);
    const second = await lease();
    environment.set(first.expired - 5);
    expect(await provider.listLeases()).toMatchObject([{ created: second.created }]);
    await expect(release(first, first.expired - 5)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('a lease that had ended does not give back what another one holds since', async () => {
    const { environment, provider, lease, release } = newPool({ bitId: 2, bitSeq: 20 });
    const first = await lease();
    await provider.changeLayout({ bitId: 1, bitSeq: 21 });
    await environment.advance(MINUTE);
    const wide = await lease();
    await provider.changeLayout({ bitId: 2, bitSeq: 20 });
    // Back to when the first lease was alive: it can be released now, but its suffixes are the other's.
    environment.set(first.expired - 5);
    await release(first, first.expired - 10);
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'POOL_EXHAUSTED' });
    await environment.advance(MINUTE + 5);
    expect((await lease()).created).toBe(wide.expired);
  });
});

describe('R8: a request that was granted twice, because its first leases had expired,', () => {
  it('keeps its second response when the first leases are released late', async () => {
    const { environment, provider, release } = newPool({ fallbackGrace: MINUTE });
    const request = { requestId: 'request 1' };
    const [first] = (await provider.acquire(request)).leases;
    await environment.advance(MINUTE);
    const second = await provider.acquire(request);
    await release(first as LeaseInfo, environment.now());
    expect((await provider.acquire(request)).leases).toEqual(second.leases);
  });
});

describe('a provider', () => {
  it('keeps its own copy of who holds a lease', async () => {
    const { provider } = newPool();
    const meta = { host: 'a' };
    await provider.acquire({ meta });
    meta.host = 'b';
    expect((await provider.listLeases())[0]?.holder).toEqual({ host: 'a' });
  });

  it('works without any options, in real time', async () => {
    const provider = new MemoryLeaseProvider();
    const before = Date.now();
    const { leases, now } = await provider.acquire({});
    expect(now).toBeGreaterThanOrEqual(before);
    expect(leases).toMatchObject([{ id: 0, bitId: 14, bitSeq: 8, expired: (now ?? 0) + 600_000 }]);
  });

  it('is refused when its configuration contradicts itself', () => {
    const services = { a: { bitTs: 41 }, b: { bitTs: 40, bitReserve: 2 } };
    expect(() => new MemoryLeaseProvider({ services })).toThrow('bitTs (services.b) is 41');
  });
});
