// The address of what the page shows, in the fragment, which browsers do not send to servers. The routes, their sections
// and what a link to each may carry are stated here, once. Secrets and tokens are in none of these lists, so no link has one.

/** What a link to each part of the page may carry. A part is a route, or a section of one. */
const PARTS = {
  id: ['as', 'kind'],
  'many/generate': ['kind', 'count'],
  'many/log': [],
  'many/history': [],
  '64-bit/layout': ['epoch', 'reserve', 'ts', 'machine', 'seq'],
  '64-bit/external': ['id', 'algorithm'],
  '64-bit/estelle': ['id'],
  pool: ['whois'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Part = keyof typeof PARTS;
export const ROUTES = ['id', 'many', '64-bit', 'pool'] as const;
export type Route = (typeof ROUTES)[number];

/** The sections of a route; the first is where its link leads. */
export const SECTIONS = {
  id: ['id'],
  many: ['many/generate', 'many/log', 'many/history'],
  '64-bit': ['64-bit/layout', '64-bit/external', '64-bit/estelle'],
  pool: ['pool'],
} as const satisfies Readonly<Record<Route, readonly Part[]>>;

/** Links of earlier versions, which had everything on one page. */
const FORMER: Readonly<Record<string, Part>> = {
  generate: 'many/generate',
  inspect: 'id',
  bits: 'id',
  batch: 'many/log',
  public: '64-bit/external',
  hierarchy: '64-bit/estelle',
  layout: '64-bit/layout',
  history: 'many/history',
};

export interface Address {
  readonly part: Part;
  /** What is read, in the part `id`; empty: a fresh ID. */
  readonly subject: string;
  readonly values: Readonly<Record<string, string>>;
}

const LONGEST_VALUE = 2000;

export const HOME: Address = { part: 'id', subject: '', values: {} };
export const routeOf = (part: Part): Route => ROUTES.find((route) => part.split('/')[0] === route) ?? 'id';
const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);
const isRoute = (name: string): name is Route => (ROUTES as readonly string[]).includes(name);

/** The fragment of a link, `#` included. */
export function writeAddress({ part, subject, values }: Address): string {
  const query = new URLSearchParams();
  for (const name of PARTS[part]) {
    const value = values[name];
    if (value !== undefined && value !== '') query.set(name, value);
  }
  const path = part === 'id' ? (subject === '' ? '' : `id/${encoded(subject)}`) : part;
  return query.size === 0 ? `#/${path}` : `#/${path}?${query}`;
}

/** Halves of surrogate pairs have no place in an address. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a fragment leads to; home for anything that we did not write. */
export function readAddress(fragment: string): Address {
  const [, path = '', query = ''] = /^#?\/?([^?]*)(?:\?(.*))?$/s.exec(fragment) ?? [];
  const given = new URLSearchParams(query);
  const isSubject = path.startsWith('id/');
  const former = fragment.startsWith('#/') ? undefined : FORMER[path];
  const named = isSubject ? 'id' : isRoute(path) ? SECTIONS[path][0] : path;
  // One ID of a kind is the home route's; the former link said so by its count.
  const wanted =
    former === 'many/generate' && Number(given.get('count') ?? 1) <= 1 ? 'id' : (former ?? named);
  if (!isPart(wanted)) return HOME;
  const values: Record<string, string> = {};
  for (const name of PARTS[wanted]) {
    const value = given.get(name);
    if (value !== null && value.length <= LONGEST_VALUE) values[name] = value;
  }
  const text = isSubject ? decoded(path.slice('id/'.length)) : (former === 'id' && given.get('id')) || '';
  return { part: wanted, subject: text.slice(0, LONGEST_VALUE), values };
}
