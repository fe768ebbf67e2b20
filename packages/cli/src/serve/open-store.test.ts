import { describe, expect, it } from 'vitest';
import { openStore, withoutPassword } from './open-store.js';

describe('a URL for people to read', () => {
  it.each([
    ['postgres://user:hush@db/leases', 'postgres://user:…@db/leases'],
    ['redis://:hush@db:6379/0', 'redis://:…@db:6379/0'],
    ['postgres://user:hu:sh@ hush@db/leases', 'postgres://user:…@db/leases'],
    ['redis+sentinel://user:hush@a:1,b:2/master', 'redis+sentinel://user:…@a:1,b:2/master'],
    ['postgres://db/leases?user=a&password=hush&x=1', 'postgres://db/leases?user=a&password=…&x=1'],
    ['postgres://db/leases?sslpassword=hush', 'postgres://db/leases?sslpassword=…'],
  ])('has no password: %s', (url, shown) => {
    expect(withoutPassword(url)).toBe(shown);
  });

  it.each([
    'sqlite:./kazahana.db',
    'memory:',
    'postgres://user@db/leases',
    'redis://db:6379/0?x=1',
    'etcd://a:1,b:2',
  ])('is itself when there is none in it: %s', (url) => {
    expect(withoutPassword(url)).toBe(url);
  });
});

describe('a store', () => {
  const open = (url: string) => (async () => openStore(url, {}, () => undefined))();

  it.each([
    ['papyrus:scroll', 'there is no store "papyrus:"'],
    ['hush', 'there is no store ":"'],
    ['', 'there is no store ":"'],
    ['constructor:x', 'there is no store "constructor:"'],
    ['SQLITE:x', 'there is no store ":"'],
    ['sqlite:', 'needs a file'],
    ['sqlite://', 'needs a file'],
  ])('that is none is refused by its kind alone: %s', async (url, message) => {
    const error = await open(url).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringContaining(message) });
    expect(String(error)).not.toContain('hush');
  });

  it('in memory works', async () => {
    const { name, store, close } = await open('memory:');
    expect([name, (await store.acquire({})).leases.length]).toEqual(['memory', 1]);
    await close();
  });
});
