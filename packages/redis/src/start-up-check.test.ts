// What a Redis must be before leases are entrusted to it.
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EvictingRedisError, RedisLeaseProvider } from './index.js';
import { administeredRedis, refused, services } from './testing/server.ts';

const { admin, configure, connect, provide, warnings, onWarning, empty, stop } = await administeredRedis();
afterAll(stop);
beforeEach(empty);

describe('a Redis that may evict keys', () => {
  it('is refused before anything is written, and served once it may not any more', async () => {
    await configure('maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
    const provider = provide();
    const error = await refused(provider.acquire({}));
    expect(error).toBeInstanceOf(EvictingRedisError);
    expect(error).toMatchObject({ code: 'STORE_MAY_EVICT', policy: 'allkeys-lru', maxmemory: 104_857_600 });
    await expect(provider.ready()).rejects.toThrow('noeviction');
    expect(await admin.dbSize()).toBe(0);

    await provide({ eviction: 'warn' }).acquire({});
    expect(warnings).toContain((error as Error).message);
    // Without a limit there is nothing to evict for.
    await configure('maxmemory', '0');
    await provide().ready();
    await configure('maxmemory', '100mb', 'maxmemory-policy', 'noeviction');
    await provider.acquire({});
    await configure('maxmemory', '0');
  });
});

describe('a Redis that keeps nothing on disk', () => {
  it('is warned about, once', async () => {
    const provider = provide({ services: { ...services, own: { pool: 'own' } } });
    await provider.ready();
    await Promise.all([provider.acquire({}), provider.acquire({ serviceId: 'own' }), provider.acquire({})]);
    expect(warnings).toEqual([expect.stringContaining('keeps nothing on disk')]);
  });

  it('is warned about by the process when nobody else is told', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await new RedisLeaseProvider(admin).ready();
    expect(emitted.mock.calls).toEqual([[expect.stringContaining('keeps nothing'), 'KazahanaWarning']]);
    emitted.mockRestore();
  });

  it('is left alone when it takes snapshots, or logs what it does', async () => {
    for (const [name, value, reset] of [
      ['save', '3600 1', ''],
      ['appendonly', 'yes', 'no'],
    ] as const) {
      await configure(name, value);
      await provide().ready();
      await configure(name, reset);
    }
    expect(warnings).toEqual([]);
  });

  it.for([
    ['-config', 'CONFIG GET save is not allowed'],
    ['-config -info', 'INFO is not allowed'],
  ])('may not say so to a user with %s: that is a warning, too', async ([rules = '', expected = '']) => {
    await admin.sendCommand([
      'ACL',
      'SETUSER',
      'managed',
      'reset',
      'on',
      'nopass',
      '~*',
      '+@all',
      ...rules.split(' '),
    ]);
    const managed = await connect({ username: 'managed', password: 'any' });
    await new RedisLeaseProvider(managed, { services, onWarning }).acquire({});
    managed.destroy();
    expect(warnings).toEqual([expect.stringContaining(expected)]);
  });
});

describe('what is no client, or no setting', () => {
  it.for([null, {}, 'redis://127.0.0.1', { sendCommand: () => {} }])('is refused: %j', (redis) => {
    expect(() => new RedisLeaseProvider(redis as never)).toThrow('a client of @redis/client or ioredis');
  });

  it.for([
    [{ prefix: 'a{b' }, 'INVALID_ARGUMENT'],
    [{ prefix: '' }, 'INVALID_ARGUMENT'],
    [{ eviction: 'ignore' }, 'INVALID_ARGUMENT'],
    [{ onWarning: 5 }, 'INVALID_ARGUMENT'],
    [{ waitReplicas: { replicas: 0, timeoutMs: 5 } }, 'OUT_OF_RANGE'],
    [{ waitReplicas: { replicas: 1, timeoutMs: 0 } }, 'OUT_OF_RANGE'],
    [{ services: { default: { leaseDuration: 0 } } }, 'OUT_OF_RANGE'],
  ] as const)('is refused: %j', ([options, code]) => {
    try {
      new RedisLeaseProvider(admin, options as never);
      expect.fail('must be refused');
    } catch (error) {
      expect(error).toMatchObject({ code });
    }
  });
});
