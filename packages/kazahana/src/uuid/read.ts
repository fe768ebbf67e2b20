// The fast half of reading: is this text 128 bits in a form that we accept, and which 16 bytes are they?
// It only says yes or no; `diagnose.ts` finds out why not.
//
// The forms: with hyphens or 32 bare digits; either alone, in braces, or behind `urn:uuid:`.

import { HYPHEN } from './text.js';

export const URN_PREFIX = 'urn:uuid:';

/** Where each group of four digits starts, without hyphens and with them. */
const BARE = [0, 4, 8, 12, 16, 20, 24, 28];
const HYPHENATED = [0, 4, 9, 14, 19, 24, 28, 32];

const IS_DIGIT = 16;
/** For each character: its value and `IS_DIGIT` when it is a hexadecimal digit, else 0. */
const DIGIT = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') {
  DIGIT[digit.charCodeAt(0)] = Number.parseInt(digit, 16) | IS_DIGIT;
}

/** Where `readUuid` leaves what it read; to be used before the next read. */
export const readBytes = new Uint8Array(16);

/**
 * Reads 32 digits into `readBytes`.
 *
 * No branch depends on which digit stands where: the processor cannot predict that for a text that it has not met before, and
 * a wrong guess costs as much as four digits. A character past the table is `undefined`, which `&` takes for 0.
 */
function readDigits(text: string, start: number, groups: readonly number[]): boolean {
  for (let group = 0; group < 8; group++) {
    const at = start + (groups[group] as number);
    const a = DIGIT[text.charCodeAt(at)] as number;
    const b = DIGIT[text.charCodeAt(at + 1)] as number;
    const c = DIGIT[text.charCodeAt(at + 2)] as number;
    const d = DIGIT[text.charCodeAt(at + 3)] as number;
    if ((a & b & c & d & IS_DIGIT) === 0) return false;
    readBytes[2 * group] = (a << 4) | (b & 15);
    readBytes[2 * group + 1] = (c << 4) | (d & 15);
  }
  return true;
}

/** Reads 36 characters of canonical form, in any case, into `readBytes`, which hold nothing of use when it returns false. */
export function readHyphenated(text: string, start: number): boolean {
  return (
    readDigits(text, start, HYPHENATED) &&
    text.charCodeAt(start + 8) === HYPHEN &&
    text.charCodeAt(start + 13) === HYPHEN &&
    text.charCodeAt(start + 18) === HYPHEN &&
    text.charCodeAt(start + 23) === HYPHEN
  );
}

/** Reads any 128 bits in any accepted form into `readBytes`, which hold nothing of use when it returns false. */
export function readUuid(input: unknown): input is string {
  if (typeof input !== 'string') return false;
  let start = 0;
  let { length } = input;
  if (length !== 36) {
    if (input[0] === '{' && input[length - 1] === '}') {
      start = 1;
      length -= 2;
    } else if (input.slice(0, URN_PREFIX.length).toLowerCase() === URN_PREFIX) {
      start = URN_PREFIX.length;
      length -= start;
    }
  }
  return length === 36 ? readHyphenated(input, start) : length === 32 && readDigits(input, start, BARE);
}
