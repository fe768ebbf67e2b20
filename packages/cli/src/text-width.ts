// Text in the columns of a terminal: wide characters take two, and nothing that a stranger wrote may steer it.
import stringWidth from 'string-width';

/** Controls, lone surrogates, and what turns the direction of writing. */
const STEERING = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The text as it can be shown. */
export const visible = (text: string) => text.replaceAll(STEERING, '\ufffd');

/** Most text is this, and its width needs no table. */
const PLAIN = /^[ -~]*$/;

export const widthOf = (text: string) => (PLAIN.test(text) ? text.length : stringWidth(text));

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** No wider than so; what is left out is marked. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let shown = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(shown + segment) > columns - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}

/** Lines of whole words that are no wider than so, where the words allow it. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** What stands before the place that matters, when not all of it can be shown. */
const BEFORE = 20;

export interface Pointed {
  readonly text: string;
  /** The columns before the caret; undefined where there is nothing to point at. */
  readonly caret: number | undefined;
}

/** A text around a place in it (an index as in JavaScript), and where a caret under it belongs. */
export function pointAt(text: string, position: number | undefined, columns: number): Pointed {
  const whole = visible(text);
  const place = position ?? 0;
  const isFar = widthOf(visible(text.slice(0, place))) >= columns - 2;
  const from = isFar ? place - BEFORE : 0;
  const before = (isFar ? '…' : '') + visible(text.slice(from, place));
  const shown = isFar ? before + visible(text.slice(place)) : whole;
  return {
    text: truncate(shown, columns),
    caret: position === undefined ? undefined : widthOf(before),
  };
}
