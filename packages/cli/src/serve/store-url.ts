// The URL of a store, as it may be shown: with where the store is, and nothing that could be a password. What is not surely
// harmless is left out; so a password with `/`, `?`, `#`, `@` or `%` in it stays hidden, too, and so does one at a wrong place.
import { visible } from '../visible.js';

/** Settings in a query that hold no secret. */
const HARMLESS = [
  'schema',
  'prefix',
  'waitReplicas',
  'waitTimeoutMs',
  'tls',
  'ca',
  'cert',
  'key',
  'sslmode',
  'user',
];
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const PATH = /^[\w./-]*$/;
const HIDDEN = '…';
/** Stores of this machine: what follows is a file, or nothing. */
const LOCAL = /^(?:sqlite|memory):/;

export function maskStoreUrl(url: string): string {
  if (LOCAL.test(url)) return visible(url);
  const { scheme, rest } = /^(?<scheme>[a-z][a-z+]*:(?:\/\/)?)(?<rest>.*)$/s.exec(url)?.groups ?? {};
  if (scheme === undefined || rest === undefined) return HIDDEN;
  const at = rest.lastIndexOf('@');
  const [place = '', ...fragment] = rest.slice(at + 1).split('#');
  const [address = '', ...query] = place.split('?');
  const [hosts = '', ...path] = address.split('/');
  return [
    scheme,
    at === -1 ? '' : `${HIDDEN}@`,
    hosts.split(',').map(maskHost).join(','),
    ...path.map((part) => (PATH.test(part) ? `/${part}` : `/${HIDDEN}`)),
    query.length === 0 ? '' : `?${query.join('?').split('&').map(maskSetting).join('&')}`,
    fragment.length === 0 ? '' : `#${HIDDEN}`,
  ].join('');
}

const maskHost = (host: string) => (host === '' || HOST.test(host) ? host : HIDDEN);

function maskSetting(setting: string): string {
  const [name = '', value] = setting.split(/=(.*)/s, 2);
  const shownName = /^\w+$/.test(name) ? name : HIDDEN;
  if (value === undefined) return shownName;
  const isShown = HARMLESS.includes(name) && PATH.test(value);
  return `${shownName}=${isShown ? value : HIDDEN}`;
}

/** Whether a password is in the URL, as far as that can be told: a warning for users, no filter. */
export function hasPassword(url: string): boolean {
  if (LOCAL.test(url)) return false;
  return /:\/\/[^@]*:.*@/s.test(url) || /[?&][^=&]*(?:pass|secret|token)[^=&]*=/i.test(decoded(url));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
