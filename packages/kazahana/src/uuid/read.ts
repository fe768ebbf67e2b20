// The fast half of reading: is this text 128 bits in a form that we accept, and which 16 bytes are they?
// It only says yes or no; `diagnose.ts` finds out why not.
//
// The forms: with hyphens or 32 bare digits; either alone, in braces, or behind `urn:uuid:`.

import { HYPHEN } from './text.js';

export const URN_PREFIX = 'urn:uuid:';

/** Where each group of four digits starts, without hyphens and with them. */
const BARE = [0, 4, 8, 12, 16, 20, 24, 28];
const HYPHENATED = [0, 4, 9, 14, 19, 24, 28, 32];

/** The value of each ASCII character as a hexadecimal digit, -1 for those that are none. */
const DIGIT = Int8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return value >= 0 ? value : -1;
});

export function isHexDigit(code: number): boolean {
  return (DIGIT[code] ?? -1) >= 0;
}

/** The 16 bits of four digits; negative when one of them is none. */
export function readFour(input: string, at: number): number {
  const a = input.charCodeAt(at);
  const b = input.charCodeAt(at + 1);
  const c = input.charCodeAt(at + 2);
  const d = input.charCodeAt(at + 3);
  if ((a | b | c | d) > 127) return -1;
  return (
    ((DIGIT[a] as number) << 12) |
    ((DIGIT[b] as number) << 8) |
    ((DIGIT[c] as number) << 4) |
    (DIGIT[d] as number)
  );
}

/** Where `readUuid` leaves what it read; to be used before the next read. */
export const readBytes = new Uint8Array(16);
const view = new DataView(readBytes.buffer);

/** Reads any 128 bits in any accepted form into `readBytes`, which hold nothing of use when it returns false. */
export function readUuid(input: unknown): input is string {
  if (typeof input !== 'string') return false;
  let start = 0;
  let { length } = input;
  if (input[0] === '{' && input[length - 1] === '}') {
    start = 1;
    length -= 2;
  } else if (length > 36 && input.slice(0, URN_PREFIX.length).toLowerCase() === URN_PREFIX) {
    start = URN_PREFIX.length;
    length -= start;
  }
  if (length !== 32 && length !== 36) return false;
  const isBare = length === 32;
  const places = isBare ? BARE : HYPHENATED;
  for (let group = 0; group < 8; group++) {
    const at = start + (places[group] as number);
    const value = readFour(input, at);
    // The third to the sixth group of four stand behind a hyphen.
    const isBehindHyphen = !isBare && group > 1 && group < 6;
    if (value < 0 || (isBehindHyphen && input.charCodeAt(at - 1) !== HYPHEN)) return false;
    view.setUint16(2 * group, value);
  }
  return true;
}
