// What a text is, from the recogniser: one ID with its readings, two to compare, or nothing known. Loaded after the first
// paint; the page's thread and the worker of the log both use it.
import {
  type Comparison,
  compareIds,
  describeBits,
  type Facts,
  FORMATS,
  type FormatName,
  findIds,
  type Inspection,
  inspectId,
  type Reading,
} from 'kazahana/inspect';

export { FORMATS };

export type Answer =
  /** The readings are never empty. The first is the one in view: the likeliest, or the one that the reader chose. */
  | { readonly kind: 'one'; readonly inspection: Inspection; readonly readings: readonly Reading[] }
  | { readonly kind: 'two'; readonly comparison: Comparison; readonly readings: readonly [Reading, Reading] }
  /** Nothing known, or nearly a UUID. What a reading says of such a text is unlikely. */
  | { readonly kind: 'none'; readonly inspection: Inspection };

/** No ID in a list is longer; a longer word is prose, or a token. */
const LONGEST_IN_LIST = 64;
const SHORTEST_IN_LIST = 8;

const formatNamed = (name: string | undefined): FormatName | undefined =>
  FORMATS.find((format) => format.name === name)?.name;

/** The words of a list of IDs, one a line or set off by commas; none for running text. */
function listed(text: string): readonly string[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const isList =
    words.every(({ length }) => length >= SHORTEST_IN_LIST && length <= LONGEST_IN_LIST) &&
    words.every((word) => /\d/.test(word) || /^[0-9a-z]+$/i.test(word));
  return isList ? words : [];
}

/** Every ID in a text: of a list each word, of running text what looks like an ID. */
export function* findAll(text: string): Iterable<{ readonly text: string; readonly index: number }> {
  const words = listed(text);
  if (words.length === 0) {
    yield* findIds(text);
    return;
  }
  let from = 0;
  for (const word of words) {
    const index = text.indexOf(word, from);
    yield { text: word, index };
    from = index + word.length;
  }
}

/** How many IDs a text has; counting ends at the limit. */
export function countIds(text: string, limit: number): number {
  let count = 0;
  for (const _ of findAll(text)) if (++count === limit) break;
  return count;
}

export const likeliest = (text: string, now: number): Reading | undefined =>
  inspectId(text, { now }).readings[0];

function compared(text: string, now: number): Answer | undefined {
  const [a, b, ...more] = [...findAll(text)];
  if (!a || !b || more.length > 0) return undefined;
  const comparison = compareIds(a.text, b.text, { now });
  const { readings } = comparison;
  return readings && { kind: 'two', comparison, readings };
}

/** A word of a list that is an ID for itself, with nothing around it. */
const isPlainId = (word: string, now: number): boolean =>
  /^[\w-]*\d[\w-]*$/.test(word) && (likeliest(word, now)?.certainty ?? 'unlikely') !== 'unlikely';

/** Two words that are both IDs, although the recogniser finds only one of them in running text: a UUID and a ULID. */
function isPair(text: string, now: number): boolean {
  const words = listed(text);
  return words.length === 2 && words.every((word) => isPlainId(word, now));
}

/** The chosen reading first, then the others as they come. */
function ordered(text: string, readings: readonly Reading[], as: FormatName | undefined, now: number) {
  if (as === undefined) return readings;
  const chosen = readings.find(({ format }) => format === as) ?? inspectId(text, { now, as }).readings[0];
  return chosen ? [chosen, ...readings.filter(({ format }) => format !== as)] : readings;
}

export function answerTo(text: string, as: string | undefined, now: number): Answer {
  const inspection = inspectId(text, { now });
  const chosen = formatNamed(as);
  const readings = ordered(text, inspection.readings, chosen, now);
  // A typing error in a UUID is met more often than the formats that such a text fits as well.
  const isFault = inspection.diagnosis !== null && readings[0]?.certainty === 'unlikely';
  if (isFault && chosen === undefined) return { kind: 'none', inspection };
  const isOne = readings.length > 0 && (chosen !== undefined || !isPair(text, now));
  if (isOne) return { kind: 'one', inspection, readings };
  const pair = compared(text, now);
  if (pair) return pair;
  // One ID in a sentence is what the sentence was pasted for.
  const [only, ...more] = /\s/.test(text.trim()) ? [...findAll(text)].slice(0, 2) : [];
  const within = only && more.length === 0 && only.text !== text ? inspectId(only.text, { now }) : inspection;
  return within.readings.length > 0
    ? { kind: 'one', inspection: within, readings: within.readings }
    : { kind: 'none', inspection };
}

/** What a format says of any bits; undefined when it has none. */
export const factsOf = (format: string, value: bigint, now: number): Facts | undefined => {
  const name = formatNamed(format);
  return name && describeBits(name, value, { now });
};
