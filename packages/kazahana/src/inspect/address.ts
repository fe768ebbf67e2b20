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

const SITES: readonly Site[] = [];

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

/** The parts of an address that can be an ID, the likeliest first: what is asked for by name, then the end of the path. */
function partsOf(rest: string): string[] {
  const [path = '', query = ''] = rest.split(/[?#](.*)/s);
  const values = query.split(/[&#;]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  const segments = path.split('/').toReversed();
  return [...segments, ...values].map(decoded).filter((part) => part !== '');
}

/** Where an ID may stand in an address; nothing when the text is no address. */
export function addressCandidates(text: string): Layer[] {
  const [, linkedIn] = LINKEDIN_URN.exec(text) ?? [];
  if (linkedIn) return [{ text: linkedIn, note: message('took-address', { name: 'LinkedIn' }) }];
  const [, record] = AT_URI.exec(text) ?? [];
  if (record) return [{ text: record, note: message('took-address', { name: 'Bluesky' }) }];
  const [, scheme, host = '', rest = ''] = URL_TEXT.exec(text) ?? [];
  if (host === '' || (scheme === undefined && !IS_HOST.test(host))) return [];
  const site = SITES.find((one) => one.host.test(host));
  const [, named] = site?.id.exec(rest) ?? [];
  const note = message('took-address', { name: host });
  return [
    ...(site && named ? [{ text: named, note, hint: site.format }] : []),
    ...partsOf(rest).map((part) => ({ text: part, note })),
  ].slice(0, 50);
}
