// Where leases come from: a server or a store, by flags or by the environment. A URL with a password in it has no place
// on a command line, where every process can read it.
import type { LeaseInspector, LeaseProvider } from 'kazahana/lease';
import { UsageError } from './terminal.js';
import { quoted, visible } from './visible.js';

export interface SourceFlags {
  readonly url?: string;
  /** Without a URL it is the one of the environment. */
  readonly store?: string | true;
  /** Send a token over plain HTTP beyond this machine. */
  readonly insecure?: boolean;
}

export type LeaseSource =
  | { readonly kind: 'server'; readonly url: string; readonly token: string | undefined }
  | { readonly kind: 'store'; readonly url: string };

/** Where `kazahana serve` listens unless told otherwise; a test holds it equal to the server's own. */
export const DEFAULT_URL = 'http://127.0.0.1:7420';

/** What flags and environment say; undefined when they say nothing. */
export async function leaseSourceOf(flags: SourceFlags): Promise<LeaseSource | undefined> {
  const { url, store } = flags;
  if (url !== undefined && store !== undefined) throw new UsageError('take one of --url and --store');
  if (store !== undefined) return { kind: 'store', url: await storeUrlOf(store) };
  const { KAZAHANA_URL } = process.env;
  if (url !== undefined) return serverAt('--url', url, flags);
  return KAZAHANA_URL ? serverAt('KAZAHANA_URL', KAZAHANA_URL, flags) : undefined;
}

async function storeUrlOf(store: string | true): Promise<string> {
  const { KAZAHANA_STORE } = process.env;
  if (store === true) {
    if (KAZAHANA_STORE) return KAZAHANA_STORE;
    throw new UsageError('--store without a URL takes that of KAZAHANA_STORE, which is not set');
  }
  const { hasPassword } = await import('./serve/store-url.js');
  if (!hasPassword(store)) return store;
  throw new UsageError(
    'a password has no place in --store: put the URL into KAZAHANA_STORE, and say --store alone',
  );
}

/** The server at a URL, with the token of the environment. */
export function serverAt(what: string, text: string, { insecure = false }: SourceFlags): LeaseSource {
  const url = URL.parse(text);
  const token = process.env.KAZAHANA_TOKEN || undefined;
  if (url?.username || url?.password)
    throw new UsageError(`a password has no place in ${what}: a token belongs into KAZAHANA_TOKEN`);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${what} must begin with http:// or https://, got ${quoted(text)}`);
  if (token !== undefined && url.protocol === 'http:' && !isLoopback(url.hostname) && !insecure) {
    throw new UsageError(
      `KAZAHANA_TOKEN would cross the network in clear text to ${visible(url.origin)}: use https://, or say --insecure`,
    );
  }
  return { kind: 'server', url: text, token };
}

/** A host of a parsed URL, which has addresses in their usual form, that is this machine. */
const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

export interface OpenedSource {
  readonly provider: LeaseProvider & LeaseInspector;
  close(): Promise<void>;
}

/** Opens a source; `pool` is added to the configuration of a store, which has only the default pool here. */
export async function openSource(
  source: LeaseSource,
  pool: string | undefined,
  createPools: 'auto' | 'never',
): Promise<OpenedSource> {
  if (source.kind === 'server') {
    const { url, token } = source;
    const { HttpLeaseProvider } = await import('kazahana');
    const provider = new HttpLeaseProvider(url, token === undefined ? {} : { token });
    return { provider, close: async () => {} };
  }
  const { openStore } = await import('./serve/open-store.js');
  const options = { createPools, ...(pool !== undefined && { pools: { [pool]: {} } }) };
  const opened = await openStore(source.url, options, (message) => process.stderr.write(`${message}\n`));
  return { provider: opened.store, close: () => opened.close() };
}
