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

export function parseAddress(url: string, defaultPort: number, known: readonly string[]): StoreAddress {
  const { scheme = '', user, hosts = '', path = '', query = '' } = FORM.exec(url)?.groups ?? {};
  if (scheme === '' || hosts === '') throw new StoreUrlError('the URL of the store names no host');
  const [username, password] = user === undefined ? [] : user.split(/:(.*)/s, 2).map(decodeURIComponent);
  const settings = new Map(new URLSearchParams(query));
  for (const name of settings.keys()) {
    if (!known.includes(name)) {
      throw new StoreUrlError(
        `the URL of the store has a setting ${JSON.stringify(name)}; there are ${known.join(', ')}`,
      );
    }
  }
  return {
    scheme,
    username: username === '' ? undefined : username,
    password,
    hosts: hosts.split(',').map((text) => parseHost(text, defaultPort)),
    path: decodeURIComponent(path),
    settings,
  };
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const { host, port } = /^(?<host>\[[^\]]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  if (host === undefined) throw new StoreUrlError(`the URL of the store: ${JSON.stringify(text)} is no host`);
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) };
}

/** A whole number among the settings; undefined when it is left out. */
export function numberSetting({ settings }: StoreAddress, name: string): number | undefined {
  const text = settings.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StoreUrlError(`${name} in the URL of the store must be a whole number`);
}
