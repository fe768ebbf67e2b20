// People paste an ID with what stood around it: quotes, commas, a cast, a call, JSON, an address. One layer after another
// is taken off until something recognises the rest. Every layer is noted.
import { addressCandidates } from './address.js';
import { findIds } from './find.js';
import { type Message, message } from './messages.js';
import type { FormatName } from './registry.js';
import type { Certainty } from './types.js';

/** No ID is longer: 64 bytes in hexadecimal, and some room. */
export const MAX_ID_LENGTH = 200;
/** An ID in a text that is longer is one of many: that is a log, not an ID. */
const MAX_TEXT_LENGTH = 4096;
const MAX_LAYERS = 12;
const MAX_CANDIDATES = 50;
/** A shorter value among others is a count or a word. */
const MIN_CANDIDATE_LENGTH = 8;

export interface Layer {
  readonly text: string;
  readonly note: Message;
  /** The format that an address names. */
  readonly hint?: FormatName;
}

interface Judged {
  readonly certainty: Certainty;
}

export interface TakenOff<Reading> {
  readonly subject: string;
  readonly takenOff: readonly Message[];
  readonly readings: readonly Reading[];
  readonly hint: FormatName | undefined;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const QUOTES = ['\\"', "\\'", '"', "'", '`', '“', '”', '‘', '’', '«', '»'];
const CALL = /^(?:new\s+)?([A-Za-z_][\w.$]*!?)\s*\(([\s\S]*)\)$/;
const TYPED_LITERAL = /^([A-Za-z]\w*)\s*(["'][^"']+["'])$/;
const CAST_TYPE = /^\s*([a-z_][\w ]*)(?:\[\])?$/i;
const CAST_CALL = /^cast\s*\(([\s\S]+)\s+as\s+([\w ]+)\)$/i;
const NAMED = /^(?!urn:)["']?([A-Za-z_$][\w$.-]{0,63})["']?\s*(?:=>|:=|[:=])\s*(\S[\s\S]*)$/;
const PAIR = /["']?([A-Za-z_$][\w$.-]{0,63})["']?\s*[:=]\s*["']?([^"',;{}[\]\s]{1,200})/g;

type Peel = (text: string) => Layer | undefined;

/** Quotes at both ends. */
const peelQuotes: Peel = (text) => {
  const before = QUOTES.find((quote) => text.startsWith(quote));
  const after = QUOTES.find((quote) => text.endsWith(quote));
  if (!before || !after || text.length < before.length + after.length) return undefined;
  return { text: text.slice(before.length, -after.length), note: message('took-quotes') };
};

/** A quote that was copied without its partner. */
const peelStrayQuote: Peel = (text) => {
  const before = QUOTES.find((quote) => text.startsWith(quote)) ?? '';
  const after = QUOTES.find((quote) => text.endsWith(quote)) ?? '';
  const rest = text.slice(before.length, text.length - after.length);
  return rest === text ? undefined : { text: rest, note: message('took-quotes') };
};

const peelPunctuation: Peel = (text) => {
  const rest = text.replace(/^(?:[-*•]\s+|[,;@#!&]+)|[,;.!?]+$|(?<!:):$/g, '');
  return rest === text ? undefined : { text: rest, note: message('took-punctuation') };
};

/** Brackets around it, and one that was copied without its partner. */
const peelBrackets: Peel = (text) => {
  const [first = '', last = ''] = [text[0], text.at(-1)];
  const opens = Object.hasOwn(CLOSING, first);
  const closes = Object.values(CLOSING).includes(last);
  if (!opens && !closes) return undefined;
  // `{"id": …}` is JSON, and f(…) is a call: neither is an ID in brackets.
  if (/[:=,(]/.test(text.slice(1, -1))) return undefined;
  return { text: text.slice(opens ? 1 : 0, closes ? -1 : undefined), note: message('took-brackets') };
};

const peelCast: Peel = (text) => {
  const at = text.lastIndexOf('::');
  const [, inner, type] = CAST_CALL.exec(text) ?? [
    text,
    text.slice(0, Math.max(at, 0)),
    CAST_TYPE.exec(text.slice(at + 2))?.[1],
  ];
  return inner && type ? { text: inner, note: message('took-cast', { name: type.trim() }) } : undefined;
};

const peelCall: Peel = (text) => {
  const [, name, inner] = CALL.exec(text) ?? TYPED_LITERAL.exec(text) ?? [];
  if (!name || !inner) return undefined;
  // BinData(4, "…"), UUID_TO_BIN('…', 1): the ID is what stands in quotes.
  const quoted = /["']([^"']+)["']/.exec(inner)?.[1];
  return { text: quoted ?? inner, note: message('took-call', { name }) };
};

/** 123n of JavaScript, 123L of Java. */
const peelSuffix: Peel = (text) => {
  const [, digits, suffix] = /^([0-9]+)(n|u?l+)$/i.exec(text) ?? [];
  return digits && suffix ? { text: digits, note: message('took-suffix', { name: suffix }) } : undefined;
};

const peelName: Peel = (text) => {
  const [, name, rest] = NAMED.exec(text) ?? [];
  return name && rest && !/^(?:\/\/|=)/.test(rest)
    ? { text: rest, note: message('took-name', { name }) }
    : undefined;
};

/** In the order of trying; what the earlier ones leave, the later ones see. */
const PEELS: readonly Peel[] = [
  peelQuotes,
  peelCast,
  peelCall,
  peelSuffix,
  peelBrackets,
  peelPunctuation,
  peelName,
  peelStrayQuote,
];

/** The values of JSON, of an object literal or of a query, each with its name; the names that speak of IDs first. */
function pairCandidates(text: string): Layer[] {
  const isId = (name: string) => /(?:^|[_$.-]|[a-z](?=I))(?:id|oid|uuid|guid)$/i.test(name);
  const pairs = [...text.matchAll(PAIR)]
    .slice(0, MAX_CANDIDATES)
    .map(([, name = '', value = '']) => ({ name, value }));
  return pairs
    .toSorted((a, b) => Number(isId(b.name)) - Number(isId(a.name)))
    .map(({ name, value }) => ({ text: value, note: message('took-json', { name }) }));
}

/** One ID in a sentence or a line of a log. */
function wordCandidates(text: string): Layer[] {
  const found: string[] = [];
  for (const { text: id } of findIds(text)) {
    if (found.push(id) > 1) return [];
  }
  return found.map((id) => ({ text: id, note: message('took-words') }));
}

/** The candidate that is read with the most certainty, the first of several; what is unlikely is no reason to cut a text up. */
function bestOf<Reading extends Judged>(
  candidates: readonly Layer[],
  read: (text: string) => readonly Reading[],
): { layer: Layer; readings: readonly Reading[] } | undefined {
  const readable = candidates.flatMap((layer) => {
    if (layer.text.length < MIN_CANDIDATE_LENGTH) return [];
    const readings = read(layer.text);
    const certainty = layer.hint ? 'likely' : readings[0]?.certainty;
    return readings.length > 0 && certainty !== 'unlikely' ? [{ layer, readings, certainty }] : [];
  });
  return readable.find(({ certainty }) => certainty === 'likely') ?? readable[0];
}

const toResult = <Reading>(
  { layer, readings }: { layer: Layer; readings: readonly Reading[] },
  before: readonly Message[],
): TakenOff<Reading> => ({
  subject: layer.text,
  takenOff: [...before, layer.note],
  readings,
  hint: layer.hint,
});

export function takeOff<Reading extends Judged>(
  given: string,
  read: (text: string) => readonly Reading[],
): TakenOff<Reading> {
  if (given.length > MAX_TEXT_LENGTH) return { subject: given, takenOff: [], readings: [], hint: undefined };
  const takenOff: Message[] = [];
  let text = given.trim();
  for (let layers = 0; layers < MAX_LAYERS; layers++) {
    const readings = read(text);
    if (readings.length > 0) return { subject: text, takenOff, readings, hint: undefined };
    const peeled = PEELS.reduce<Layer | undefined>((layer, peel) => layer ?? peel(text), undefined);
    // A layer that is all there is around an ID says more than a search through the text.
    const isBare = peeled !== undefined && read(peeled.text.trim()).length > 0;
    const found = bestOf([...addressCandidates(text), ...(isBare ? [] : pairCandidates(text))], read);
    if (found && (found.layer.hint || !isBare)) return toResult(found, takenOff);
    if (!peeled) break;
    text = peeled.text.trim();
    takenOff.push(peeled.note);
  }
  const found = bestOf(wordCandidates(given), read);
  return found ? toResult(found, []) : { subject: text, takenOff, readings: [], hint: undefined };
}
