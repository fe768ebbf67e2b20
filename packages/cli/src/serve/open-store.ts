// From a store's URL to the store. Clients of databases are loaded only when they are asked for.

import type { Store } from '@kazahana/server';
import { MemoryLeaseProvider } from 'kazahana';
import type { LeaseEngineOptions } from 'kazahana/lease';
import { StoreUrlError } from './store-url-error.js';

export interface OpenedStore {
  /** The kind: `sqlite`, `redis`, … */
  readonly name: string;
  readonly store: Store;
  close(): Promise<void>;
}

/** Something that deserves an operator's attention, in one line. */
export type Warn = (message: string) => void;

type Opener = (url: string, options: LeaseEngineOptions, warn: Warn) => Promise<OpenedStore>;

const redis: Opener = async (url, options, warn) =>
  (await import('./stores/redis.js')).openRedis(url, options, warn);
const postgres: Opener = async (url, options) =>
  (await import('./stores/postgres.js')).openPostgres(url, options);

const OPENERS: Readonly<Record<string, Opener>> = {
  memory: async (_url, options) => ({
    name: 'memory',
    store: new MemoryLeaseProvider(options),
    close: async () => {},
  }),

  async sqlite(url, options) {
    const path = url.slice('sqlite:'.length).replace(/^\/\//, '');
    if (path === '') throw new StoreUrlError('the store sqlite: needs a file, as in sqlite:./kazahana.db');
    const { SqliteLeaseProvider } = await import('@kazahana/sqlite');
    const store = new SqliteLeaseProvider({ path, ...options });
    return { name: 'sqlite', store, close: () => store.close() };
  },

  redis,
  rediss: redis,
  'redis+sentinel': redis,
  'redis+cluster': redis,
  postgres,
  postgresql: postgres,
  etcd: async (url, options, warn) => (await import('./stores/etcd.js')).openEtcd(url, options, warn),
};

const FORMS =
  'sqlite:<file>, memory:, redis://…, rediss://…, redis+sentinel://…, redis+cluster://…, postgres://…, etcd://…';

export function openStore(url: string, options: LeaseEngineOptions, warn: Warn): Promise<OpenedStore> {
  const scheme = /^(?<scheme>[a-z][a-z+]*):/.exec(url)?.groups?.scheme ?? '';
  const open = Object.hasOwn(OPENERS, scheme) ? OPENERS[scheme] : undefined;
  // The rest of the URL may hold a password.
  if (!open) throw new StoreUrlError(`there is no store ${JSON.stringify(`${scheme}:`)}; there are ${FORMS}`);
  return open(url, options, warn);
}

/** The URL for people to read: without a password, wherever in it that stands. */
export function withoutPassword(url: string): string {
  return url
    .replace(/(?<=:\/\/[^/?#:]*:)[^/?#]*(?=@)/, '…')
    .replace(/(?<=[?&][^=&]*(?:password|secret|token)=)[^&#]*/gi, '…');
}
