import { describe, expect, it } from 'vitest';
import { openStore } from './open-store.js';

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
