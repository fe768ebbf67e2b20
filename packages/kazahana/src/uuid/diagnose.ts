// The slow half of reading: says what is wrong with text that `readUuid` refused, and points at it.
// Each kind of fault is named once, at its first offending character, in the order of the input.
import { show } from '../errors.js';
import { isHexDigit, URN_PREFIX } from './read.js';
import { type ValidationError, ValidationErrorCode } from './types.js';

/** Longer than any UUID with its wrapping; what lies beyond cannot change the verdict, so it is not read. */
const WINDOW = 64;
const DIGITS = 32;
const HYPHEN_PLACES = [8, 13, 18, 23];

/** The part of the input that should be the UUID itself, and what is wrong with its wrapping. */
interface Unwrapped {
  readonly start: number;
  readonly end: number;
  readonly fault?: ValidationError;
}

function formatFault(message: string, position: number): ValidationError {
  return { code: ValidationErrorCode.INVALID_FORMAT, message, position };
}

function unwrapBraces(text: string, length: number): Unwrapped {
  const close = text.indexOf('}');
  if (close === -1) {
    return { start: 1, end: text.length, fault: formatFault(`the opening brace is never closed`, length) };
  }
  if (close === length - 1) return { start: 1, end: close };
  return { start: 1, end: close, fault: formatFault(`nothing may follow the closing brace`, close + 1) };
}

function unwrap(text: string, length: number): Unwrapped {
  if (text.startsWith('{')) return unwrapBraces(text, length);
  const prefix = text.slice(0, URN_PREFIX.length).toLowerCase();
  if (prefix === URN_PREFIX) return { start: URN_PREFIX.length, end: text.length };
  if (prefix.startsWith('urn')) {
    const wrong = [...URN_PREFIX].findIndex((character, i) => prefix[i] !== character);
    return {
      start: text.length,
      end: text.length,
      fault: formatFault(`a URN must start with ${URN_PREFIX}`, wrong),
    };
  }
  if (text.endsWith('}') && text.length === length) {
    return {
      start: 0,
      end: length - 1,
      fault: formatFault('the closing brace was never opened', length - 1),
    };
  }
  return { start: 0, end: text.length };
}

/** Faults of the digits and hyphens from `start` to `end`; `isCut` when the input went on after the window. */
function bodyFaults(text: string, start: number, end: number, isCut: boolean): ValidationError[] {
  const hasHyphens = text.slice(start, end).includes('-');
  let hex: ValidationError | undefined;
  let hyphen: ValidationError | undefined;
  let length: ValidationError | undefined;
  let digits = 0;
  for (let position = start; position < end; position++) {
    const isHyphen = text[position] === '-';
    const isDigit = isHexDigit(text.charCodeAt(position));
    const found = show(text[position]);
    const isHyphenPlace = hasHyphens && HYPHEN_PLACES.includes(position - start);
    if (isHyphen !== isHyphenPlace) {
      hyphen ??= {
        code: ValidationErrorCode.INVALID_HYPHEN_POSITION,
        message: isHyphen
          ? `no hyphen may stand at index ${position}; they belong after 8, 12, 16 and 20 digits`
          : `a hyphen belongs at index ${position}, found ${found}`,
        position,
      };
    }
    // What stands in a hyphen's place and is no digit is a wrong separator, and no fault of the digits.
    if (isHyphen || (isHyphenPlace && !isDigit)) continue;
    if (!isDigit) {
      hex ??= {
        code: ValidationErrorCode.INVALID_HEX,
        message: `${found} at index ${position} is not a hexadecimal digit`,
        position,
      };
    }
    if (digits++ === DIGITS) {
      length = {
        code: ValidationErrorCode.INVALID_LENGTH,
        message: `a UUID has 32 digits; the one at index ${position} is too many`,
        position,
      };
    }
  }
  if (digits < DIGITS && !isCut) {
    length = {
      code: ValidationErrorCode.INVALID_LENGTH,
      message: `a UUID has 32 digits; there ${digits === 1 ? 'is' : 'are'} only ${digits}`,
      position: end,
    };
  }
  return [hex, hyphen, length].filter((fault) => fault !== undefined);
}

/** Why this input is no UUID text: never empty when `readUuid` refused it, in the order of position. */
export function diagnose(input: unknown): ValidationError[] {
  if (typeof input !== 'string') {
    return [{ code: ValidationErrorCode.INVALID_FORMAT, message: `a UUID is a string, got ${show(input)}` }];
  }
  const text = input.slice(0, WINDOW);
  const { start, end, fault } = unwrap(text, input.length);
  const isCut = end === WINDOW && input.length > WINDOW;
  const faults = start < end || fault === undefined ? bodyFaults(text, start, end, isCut) : [];
  if (fault) faults.push(fault);
  return faults.sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
}
