// etcd by URL: `etcd://user:password@host,host/prefix?tls=true&ca=…&cert=…&key=…`.
import { readFileSync } from 'node:fs';
import { EtcdLeaseProvider } from '@kazahana/etcd';
import type { LeaseEngineOptions } from 'kazahana/lease';
import type { OpenedStore, Warn } from '../open-store.js';
import { StoreUrlError } from '../store-url-error.js';
import { parseAddress } from './address.js';

const SETTINGS = ['tls', 'ca', 'cert', 'key'];
const ETCD_PORT = 2379;

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new StoreUrlError(`${name} in the URL of the store: ${path} cannot be read`);
  }
}

export async function openEtcd(url: string, options: LeaseEngineOptions, warn: Warn): Promise<OpenedStore> {
  const { hosts, path, username, password, settings } = parseAddress(url, ETCD_PORT, SETTINGS);
  const files = [...settings]
    .filter(([name]) => name !== 'tls')
    .map(([name, file]) => [name, readPem(name, file)]);
  const scheme = settings.get('tls') === 'true' || files.length > 0 ? 'https' : 'http';
  const store = new EtcdLeaseProvider({
    ...options,
    endpoints: hosts.map(
      ({ host, port }) => `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ),
    ...(path !== '' && { prefix: `/${path.replace(/\/*$/, '/')}` }),
    ...(username !== undefined && { username, password: password ?? '' }),
    ...(files.length > 0 && { tls: Object.fromEntries(files) }),
    onWarning: warn,
  });
  return { name: 'etcd', store, close: () => store.close() };
}
