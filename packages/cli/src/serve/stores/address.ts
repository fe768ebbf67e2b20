// The URL of a store: like any other, but with several hosts where a store has several. What is refused is never shown
// whole, since a password may be in it.
import { StoreUrlError } from '../store-url-error.js';

export interface StoreAddress {
  readonly scheme: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** Without the slash at its beginning. */
  readonly path: string;
  /** Settings of ours, each once. */
  readonly settings: ReadonlyMap<string, string>;
}

const FORM =
  /^(?<scheme>[a-z+]+):\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^/?@]*)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/;

/** Nothing of such a URL is shown. */
export const unreadable = () =>
  new StoreUrlError(
    'the URL of the store cannot be read: it is scheme://user:password@host:port/…, and in user name and password / ? # @ : % ' +
      'are written as %2F %3F %23 %40 %3A %25',
  );

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable();
  }
}

export function parseAddress(url: string, defaultPort: number, known: readonly string[]): StoreAddress {
  const { scheme = '', user, hosts = '', path = '', query = '' } = FORM.exec(url)?.groups ?? {};
  if (scheme === '') throw unreadable();
  if (hosts === '') throw new StoreUrlError('the URL of the store names no host');
  const [username, password] = user === undefined ? [] : user.split(/:(.*)/s, 2).map(decode);
  const settings = new Map(new URLSearchParams(query));
  for (const name of settings.keys()) {
    if (!known.includes(name)) {
      // Its name is shown where it can be one, and no part of a password.
      const shown = /^[a-z]{1,20}$/i.test(name) && user === undefined ? ` ${name}` : '';
      throw new StoreUrlError(
        `the URL of the store has an unknown setting${shown}; there are ${known.join(', ')}`,
      );
    }
  }
  return {
    scheme,
    username: username === '' ? undefined : username,
    password,
    hosts: hosts.split(',').map((text) => parseHost(text, defaultPort)),
    path: decode(path),
    settings,
  };
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const { host, port } = /^(?<host>\[[^\]]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  // A part of a password, perhaps: it is not shown.
  if (host === undefined) throw unreadable();
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) };
}

/** A whole number among the settings; undefined when it is left out. */
export function numberSetting({ settings }: StoreAddress, name: string): number | undefined {
  const text = settings.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StoreUrlError(`${name} in the URL of the store must be a whole number`);
}
