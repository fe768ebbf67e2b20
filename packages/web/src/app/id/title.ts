// The title of the page: what is in view, for tabs and bookmarks.
import { words } from '../i18n/index.js';
import { address } from '../state/location.js';
import { spoken } from '../state/moments.js';
import { subject } from '../state/subject.js';
import { answer } from './answer-state.js';

const LONGEST = 40;

export function title(): string {
  const { part } = address();
  if (part !== 'id') return `${words().parts[part].title} · kazahana`;
  const { text, origin } = subject();
  const found = answer();
  if (origin === 'fresh' || !found) return words().pageTitle;
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  if (found.kind === 'two') return `${words().compare.title} · kazahana`;
  const reading = found.kind === 'one' ? found.readings[0] : undefined;
  if (!reading) return `${short} · kazahana`;
  const what = words().says.what[reading.certainty](reading.title);
  return `${what}${reading.time ? ` · ${spoken(reading.time, 'utc')}` : ''} · ${short}`;
}
