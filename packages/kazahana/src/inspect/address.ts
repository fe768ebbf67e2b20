// IDs in addresses: the path, the query and the fragment of a URL, and URNs. The address of a site names the format of its IDs,
// which its numbers alone do not tell.
import { message } from './messages.js';
import type { FormatName } from './registry.js';
import type { Layer } from './take-off.js';

interface Site {
  readonly name: string;
  readonly host: RegExp;
  /** Its first group is the ID, in what follows the host. */
  readonly id: RegExp;
  readonly format: FormatName;
}

const SITES: readonly Site[] = [
  {
    name: 'YouTube',
    host: /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be)$/i,
    id: /^\/(?:(?:embed|shorts|live|v)\/|watch\?(?:.*&)?v=)?([\w-]{11})(?![\w-])/,
    format: 'youtube-video-id',
  },
  {
    name: 'Twitter',
    host: /(?:^|\.)(?:twitter|x)\.com$/i,
    id: /\/status(?:es)?\/([0-9]+)/,
    format: 'twitter-snowflake',
  },
  {
    name: 'Discord',
    host: /(?:^|\.)discord(?:app)?\.com$/i,
    id: /^\/(?:channels|users|api)\/(?:.*\/)?([0-9]{15,20})\/?$/,
    format: 'discord-snowflake',
  },
  { name: 'TikTok', host: /(?:^|\.)tiktok\.com$/i, id: /\/(?:video|photo|v)\/([0-9]+)/, format: 'tiktok-id' },
  {
    name: 'LinkedIn',
    host: /(?:^|\.)linkedin\.com$/i,
    id: /(?:(?:activity|share|ugcPost)[:-]|\/thread\/)([0-9]{15,20})/i,
    format: 'linkedin-id',
  },
  { name: 'Bluesky', host: /^bsky\.app$/i, id: /\/post\/([2-7a-z]{13})/, format: 'bluesky-tid' },
  { name: 'Slack', host: /(?:^|\.)slack\.com$/i, id: /^\/archives\/\w+\/(p[0-9]{16})/, format: 'slack-ts' },
];
/** Mastodon has many hosts; its addresses name an account and a post. */
const MASTODON_PATH = /^\/@[\w.@-]+\/([0-9]{15,20})\/?$/;

const URL_TEXT = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:[^/?#\s@]*@)?([^/?#\s]+)([/?#]\S*)$/i;
/** Without a scheme, a host has a dot and a name of letters behind it. */
const IS_HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$/i;
const LINKEDIN_URN = /^urn:li:\w+:(\d{15,20})$/;
const AT_URI = /^at:\/\/[^/]+\/[\w.]+\/([2-7a-z]{13})$/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const noteOf = (name: string) => message('took-address', { name });
/** More than this is no address that a person copied. */
const MOST_PARTS = 50;

/** The parts of an address that can be an ID, the likeliest first: what a query names, then the end of the path. */
function partsOf(rest: string): string[] {
  const [path = '', query = ''] = rest.split(/[?#](.*)/s);
  const values = query.split(/[&#;]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  const segments = path.split('/').toReversed();
  return [...segments, ...values].map(decoded).filter((part) => part !== '');
}

/** Where an ID may stand in an address; nothing when the text is no address. */
export function addressCandidates(text: string): Layer[] {
  const [, linkedIn] = LINKEDIN_URN.exec(text) ?? [];
  if (linkedIn) return [{ text: linkedIn, note: noteOf('LinkedIn'), hint: 'linkedin-id' }];
  const [, record] = AT_URI.exec(text) ?? [];
  if (record) return [{ text: record, note: noteOf('Bluesky'), hint: 'bluesky-tid' }];
  const [, scheme, host = '', rest = ''] = URL_TEXT.exec(text) ?? [];
  if (host === '' || (scheme === undefined && !IS_HOST.test(host))) return [];
  const site = SITES.find((one) => one.host.test(host.replace(/:[0-9]+$/, '')));
  const [, named] = site?.id.exec(rest) ?? [];
  const [, toot] = MASTODON_PATH.exec(rest) ?? [];
  const note = noteOf(site?.name ?? host);
  return [
    ...(site && named ? [{ text: named, note, hint: site.format }] : []),
    ...(!site && toot ? [{ text: toot, note, hint: 'mastodon-id' as const }] : []),
    ...partsOf(rest).map((part) => ({ text: part, note })),
  ].slice(0, MOST_PARTS);
}
