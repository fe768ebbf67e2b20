// What a Redis must be before leases are entrusted to it, and which life of the store it is.
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EvictingRedisError, RedisLeaseProvider } from './index.js';
import { serverCheck } from './server-check.js';
import { administeredRedis, driverOn, refused, services } from './testing/server.ts';

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

  it('is warned about by the process when there is no `onWarning`', async () => {
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
    ['-config -info', 'INFO is not allowed): a fail-over or restart that loses leases cannot be noticed'],
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

describe('which life of the store a server is', () => {
  const NOW = 1_767_225_600_900;
  const ZEROS = '0'.repeat(40);
  const ALWAYS = ['appendonly', 'yes', 'appendfsync', 'always'];
  /** What is read from a server that was started 10 seconds ago, by its own count. */
  const lifeOf = ({
    life = `other ${NOW - 60_000}` as string | null,
    waits = false,
    former = ZEROS,
    settings = [] as readonly string[],
    isAllowed = true,
  }) => {
    const scripts = { waits, run: () => expect.fail(), runAndWait: () => expect.fail() };
    const connection = {
      send: () => expect.fail(),
      sendPair: async () => (isAllowed ? [0, settings] : expect.fail('NOPERM')) as [unknown, unknown],
      replace: () => expect.fail(),
    };
    const info = `# Server\r\nrun_id:this\r\nuptime_in_seconds:10\r\nmaster_replid2:${former}\r\nrole:master\r\n`;
    const check = serverCheck(scripts, connection, { eviction: 'refuse', onWarning });
    return check.incarnation('key', info, life, NOW);
  };

  it.for([
    ['a pool that was never written', { life: null }, false],
    ['a pool that this process wrote', { life: `this ${NOW}` }, false],
    ['a process that was started on its disk', {}, true],
    [
      '… with a log that may lack the last second',
      { settings: ['appendonly', 'yes', 'appendfsync', 'everysec'] },
      true,
    ],
    ['… with a log that is switched off', { settings: ['appendonly', 'no', 'appendfsync', 'always'] }, true],
    ['… with a log of every write', { settings: ALWAYS }, false],
    ['… with a log of every write, if it does not tell', { settings: ALWAYS, isAllowed: false }, true],
    ['… with a log of every write, as a former replica', { settings: ALWAYS, former: 'f'.repeat(40) }, true],
    ['… whose writes waited for replicas', { waits: true }, true],
    ['a replica that has taken over', { life: `other ${NOW - 5000}` }, true],
    ['… with a log of every write', { life: `other ${NOW - 5000}`, settings: ALWAYS }, true],
    ['… which writes had waited for', { life: `other ${NOW - 5000}`, waits: true }, false],
    // Started at 590.0 to 590.999: a write at 590.999 may have been before, one at 591.0 was not.
    ['a write in the second of the start', { life: `other ${NOW - 9901}`, waits: true }, true],
    ['a write in the second after it', { life: `other ${NOW - 9900}`, waits: true }, false],
  ] as const)('%s', async ([, given, mayLose]) => {
    expect(await lifeOf(given)).toEqual({ id: 'this', mayLose });
  });

  it('is not told where INFO is not allowed', async () => {
    await admin.sendCommand('ACL SETUSER managed reset on nopass ~* +@all -info'.split(' '));
    const managed = await connect({ username: 'managed', password: 'any' });
    const facts = await driverOn(managed).read('default', { slots: [], requests: [], quotas: [] });
    expect(facts.incarnation).toBeUndefined();
    managed.destroy();
    const known = await driverOn(admin).read('default', { slots: [], requests: [], quotas: [] });
    expect(known.incarnation).toEqual({ id: expect.stringMatching(/^[0-9a-f]{40}$/), mayLose: false });
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
