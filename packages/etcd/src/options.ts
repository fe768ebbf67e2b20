// What a provider is told: where etcd is, how to get in, and where in it the pools are kept.
import { checkInteger, checkOnWarning, InvalidArgumentError, type LeaseEngineOptions } from 'kazahana/lease';

/** PEM texts, as files have them. */
export interface EtcdTlsOptions {
  /** The authority behind etcd's certificates; the platform's authorities when left out. */
  readonly ca?: string | Uint8Array;
  /** Our own certificate and its key, where etcd demands one (`--client-cert-auth`). */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
}

export interface EtcdLeaseProviderOptions extends LeaseEngineOptions {
  /** The client URLs of the members: `http://10.0.0.1:2379`. All are tried before a call fails. */
  readonly endpoints: readonly string[];
  /** The start of every key, with a slash at its end; `/kazahana/` when left out. */
  readonly prefix?: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: EtcdTlsOptions;
  /** Milliseconds until a request fails, all endpoints together; 5,000 when left out. */
  readonly requestTimeout?: number;
  /** Told when etcd does not compact; `process.emitWarning` when left out. */
  readonly onWarning?: (message: string) => void;
}

const ACCESS = ['username', 'password', 'tls'] as const;
export const OWN_NAMES = ['endpoints', 'prefix', ...ACCESS, 'requestTimeout', 'onWarning'] as const;

type Defaulted = 'prefix' | 'tls' | 'requestTimeout' | 'onWarning';

export interface EtcdSettings extends Required<Pick<EtcdLeaseProviderOptions, Defaulted>> {
  readonly endpoints: readonly URL[];
  readonly credentials: { readonly name: string; readonly password: string } | undefined;
}

const DEFAULT_PREFIX = '/kazahana/';
/** As long as clients wait. */
const DEFAULT_REQUEST_TIMEOUT = 5000;
const MAX_REQUEST_TIMEOUT = 600_000;
const MAX_PREFIX = 500;
const TLS_NAMES = ['ca', 'cert', 'key'];

const ENDPOINT = 'an http: or https: URL without user, path, query and fragment';

export function resolveSettings(options: EtcdLeaseProviderOptions): EtcdSettings {
  const { endpoints, prefix = DEFAULT_PREFIX, tls = {} } = options;
  const { requestTimeout = DEFAULT_REQUEST_TIMEOUT } = options;
  if (!Array.isArray(endpoints) || endpoints.length === 0) {
    throw new InvalidArgumentError('endpoints', 'a list of one URL or more', endpoints);
  }
  // Without the slash, the keys of one prefix could be the keys of another and a longer pool name.
  if (typeof prefix !== 'string' || !prefix.endsWith('/') || prefix.length > MAX_PREFIX) {
    throw new InvalidArgumentError('prefix', `${MAX_PREFIX} characters or less, the last a slash`, prefix);
  }
  checkInteger('requestTimeout', requestTimeout, 1, MAX_REQUEST_TIMEOUT);
  const onWarning = checkOnWarning(options.onWarning);
  checkTls(tls);
  const credentials = checkCredentials(options);
  return { endpoints: endpoints.map(checkEndpoint), prefix, credentials, tls, requestTimeout, onWarning };
}

/** What is refused is not shown as a whole: it may hold a password. */
function checkEndpoint(endpoint: unknown): URL {
  const text = String(endpoint);
  if (!URL.canParse(text)) throw new InvalidArgumentError('an endpoint', ENDPOINT, 'a text that is no URL');
  const url = new URL(text);
  if (/^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new InvalidArgumentError('an endpoint', ENDPOINT, `${url.protocol}//${url.host} with more`);
}

function checkCredentials({ username, password }: EtcdLeaseProviderOptions): EtcdSettings['credentials'] {
  if (username === undefined && password === undefined) return undefined;
  if (username && typeof username === 'string' && typeof password === 'string')
    return { name: username, password };
  throw new InvalidArgumentError('username', 'a text, given together with password', typeof username);
}

function checkTls(tls: EtcdTlsOptions): void {
  if (typeof tls !== 'object' || tls === null) throw new InvalidArgumentError('tls', 'an object', tls);
  const isPem = (value: unknown) => typeof value === 'string' || value instanceof Uint8Array;
  const other = Object.entries(tls).find(([name, value]) => !TLS_NAMES.includes(name) || !isPem(value));
  if (other) throw new InvalidArgumentError('tls', `given PEM texts as ${TLS_NAMES.join(', ')}`, other[0]);
  if ((tls.cert === undefined) === (tls.key === undefined)) return;
  throw new InvalidArgumentError('tls', 'given cert and key together', 'one of them alone');
}
