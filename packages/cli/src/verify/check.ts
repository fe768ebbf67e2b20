// The first look at every line: what is no ID, what is out of order, made by fallback or of the future; and the key of
// each, for finding repeated ones.
import { utcText } from '../time-text.js';
import { type Findings, textOf } from './findings.js';
import { type IdTimes, v7TimeOf } from './id-times.js';
import { withKey } from './key.js';
import type { OnLine } from './lines.js';
import { readId, type Words } from './read-id.js';
import type { RepeatedKeys } from './repeated-keys.js';

/** In a burst, generators of v7 run ahead of the clock; ours by no more. */
const V7_LEAD_MS = 1000;

export interface CheckOptions {
  readonly times: IdTimes;
  readonly isOrdered: boolean;
  readonly now: () => number;
}

/** A function that looks at one line after another. */
export function lineChecker(findings: Findings, keys: RepeatedKeys, options: CheckOptions): OnLine {
  const { times, isOrdered } = options;
  let now = options.now();
  /** Whether a time has not come yet. The stream may be as young as its IDs, so the clock is read again. */
  const isFuture = (unixMs: number) => {
    if (unixMs > now) now = options.now();
    return unixMs > now;
  };
  const addKey = (high: number, low: number) => keys.add(high, low);
  let words: Words = new Uint32Array(4);
  let last: Words = new Uint32Array(4);
  let lastBits = 0;
  return (bytes, start, end) => {
    findings.lines++;
    if (start === end) return;
    const note = (text: string) => findings.note(findings.lines, text);
    const bits = readId(bytes, start, end, words);
    if (bits === 0) {
      findings.invalid++;
      note(`not an ID: ${textOf(bytes, start, end)}`);
      return;
    }
    findings.ids++;
    withKey(words, bits, addKey);
    if (isOrdered && bits === lastBits && isBelow(words, last, bits)) {
      findings.orderBreaks++;
      note(`${textOf(bytes, start, end)} is below the one before it`);
    }
    if (bits === 64 && times.isFallback(words)) findings.fallback++;
    const unixMs = bits === 64 ? times.unixMsOf(words) : v7TimeOf(words);
    if (unixMs !== undefined && isFuture(bits === 64 ? unixMs : unixMs - V7_LEAD_MS)) {
      findings.future++;
      note(`${textOf(bytes, start, end)} is of the future: ${utcText(unixMs)}`);
    }
    const spare = last;
    last = words;
    words = spare;
    lastBits = bits;
  };
}

function isBelow(words: Words, last: Words, bits: 64 | 128): boolean {
  for (let i = 0; i < bits / 32; i++) {
    const word = words[i] ?? 0;
    const before = last[i] ?? 0;
    if (word !== before) return word < before;
  }
  return false;
}
