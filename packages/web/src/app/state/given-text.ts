// Where a text goes that the reader gives: one or two IDs to the home route, more of them to the log of the route Many.
import { HOME } from './address.js';
import { go } from './location.js';
import { setLogText } from './log-text.js';
import { loadRecogniser } from './recogniser.js';
import { clearSubject, showGiven, showTyped } from './subject.js';

/** More than this is read in a worker, as a log. */
const LONGEST_SUBJECT = 2000;
/** One word of this length is one text, whatever it is; nothing needs to be looked for in it. */
const LONGEST_WORD = 100;

function openLog(text: string): void {
  setLogText(text);
  go({ ...HOME, part: 'many/log' });
}

export async function give(given: string): Promise<void> {
  const text = given.trim();
  if (text === '') return;
  if (text.length > LONGEST_SUBJECT) {
    openLog(given);
    return;
  }
  const isOneWord = text.length <= LONGEST_WORD && !/\s/.test(text);
  if (!isOneWord && (await loadRecogniser()).countIds(text, 3) > 2) openLog(given);
  else showGiven(text);
}

/** A text as it is being typed. */
export function type(text: string): void {
  if (text.trim() === '') clearSubject();
  else showTyped(text.slice(0, LONGEST_SUBJECT));
}
