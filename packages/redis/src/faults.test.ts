// What happens when Redis forgets its scripts, breaks off, refuses or crashes: a clear error, and never a lease that is
// not kept.
import { inspect } from 'node:util';
import { defaultEnvironment, type LeaseInfo, StoreError, signRelease } from 'kazahana/lease';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedis } from '../../../tests/services/redis.ts';
import { findOverlaps, givenBack, grantedLease } from '../../../tests/stores/ledger.ts';
import { RedisLeaseProvider } from './index.js';
import { single } from './testing/clients.ts';
import { administeredRedis, POOL, refused, SLOT, services } from './testing/server.ts';

const { server, admin, configure, connect, provide, onWarning, empty, stop } = await administeredRedis();
afterAll(stop);
beforeEach(empty);

/** Every write is on disk before it is acknowledged. */
const KEEPS_ALL = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'] as const;

describe('a Redis that forgets its scripts', () => {
  it('is sent them again', async () => {
    const provider = provide();
    const [first] = (await provider.acquire({})).leases;
    await admin.sendCommand(['SCRIPT', 'FLUSH']);
    const [second] = (await provider.acquire({})).leases;
    expect([first?.id, second?.id]).toEqual([0, 1]);
  });
});

describe('a Redis that refuses', () => {
  it('a user without rights, a closed client and a full memory have codes of their own', async () => {
    await admin.sendCommand(['ACL', 'SETUSER', 'nobody', 'reset', 'on', 'nopass', '~*', '+@read']);
    const nobody = await connect({ username: 'nobody', password: 'any' });
    const provider = new RedisLeaseProvider(nobody, { onWarning });
    expect(await refused(provider.acquire({}))).toMatchObject({ name: 'StoreError', code: 'STORE_REFUSED' });
    nobody.destroy();
    expect(await refused(provider.acquire({}))).toMatchObject({ code: 'STORE_CLOSED' });
    await configure('maxmemory', '1');
    expect(await refused(provide().acquire({}))).toMatchObject({ code: 'STORE_FULL' });
    await configure('maxmemory', '0');
  });

  it.for(['@redis/client', 'ioredis'] as const)('shows no secret in an error of %s', async (library) => {
    const client = await single[library]([server.port]);
    // Secrets that can be recognised.
    const environment = { ...defaultEnvironment, random: (bytes: Uint8Array) => bytes.fill(0xab) };
    const provider = new RedisLeaseProvider(client.redis, { services, onWarning, environment });
    await provider.inspectPool();
    await admin.set(`${POOL}:slots`, 'not a hash');
    const error = await refused(provider.acquire({ requestId: 'request' }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: 'STORE_INCOMPATIBLE', cause: expect.any(Error) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('abab');
    // Nobody got what the script had begun to take.
    await admin.del(`${POOL}:slots`);
    expect(await provider.listLeases()).toEqual([]);
    expect((await provider.acquire({ throughputPerMs: 4 * SLOT })).leases.map(({ id }) => id)).toEqual([
      0, 1, 2, 3,
    ]);
    client.close();
  });
});

describe('a connection that breaks', () => {
  it('while the script runs is an error; an earlier answer is repeated after it, and nothing is granted twice', async () => {
    const fragile = await startRedis(KEEPS_ALL);
    const client = await single['@redis/client']([fragile.port]);
    const provider = new RedisLeaseProvider(client.redis, { services, onWarning });
    const before = await provider.acquire({ requestId: 'before' });
    fragile.signal('SIGSTOP');
    const cut = refused(provider.acquire({ requestId: 'cut' }));
    const aborted = refused(provider.acquire({}, { signal: AbortSignal.timeout(20) }));
    expect(await aborted).toMatchObject({ name: 'TimeoutError' });
    await fragile.kill();
    expect(await cut).toMatchObject({ code: 'STORE_UNAVAILABLE' });

    await fragile.start();
    const again = await provider.acquire({ requestId: 'before' });
    expect(again.leases).toEqual(before.leases);
    const after = await provider.acquire({ requestId: 'cut' });
    expect(after.leases.map(({ id }) => id)).toEqual([1]);
    client.close();
    await fragile.dispose();
  });

  it('is not made for a caller who has given up before', async () => {
    const provider = provide();
    await provider.inspectPool();
    const reason = new Error('no longer wanted');
    const call = { signal: AbortSignal.abort(reason) };
    expect(await refused(provider.acquire({}, call))).toBe(reason);
    const release = { id: 0, timestamp: 0, signature: '' };
    expect(await refused(provider.release(release, call))).toBe(reason);
    expect((await provider.inspectPool()).serial).toBe(0);
  });
});

describe('a server that is killed in the middle of acquires and releases', () => {
  it('has lost nothing that it acknowledged, when every write reaches its disk', async () => {
    const fragile = await startRedis(KEEPS_ALL);
    const client = await single['@redis/client']([fragile.port]);
    const small = { default: { bitId: 7, bitSeq: 15, leaseDuration: 60_000 } };
    const provider = new RedisLeaseProvider(client.redis, { services: small, onWarning });
    const granted = new Map<string, ReturnType<typeof grantedLease>>();
    const held = new Set<string>();
    let answers = 0;

    /** Until there is an answer, whatever it is. */
    const insist = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof StoreError)) return undefined;
          await defaultEnvironment.sleep(5);
        }
      }
    };
    const loop = async (number: number) => {
      for (let round = 0; round < 40; round++) {
        const request = { requestId: `${number}.${round}`, throughputPerMs: (1 + (round % 3)) * 2 ** 15 };
        const leases: readonly LeaseInfo[] = (await insist(() => provider.acquire(request)))?.leases ?? [];
        answers++;
        for (const lease of leases) {
          granted.set(lease.secret, grantedLease(lease));
          held.add(lease.secret);
        }
        for (const { id, secret, created } of leases) {
          if (number === 0 && round % 8 === 0) continue;
          await insist(() =>
            provider.release({ id, timestamp: created, signature: signRelease(secret, id, created) }),
          );
          // If it is not found, an attempt before the crash got through.
          held.delete(secret);
          granted.set(secret, givenBack(granted.get(secret) ?? expect.fail(), created));
        }
      }
    };
    const crashes = (async () => {
      for (const at of [100, 250]) {
        while (answers < at) await defaultEnvironment.sleep(1);
        await fragile.kill();
        await fragile.start();
      }
    })();
    await Promise.all([crashes, ...Array.from({ length: 12 }, (_, number) => loop(number))]);

    expect(findOverlaps(granted.values())).toEqual([]);
    const listed = (await provider.listLeases()).map(({ id, created }) => ({ id, created }));
    const expected = [...held].map((secret) => {
      const { id, created } = granted.get(secret) ?? expect.fail();
      return { id, created };
    });
    expect(listed).toEqual(expected.sort((a, b) => a.id - b.id));
    client.close();
    await fragile.dispose();
  });
});
