// The slow half of reading: says what is wrong with text that `readUuid` refused, and points at it.
// Each kind of fault is named once, at its first offending character, in the order of the input.
import { show } from '../errors.js';
import { URN_PREFIX } from './read.js';
import { type ValidationError, ValidationErrorCode } from './types.js';

/** Longer than any UUID with its wrapping: what lies beyond is too much in any case, and is not read. */
const WINDOW = 64;
const DIGITS = 32;
const HYPHEN_PLACES = [8, 13, 18, 23];

/** Why this input is no UUID text: never empty when `readUuid` refused it, in the order of position. */
export function diagnose(input: unknown): ValidationError[] {
  const { INVALID_FORMAT, INVALID_HEX, INVALID_HYPHEN_POSITION, INVALID_LENGTH } = ValidationErrorCode;
  if (typeof input !== 'string') {
    return [{ code: INVALID_FORMAT, message: `a UUID is a string, got ${show(input)}` }];
  }
  const faults: { [code in ValidationErrorCode]?: ValidationError & { position: number } } = {};
  const note = (code: ValidationErrorCode, position: number, message: string) => {
    faults[code] ??= { code, message, position };
  };
  const text = input.slice(0, WINDOW);
  let start = 0;
  let end = text.length;

  const close = text.indexOf('}');
  const isOpen = text[0] === '{';
  const isClosed = end > 0 && close === end - 1;
  if (isOpen || isClosed) {
    if (!isOpen || !isClosed) {
      const wrong = isClosed ? close : close < 0 ? end : close + 1;
      note(INVALID_FORMAT, wrong, 'braces must enclose a UUID');
    }
    if (close >= 0) end = close;
    if (isOpen) start = 1;
  } else if (/^urn/i.test(text)) {
    const wrong = [...URN_PREFIX].findIndex((character, i) => text[i]?.toLowerCase() !== character);
    if (wrong >= 0) note(INVALID_FORMAT, wrong, `a URN must start with ${URN_PREFIX}`);
    start = wrong < 0 ? URN_PREFIX.length : end;
  }

  const hasHyphens = text.slice(start, end).includes('-');
  let digits = 0;
  for (let at = start; at < end; at++) {
    const isHyphen = text[at] === '-';
    const isDigit = /[\da-f]/i.test(text[at] as string);
    const isHyphenPlace = hasHyphens && HYPHEN_PLACES.includes(at - start);
    const found = `found ${show(text[at])} at index ${at}`;
    if (isHyphen !== isHyphenPlace) {
      note(INVALID_HYPHEN_POSITION, at, `hyphens stand after 8, 12, 16 and 20 digits, ${found}`);
    }
    // What stands in a hyphen's place and is no digit is a wrong separator, and no fault of the digits.
    if (isHyphen || (isHyphenPlace && !isDigit)) continue;
    if (!isDigit) note(INVALID_HEX, at, `no hexadecimal digit, ${found}`);
    if (digits++ === DIGITS) note(INVALID_LENGTH, at, 'a UUID has 32 digits, found more');
  }
  // Broken wrapping around nothing has been noted already.
  if (digits < DIGITS && (start < end || !faults[INVALID_FORMAT]))
    note(INVALID_LENGTH, end, `a UUID has 32 digits, found ${digits}`);
  return Object.values(faults).sort((a, b) => a.position - b.position);
}
