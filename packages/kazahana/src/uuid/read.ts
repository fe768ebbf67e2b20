// The fast half of reading: is this text 128 bits in a form that we accept, and which 16 bytes are they?
// It only says yes or no; `diagnose.ts` finds out why not.
//
// The forms: with hyphens or 32 bare digits; either alone, in braces, or behind `urn:uuid:`.
// Each has a length of its own, so the length says what to expect where.

const HYPHEN = 45;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
export const URN_PREFIX = 'urn:uuid:';

/** Where the digits of each byte stand, counted from the first digit. */
const HYPHENATED = new Uint8Array([0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]);
const BARE = HYPHENATED.map((_, byte) => 2 * byte);

/** The value of each ASCII character as a hexadecimal digit, -1 for those that are none. */
const DIGIT = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  DIGIT[digit.charCodeAt(0)] = DIGIT[digit.toUpperCase().charCodeAt(0)] = value;
}

export function isHexDigit(code: number): boolean {
  return (DIGIT[code] ?? -1) >= 0;
}

function isBraced(input: string): boolean {
  return input.charCodeAt(0) === OPENING_BRACE && input.charCodeAt(input.length - 1) === CLOSING_BRACE;
}

function isUrn(input: string): boolean {
  return input.slice(0, URN_PREFIX.length).toLowerCase() === URN_PREFIX;
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
  switch (input.length) {
    case 36:
      return readHyphenated(input, 0, target);
    case 32:
      return readDigits(input, 0, BARE, target);
    case 38:
      return isBraced(input) && readHyphenated(input, 1, target);
    case 34:
      return isBraced(input) && readDigits(input, 1, BARE, target);
    case 45:
      return isUrn(input) && readHyphenated(input, URN_PREFIX.length, target);
    case 41:
      return isUrn(input) && readDigits(input, URN_PREFIX.length, BARE, target);
    default:
      return false;
  }
}
