// What happens when Redis forgets its scripts, breaks off, refuses or crashes: a clear error, and never a lease that is
// not kept.
import { inspect } from 'node:util';
import { createClient, createClientPool } from '@redis/client';
import { Redis } from 'ioredis';
import { defaultEnvironment, type LeaseInfo, StoreError, signRelease } from 'kazahana/lease';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedis } from '../../../tests/services/redis.ts';
import { findOverlaps, givenBack, grantedLease } from '../../../tests/stores/ledger.ts';
import { type RedisClientLike, RedisLeaseProvider } from './index.js';
import { single } from './testing/clients.ts';
import { administeredRedis, POOL, refused, SLOT, services } from './testing/server.ts';
import { silentProxy } from './testing/silent-proxy.ts';

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
    await admin.sendCommand(['ACL', 'SETUSER', 'reader', 'reset', 'on', 'nopass', '~*', '+@read']);
    const reader = await connect({ username: 'reader', password: 'any' });
    const provider = new RedisLeaseProvider(reader, { onWarning });
    expect(await refused(provider.acquire({}))).toMatchObject({ name: 'StoreError', code: 'STORE_REFUSED' });
    reader.destroy();
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
    // No client got what the script had begun to take.
    await admin.del(`${POOL}:slots`);
    expect(await provider.listLeases()).toEqual([]);
    expect((await provider.acquire({ throughputPerMs: 4 * SLOT })).leases.map(({ id }) => id)).toEqual([
      0, 1, 2, 3,
    ]);
    client.close();
  });
});

describe('a connection that breaks', () => {
  it('while the script runs is an error; an earlier response is repeated after it, and nothing is granted twice', async () => {
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

describe('a connection that falls silent', () => {
  const host = '127.0.0.1';
  /** So many times faster than the clock: the limit of a round trip is seconds. */
  const HURRY = 20;
  const hurried = {
    ...defaultEnvironment,
    sleep: (ms: number, options?: object) => defaultEnvironment.sleep(ms / HURRY, options),
  };
  const wait = () => defaultEnvironment.sleep(10);
  /** A pool of one connection, so that it is the one that falls silent. */
  const ONE = { minimum: 1, maximum: 1 };

  type Client = RedisClientLike & { on(event: 'error', listener: () => void): unknown };
  /** By what each can do about it: end the connection when the provider says so, or when its own time is over. */
  const CLIENTS: Readonly<Record<string, (port: number) => { redis: Client; close(): unknown }>> = {
    '@redis/client'(port) {
      const redis = createClient({ socket: { host, port, reconnectStrategy: 20 } });
      void redis.connect();
      return { redis, close: () => redis.destroy() };
    },
    ioredis(port) {
      const redis = new Redis({ host, port, retryStrategy: () => 20, disconnectTimeout: 50 });
      return { redis, close: () => redis.disconnect() };
    },
    'a pool of @redis/client with time limits of its own'(port) {
      const socket = { host, port, reconnectStrategy: 20, socketTimeout: 300 };
      const redis = createClientPool({ pingInterval: 100, socket }, ONE);
      void redis.connect();
      return { redis, close: () => redis.destroy() };
    },
  };

  async function throughProxy(kind: string, port = server.port) {
    const proxy = await silentProxy(port);
    const { redis, close } = CLIENTS[kind]?.(proxy.port) ?? expect.fail();
    redis.on('error', () => {});
    const provider = new RedisLeaseProvider(redis, { services, onWarning, environment: hurried });
    return {
      proxy,
      provider,
      async end() {
        close();
        await proxy.close();
      },
    };
  }

  /** What is acquired once it can be, and the errors until then. */
  async function insist(provider: RedisLeaseProvider) {
    const errors: unknown[] = [];
    for (;;) {
      try {
        return { errors, leases: (await provider.acquire({ requestId: 'again' })).leases };
      } catch (error) {
        errors.push(error);
        await wait();
      }
    }
  }

  it.for(Object.keys(CLIENTS))('is given up and replaced: %s', async (kind) => {
    const { proxy, provider, end } = await throughProxy(kind);
    await provider.acquire({});
    proxy.silence();
    const { errors, leases } = await insist(provider);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    // The lost command did nothing, or is repeated by its request.
    expect(leases.map(({ id }) => id)).toEqual([1]);
    expect(proxy.connections()).toBeGreaterThan(1);
    await end();
  });

  it.for(Object.keys(CLIENTS))('comes back when the server can be reached again: %s', async (kind) => {
    const { proxy, provider, end } = await throughProxy(kind);
    await provider.acquire({});
    proxy.silence();
    await proxy.refuse();
    expect(await refused(provider.acquire({}))).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await refused(provider.acquire({}))).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await proxy.accept();
    expect((await insist(provider)).leases.map(({ id }) => id)).toEqual([1]);
    await end();
  });

  it('is sent nothing more while a command hangs: calls fail at once', async () => {
    const proxy = await silentProxy(server.port);
    const redis = createClientPool({ socket: { host, port: proxy.port } }, ONE);
    await redis.connect();
    const provider = new RedisLeaseProvider(redis, { services, onWarning, environment: hurried });
    await provider.acquire({});
    proxy.silence();
    const hanging = await refused(provider.acquire({}));
    expect(hanging).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('4000 ms') });
    const next = await refused(provider.acquire({}));
    expect(next).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('earlier command'),
    });
    redis.destroy();
    await proxy.close();
  });

  it.for(['@redis/client', 'ioredis'])(
    'works again when a server goes on that stood still: %s',
    async (kind) => {
      const still = await startRedis();
      const { provider, end } = await throughProxy(kind, still.port);
      await provider.acquire({});
      still.signal('SIGSTOP');
      expect(await refused(provider.acquire({}))).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      still.signal('SIGCONT');
      expect((await insist(provider)).leases.map(({ id }) => id)).toEqual([1]);
      await end();
      await still.dispose();
    },
  );
});

describe('a server that is killed in the middle of acquires and releases', () => {
  it('has lost nothing that it acknowledged, when every write reaches its disk', async () => {
    const fragile = await startRedis(KEEPS_ALL);
    const client = await single['@redis/client']([fragile.port]);
    const small = { default: { bitId: 7, bitSeq: 15, leaseDuration: 60_000 } };
    const provider = new RedisLeaseProvider(client.redis, { services: small, onWarning });
    const granted = new Map<string, ReturnType<typeof grantedLease>>();
    const held = new Set<string>();
    let responses = 0;

    /** Until there is a response, whatever it is. */
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
        responses++;
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
        while (responses < at) await defaultEnvironment.sleep(1);
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
