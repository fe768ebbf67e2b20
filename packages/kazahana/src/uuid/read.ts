// The fast half of reading: is this text 128 bits in a form that we accept, and which 16 bytes are they?
// It only says yes or no; `diagnose.ts` finds out why not.
//
// The forms: with hyphens or 32 bare digits; either alone, in braces, or behind `urn:uuid:`.

import { HYPHEN } from './text.js';

/** The longest form: a URN with hyphens. */
const MAX_LENGTH = 45;
/** Where each group of four digits starts. */
const GROUPS = [0, 4, 9, 14, 19, 24, 28, 32];

const IS_DIGIT = 16;
/** For each character: its value and `IS_DIGIT` when it is a hexadecimal digit, else 0. */
const DIGIT = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') {
  DIGIT[digit.charCodeAt(0)] = Number.parseInt(digit, 16) | IS_DIGIT;
}

/** Where `readUuid` leaves what it read; to be used before the next read. */
export const readBytes = new Uint8Array(16);

/**
 * Reads the canonical form, in any case, into `readBytes`, which hold nothing of use when it returns false.
 *
 * No branch depends on which digit stands where: the processor cannot predict that for a text that it has not met before, and
 * a wrong guess costs as much as four digits. A character past the table is `undefined`, which `&` takes for 0.
 */
export function readCanonical(text: string): boolean {
  if (text.length !== 36) return false;
  for (let group = 0; group < 8; group++) {
    const at = GROUPS[group] as number;
    const a = DIGIT[text.charCodeAt(at)] as number;
    const b = DIGIT[text.charCodeAt(at + 1)] as number;
    const c = DIGIT[text.charCodeAt(at + 2)] as number;
    const d = DIGIT[text.charCodeAt(at + 3)] as number;
    if ((a & b & c & d & IS_DIGIT) === 0) return false;
    readBytes[2 * group] = (a << 4) | (b & 15);
    readBytes[2 * group + 1] = (c << 4) | (d & 15);
  }
  return (
    text.charCodeAt(8) === HYPHEN &&
    text.charCodeAt(13) === HYPHEN &&
    text.charCodeAt(18) === HYPHEN &&
    text.charCodeAt(23) === HYPHEN
  );
}

/** The text in canonical form, if it is in another one. */
function unwrapped(text: string): string {
  if (text.length > MAX_LENGTH) return '';
  const inner = text.replace(/^(?:\{(.*)\}|urn:uuid:(.*))$/i, '$1$2');
  return inner.length === 32 ? inner.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : inner;
}

/** Reads any 128 bits in any accepted form into `readBytes`, which hold nothing of use when it returns false. */
export function readUuid(input: unknown): input is string {
  return typeof input === 'string' && readCanonical(input.length === 36 ? input : unwrapped(input));
}
