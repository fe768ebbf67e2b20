// The slow half of reading: says what is wrong with text that `readUuid` refused, and points at it.
// Each kind of fault is named once, at its first offending character, in the order of the input.
import { show } from '../errors.js';
import { isHexDigit, URN_PREFIX } from './read.js';
import { type ValidationError, ValidationErrorCode } from './types.js';

/** Longer than any UUID with its wrapping: what lies beyond is too much in any case, and is not read. */
const WINDOW = 64;
const DIGITS = 32;
const HYPHEN_PLACES = [8, 13, 18, 23];

/** Notes a fault, unless one of its kind was found before. */
type Note = (code: ValidationErrorCode, position: number, message: string) => void;

/** Notes what is wrong with braces or URN prefix; returns from where to where the UUID itself should stand. */
function unwrap(text: string, note: Note): [start: number, end: number] {
  const fault = (position: number, rule = 'braces must enclose a UUID') =>
    note(ValidationErrorCode.INVALID_FORMAT, position, rule);
  const end = text.length;
  const close = text.indexOf('}');
  if (text[0] === '{') {
    if (close < 0) fault(end);
    else if (close + 1 < end) fault(close + 1);
    return [1, close < 0 ? end : close];
  }
  const prefix = text.slice(0, URN_PREFIX.length).toLowerCase();
  if (prefix.startsWith('urn')) {
    const wrong = [...URN_PREFIX].findIndex((character, i) => prefix[i] !== character);
    if (wrong < 0) return [URN_PREFIX.length, end];
    fault(wrong, `a URN must start with ${URN_PREFIX}`);
    return [0, 0];
  }
  if (close < 0 || close + 1 < end) return [0, end];
  fault(close);
  return [0, close];
}

/** Notes what is wrong with the digits and hyphens from `start` to `end`. */
function checkBody(text: string, start: number, end: number, note: Note): void {
  const hasHyphens = text.slice(start, end).includes('-');
  let digits = 0;
  for (let at = start; at < end; at++) {
    const isHyphen = text[at] === '-';
    const isDigit = isHexDigit(text.charCodeAt(at));
    const isHyphenPlace = hasHyphens && HYPHEN_PLACES.includes(at - start);
    const found = () => `found ${show(text[at])} at index ${at}`;
    if (isHyphen !== isHyphenPlace) {
      const rule = 'hyphens stand after 8, 12, 16 and 20 digits';
      note(ValidationErrorCode.INVALID_HYPHEN_POSITION, at, `${rule}, ${found()}`);
    }
    // What stands in a hyphen's place and is no digit is a wrong separator, and no fault of the digits.
    if (isHyphen || (isHyphenPlace && !isDigit)) continue;
    if (!isDigit) note(ValidationErrorCode.INVALID_HEX, at, `no hexadecimal digit, ${found()}`);
    if (digits++ === DIGITS) note(ValidationErrorCode.INVALID_LENGTH, at, 'a UUID has 32 digits, found more');
  }
  if (digits < DIGITS) note(ValidationErrorCode.INVALID_LENGTH, end, `a UUID has 32 digits, found ${digits}`);
}

/** Why this input is no UUID text: never empty when `readUuid` refused it, in the order of position. */
export function diagnose(input: unknown): ValidationError[] {
  if (typeof input !== 'string') {
    return [{ code: ValidationErrorCode.INVALID_FORMAT, message: `a UUID is a string, got ${show(input)}` }];
  }
  const faults: (ValidationError & { position: number })[] = [];
  const note: Note = (code, position, message) => {
    if (!faults.some((fault) => fault.code === code)) faults.push({ code, message, position });
  };
  const text = input.slice(0, WINDOW);
  const [start, end] = unwrap(text, note);
  if (start < end || !faults[0]) checkBody(text, start, end, note);
  return faults.sort((a, b) => a.position - b.position);
}
