// The fast half of reading: is this text 128 bits in a form that we accept, and which 16 bytes are they?
// It only says yes or no; `diagnose.ts` finds out why not.
//
// The forms: with hyphens or 32 bare digits; either alone, in braces, or behind `urn:uuid:`.

const HYPHEN = 45;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
export const URN_PREFIX = 'urn:uuid:';

/** Where the n-th digit stands in hyphenated text: after 8 digits, there is a hyphen before every 4, up to 20. */
export function placeOfDigit(n: number): number {
  return n + Math.min(4, Math.max(0, (n >> 2) - 1));
}

/** Where the digits of each byte start, without hyphens and with them. */
const BARE = new Uint8Array(16).map((_, byte) => 2 * byte);
const HYPHENATED = BARE.map(placeOfDigit);

/** The value of each ASCII character as a hexadecimal digit, -1 for those that are none. */
const DIGIT = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  DIGIT[digit.charCodeAt(0)] = DIGIT[digit.toUpperCase().charCodeAt(0)] = value;
}

export function isHexDigit(code: number): boolean {
  return (DIGIT[code] ?? -1) >= 0;
}

/** Reads the digits from `start` into `target`; false, with `target` half written, when one is none. */
function readDigits(input: string, start: number, places: Uint8Array, target: Uint8Array): boolean {
  let seen = 0;
  let faults = 0;
  for (let byte = 0; byte < 16; byte++) {
    const at = start + (places[byte] as number);
    const high = input.charCodeAt(at);
    const low = input.charCodeAt(at + 1);
    // The mask keeps the look-up inside the table; `seen` remembers what it would have hidden.
    seen |= high | low;
    const value = ((DIGIT[high & 127] as number) << 4) | (DIGIT[low & 127] as number);
    faults |= value;
    target[byte] = value;
  }
  return faults >= 0 && seen < 128;
}

function readHyphenated(input: string, start: number, target: Uint8Array): boolean {
  return (
    input.charCodeAt(start + 8) === HYPHEN &&
    input.charCodeAt(start + 13) === HYPHEN &&
    input.charCodeAt(start + 18) === HYPHEN &&
    input.charCodeAt(start + 23) === HYPHEN &&
    readDigits(input, start, HYPHENATED, target)
  );
}

/** Reads any 128 bits in any accepted form. When it returns false, `target` holds nothing of use. */
export function readUuid(input: string, target: Uint8Array): boolean {
  let start = 0;
  let { length } = input;
  if (input.charCodeAt(0) === OPENING_BRACE && input.charCodeAt(length - 1) === CLOSING_BRACE) {
    start = 1;
    length -= 2;
  } else if (length > 36 && input.slice(0, URN_PREFIX.length).toLowerCase() === URN_PREFIX) {
    start = URN_PREFIX.length;
    length -= start;
  }
  return length === 36
    ? readHyphenated(input, start, target)
    : length === 32 && readDigits(input, start, BARE, target);
}
