// Text in the columns of a terminal, where wide characters take two. What others wrote comes through `visible` first.
import stringWidth from 'string-width';
import { visible } from './visible.js';

/** Most text is this, and its width needs no table. */
const PLAIN = /^[ -~]*$/;

export const widthOf = (text: string) => (PLAIN.test(text) ? text.length : stringWidth(text));

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text;
}

/** No wider than so; what is left out is marked. Reads no more of a text than it shows. */
export function truncate(text: string, columns: number): string {
  if (text.length <= columns && PLAIN.test(text)) return text;
  let shown = '';
  let width = 0;
  // As much as fits when something has to be left out.
  let fitting = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += widthOf(segment);
    if (width > columns) return `${fitting}…`;
    shown += segment;
    if (width < columns) fitting = shown;
  }
  return text;
}

/** Lines of whole words that are no wider than so, where the words allow it. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let width = 0;
  for (const word of text.split(' ')) {
    const wordWidth = widthOf(word);
    if (lines.length > 0 && width + 1 + wordWidth <= columns) {
      lines[lines.length - 1] += ` ${word}`;
      width += 1 + wordWidth;
    } else {
      lines.push(word);
      width = wordWidth;
    }
  }
  return lines;
}

/** So much stands before the place that matters, when not all of it can be shown. */
const BEFORE = 20;
/** A character takes at most so many units of text: two for itself, and eight marks of two. */
const UNITS_PER_COLUMN = 18;

export interface Pointed {
  readonly text: string;
  /** The columns before the caret; undefined where there is nothing to point at. */
  readonly caret: number | undefined;
}

const isSecondHalf = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/** The end of a text, as it can be shown, in at most so many columns. */
function tail(text: string, columns: number): string {
  for (let from = Math.max(0, text.length - BEFORE); from < text.length; from++) {
    if (isSecondHalf(text.charCodeAt(from))) continue;
    const shown = visible(text.slice(from));
    if (widthOf(shown) <= columns) return shown;
  }
  return '';
}

/** A text of others around a place in it (an index as in JavaScript), and where a caret under it belongs. */
export function pointAt(text: string, position: number | undefined, columns: number): Pointed {
  const place = position ?? 0;
  const start = visible(text.slice(0, place));
  const isFar = widthOf(start) >= columns - 2;
  const before = isFar ? `…${tail(text.slice(0, place), columns >> 1)}` : start;
  const shown = before + visible(text.slice(place, place + UNITS_PER_COLUMN * (columns + 1)));
  return {
    text: truncate(shown, columns),
    caret: position === undefined ? undefined : widthOf(before),
  };
}
