import { describe, expect, it } from 'vitest';
import { KazahanaClient, MemoryLeaseProvider } from '../index.js';
import { VERSION } from '../version.js';
import { readMeta } from './meta.js';

const os = { hostname: () => 'machine-1' };

describe('what a client tells of itself', () => {
  const refuse = () => {
    throw new Error('no permission');
  };
  for (const [title, platform, meta] of [
    [
      'on Node',
      { process: { pid: 7, env: {}, version: 'v24.1.0', versions: {}, getBuiltinModule: () => os } },
      { host: 'machine-1', process: '7', runtime: 'node v24.1.0' },
    ],
    [
      'on Bun',
      { process: { pid: 7, version: 'v22', versions: { bun: '1.3.0' }, getBuiltinModule: () => os } },
      { host: 'machine-1', process: '7', runtime: 'bun 1.3.0' },
    ],
    [
      'on Deno',
      {
        process: { pid: 7, version: 'v22', versions: { deno: '2.5.0' } },
        Deno: { ...os, permissions: { querySync: () => ({ state: 'granted' }) } },
      },
      { host: 'machine-1', process: '7', runtime: 'deno 2.5.0' },
    ],
    [
      'on Deno without permission, which is not requested',
      {
        process: { pid: 7, versions: { deno: '2.5.0' }, getBuiltinModule: refuse },
        Deno: { hostname: refuse, permissions: { querySync: () => ({ state: 'prompt' }) } },
      },
      { process: '7', runtime: 'deno 2.5.0' },
    ],
    [
      'where the environment names the host',
      { process: { pid: 7, env: { HOSTNAME: 'pod-1' }, version: 'v20.0.0', getBuiltinModule: () => os } },
      { host: 'pod-1', process: '7', runtime: 'node v20.0.0' },
    ],
    ['where modules throw', { process: { pid: 7, getBuiltinModule: refuse } }, { process: '7' }],
    ['in a page', { navigator: { userAgent: 'Browser/1' } }, { runtime: 'Browser/1' }],
    ['in an unknown place', {}, {}],
  ] as const) {
    it(`is its host, process, runtime and version ${title}`, () =>
      expect(readMeta(platform)).toEqual({ ...meta, version: VERSION }));
  }

  it('is no more than an operator can read', () => {
    expect(readMeta({ navigator: { userAgent: 'x'.repeat(5000) } }).runtime).toHaveLength(253);
  });

  it('is kept with its lease, and so is what the program adds', async () => {
    const provider = new MemoryLeaseProvider();
    await using client = new KazahanaClient({ provider, meta: { deployment: 'blue', host: 'named' } });
    await client.ready();
    const [lease] = await provider.listLeases();
    expect(lease?.holder).toMatchObject({ deployment: 'blue', host: 'named', version: VERSION });
  });

  for (const [meta, message] of [
    [null, 'meta must be an object, got null'],
    [['a'], 'meta must be an object, got "an array"'],
    [{ host: 5 }, 'meta.host must be a string of at most 256 characters, got 5'],
    [{ host: 'x'.repeat(257) }, 'meta.host must be a string of at most 256 characters, got "xxx'],
    [{ '': 'x' }, 'the length of a name of meta must be an integer from 1 to 64, got 0'],
    [{ ['x'.repeat(65)]: 'x' }, 'the length of a name of meta must be an integer from 1 to 64, got 65'],
    [
      Object.fromEntries([...'abcdefghijklm'].map((name) => [name, ''])),
      'must be an integer from 0 to 12, got 13',
    ],
    [
      { a: 'ä'.repeat(256), b: 'ä'.repeat(256) },
      'the bytes of meta as JSON must be an integer from 0 to 1024, got 1039',
    ],
  ] as const) {
    it(`is refused when it would not fit: ${message}`, () =>
      expect(() => new KazahanaClient({ meta: meta as never })).toThrow(message));
  }

  it('may be as much as fits', () =>
    expect(() => new KazahanaClient({ meta: { a: 'x'.repeat(256), b: 'ä'.repeat(256) } })).not.toThrow());
});
