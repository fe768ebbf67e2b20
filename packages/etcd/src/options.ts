// What a provider is told: where etcd is, how to get in, and where in it the pools are kept.
import { InvalidArgumentError, type LeaseStoreOptions, OutOfRangeError } from 'kazahana/lease';

/** PEM texts, as files have them. */
export interface EtcdTlsOptions {
  /** Who signed etcd's certificates; the platform's authorities when left out. */
  readonly ca?: string | Uint8Array;
  /** Our own certificate and its key, where etcd asks for one (`--client-cert-auth`). */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
}

export interface EtcdLeaseProviderOptions extends LeaseStoreOptions {
  /** The client URLs of the members: `http://10.0.0.1:2379`. All are tried before a call fails. */
  readonly endpoints: readonly string[];
  /** The start of every key, with a slash at its end; `/kazahana/` when left out. */
  readonly prefix?: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: EtcdTlsOptions;
  /** Milliseconds until a request is given up, all endpoints together; 5,000 when left out. */
  readonly requestTimeout?: number;
  /** Is told of what works for now and will not for ever; `process.emitWarning` when left out. */
  readonly onWarning?: (message: string) => void;
}

export interface Credentials {
  readonly name: string;
  readonly password: string;
}

export interface EtcdSettings {
  readonly endpoints: readonly URL[];
  readonly prefix: string;
  readonly credentials: Credentials | undefined;
  readonly tls: EtcdTlsOptions;
  readonly requestTimeout: number;
  readonly onWarning: (message: string) => void;
}

const DEFAULT_PREFIX = '/kazahana/';
/** As long as clients wait. */
const DEFAULT_REQUEST_TIMEOUT = 5000;
const MAX_REQUEST_TIMEOUT = 600_000;
const MAX_PREFIX = 500;
const emitWarning = (message: string) => process.emitWarning(message, 'KazahanaWarning');
const TLS_NAMES = ['ca', 'cert', 'key'];

export function resolveSettings(
  options: Omit<EtcdLeaseProviderOptions, keyof LeaseStoreOptions>,
): EtcdSettings {
  const { endpoints, prefix = DEFAULT_PREFIX, tls = {}, onWarning = emitWarning } = options;
  const { requestTimeout = DEFAULT_REQUEST_TIMEOUT } = options;
  if (!Array.isArray(endpoints) || endpoints.length === 0) {
    throw new InvalidArgumentError('endpoints', 'a list of one URL or more', endpoints);
  }
  // Without the slash, the keys of one prefix could be the keys of another and a longer pool name.
  if (typeof prefix !== 'string' || !prefix.endsWith('/') || prefix.length > MAX_PREFIX) {
    throw new InvalidArgumentError(
      'prefix',
      `a text with a slash at its end, up to ${MAX_PREFIX} long`,
      prefix,
    );
  }
  const isTimeout =
    Number.isInteger(requestTimeout) && requestTimeout >= 1 && requestTimeout <= MAX_REQUEST_TIMEOUT;
  if (!isTimeout) throw new OutOfRangeError('requestTimeout', 1, MAX_REQUEST_TIMEOUT, requestTimeout);
  if (typeof onWarning !== 'function') throw new InvalidArgumentError('onWarning', 'a function', onWarning);
  return {
    endpoints: endpoints.map(checkEndpoint),
    prefix,
    credentials: checkCredentials(options),
    tls: checkTls(tls),
    requestTimeout,
    onWarning,
  };
}

const ALLOWED_ENDPOINT = 'an http: or https: URL without user, path, query and fragment';

/** What is refused is not shown when it may hold a password. */
function checkEndpoint(endpoint: unknown): URL {
  const text = String(endpoint);
  if (!URL.canParse(text)) throw new InvalidArgumentError('an endpoint', ALLOWED_ENDPOINT, 'what is no URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new InvalidArgumentError('an endpoint', ALLOWED_ENDPOINT, url.protocol);
  }
  if (url.username + url.password + url.search + url.hash !== '' || url.pathname !== '/') {
    throw new InvalidArgumentError('an endpoint', ALLOWED_ENDPOINT, `one of ${url.origin} with more`);
  }
  return url;
}

function checkCredentials({
  username,
  password,
}: Pick<EtcdLeaseProviderOptions, 'username' | 'password'>): Credentials | undefined {
  if (username === undefined && password === undefined) return undefined;
  if (typeof username !== 'string' || username === '') {
    throw new InvalidArgumentError('username', 'a text, given together with password', typeof username);
  }
  if (typeof password !== 'string') {
    throw new InvalidArgumentError('password', 'a text, given together with username', typeof password);
  }
  return { name: username, password };
}

function checkTls(tls: unknown): EtcdTlsOptions {
  if (typeof tls !== 'object' || tls === null) throw new InvalidArgumentError('tls', 'an object', tls);
  for (const [name, value] of Object.entries(tls)) {
    if (!TLS_NAMES.includes(name)) {
      throw new InvalidArgumentError('a part of tls', `one of ${TLS_NAMES.join(', ')}`, name);
    }
    if (value !== undefined && typeof value !== 'string' && !(value instanceof Uint8Array)) {
      throw new InvalidArgumentError(`tls.${name}`, 'a PEM text', typeof value);
    }
  }
  const { cert, key } = tls as EtcdTlsOptions;
  if ((cert === undefined) !== (key === undefined)) {
    throw new InvalidArgumentError('tls', 'given cert and key together', 'one of them alone');
  }
  return tls as EtcdTlsOptions;
}
