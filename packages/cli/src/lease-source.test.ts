import { DEFAULT_HOST, DEFAULT_PORT } from '@kazahana/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_URL, leaseSourceOf, type SourceFlags } from './lease-source.js';

afterEach(() => vi.unstubAllEnvs());

const SERVER = { kind: 'server', url: 'http://a:1', token: undefined };

describe('where leases come from', () => {
  type Row = [title: string, flags: SourceFlags, env: Record<string, string>, expected: unknown];
  const rows: Row[] = [
    ['nothing says', {}, {}, undefined],
    ['--url', { url: 'http://a:1' }, {}, SERVER],
    ['KAZAHANA_URL', {}, { KAZAHANA_URL: 'http://a:1' }, SERVER],
    ['an empty KAZAHANA_URL says nothing', {}, { KAZAHANA_URL: '' }, undefined],
    ['KAZAHANA_STORE alone is for the server', {}, { KAZAHANA_STORE: 'memory:' }, undefined],
    ['--url over KAZAHANA_URL', { url: 'http://a:1' }, { KAZAHANA_URL: 'http://b:1' }, SERVER],
    ...['https://a:1', 'http://127.0.0.1:1', 'http://127.1:1', 'http://[::1]:1', 'http://localhost:1'].map(
      (url): Row => [`the token to ${url}`, { url }, { KAZAHANA_TOKEN: 't' }, { ...SERVER, url, token: 't' }],
    ),
    [
      'the token over plain HTTP, if that is wanted',
      { url: 'http://a:1', insecure: true },
      { KAZAHANA_TOKEN: 't' },
      { ...SERVER, token: 't' },
    ],
    ['--store', { store: 'memory:' }, { KAZAHANA_URL: 'http://b:1' }, { kind: 'store', url: 'memory:' }],
    [
      '--store alone, with a password in the environment',
      { store: true },
      { KAZAHANA_STORE: 'redis://me:secret@host' },
      { kind: 'store', url: 'redis://me:secret@host' },
    ],
  ];
  for (const [title, flags, env, expected] of rows) {
    it(title, async () => {
      for (const name of ['KAZAHANA_URL', 'KAZAHANA_TOKEN', 'KAZAHANA_STORE']) vi.stubEnv(name, env[name]);
      expect(await leaseSourceOf(flags)).toEqual(expected);
    });
  }

  const refused: [title: string, flags: SourceFlags, message: string][] = [
    ['both', { url: 'http://a', store: 'memory:' }, 'take one of --url and --store'],
    ['another scheme', { url: 'ftp://a' }, '--url must begin with http:// or https://, got "ftp://a"'],
    ['no URL', { url: 'a' }, '--url must begin with http:// or https://, got "a"'],
    [
      'a password',
      { url: 'http://me:secret@a' },
      'a password has no place in --url: a token belongs into KAZAHANA_TOKEN',
    ],
    [
      'a password of a store',
      { store: 'redis://me:secret@host' },
      'a password has no place in --store: put the URL into KAZAHANA_STORE, and say --store alone',
    ],
    [
      'a store of nowhere',
      { store: true },
      '--store without a URL takes that of KAZAHANA_STORE, which is not set',
    ],
  ];
  for (const [title, flags, message] of refused) {
    it(`${title} is refused, without a word of the secret`, async () => {
      vi.stubEnv('KAZAHANA_STORE', undefined);
      await expect(leaseSourceOf(flags)).rejects.toThrow(message);
    });
  }

  it.each(['http://a:1', 'http://127.0.0.1.example', 'http://10.0.0.1', 'http://[::2]'])(
    'a token does not cross the network in clear text to %s',
    async (url) => {
      vi.stubEnv('KAZAHANA_TOKEN', 'a-token-of-ours');
      const refusal = await leaseSourceOf({ url }).catch((error: Error) => error.message);
      expect(refusal).toBe(
        `KAZAHANA_TOKEN would cross the network in clear text to ${url}: use https://, or say --insecure`,
      );
      vi.stubEnv('KAZAHANA_URL', url);
      expect(await leaseSourceOf({}).catch((error: Error) => error.message)).toBe(refusal);
    },
  );

  it('the address is that of the server', () => {
    expect(DEFAULT_URL).toBe(`http://${DEFAULT_HOST}:${DEFAULT_PORT}`);
  });
});
