// From a store's URL to the store. Clients of databases are loaded only when they are needed.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
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
    checkFile(path);
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

/** A folder that is not there yet may come, on a disk that is mounted later; what stands in its place stays. */
function checkFile(path: string): void {
  const at = (place: string) => statSync(place, { throwIfNoEntry: false });
  if (at(path)?.isDirectory())
    throw new StoreUrlError(`the store sqlite:${path} is a folder: name a file in it`);
  const folder = dirname(path);
  if (at(folder)?.isDirectory() === false)
    throw new StoreUrlError(`the store sqlite:${path} cannot be: ${folder} is no folder`);
}

const FORMS =
  'sqlite:<file>, memory:, redis://…, rediss://…, redis+sentinel://…, redis+cluster://…, postgres://…, etcd://…';

export function openStore(url: string, options: LeaseEngineOptions, warn: Warn): Promise<OpenedStore> {
  const scheme = /^(?<scheme>[a-z][a-z+]*):/.exec(url)?.groups?.scheme ?? '';
  const open = Object.hasOwn(OPENERS, scheme) ? OPENERS[scheme] : undefined;
  // The rest of the URL may hold a password.
  if (!open) throw new StoreUrlError(`there is no store ${JSON.stringify(`${scheme}:`)}; there are ${FORMS}`);
  return open(url, options, warn);
}
