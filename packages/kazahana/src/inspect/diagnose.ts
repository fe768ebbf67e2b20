// What is wrong with a text that is nearly a UUID. A text that is not nearly one is none of a UUID's business.
import { validateUuid } from '../uuid/validate.js';

export interface Diagnosis {
  /** A code of `kazahana/uuid`'s validator. */
  readonly code: string;
  readonly message: string;
  /** The 0-based index of the first offending character, where there is one. */
  readonly position?: number;
}

/** The longest text that can be nearly a UUID: braces or URN, and a few characters too many. */
const LONGEST = 50;
const WRAPPING = /^(?:\{|urn:uuid:?)|\}$/gi;
/** How many characters of a text with all its hyphens in place may be wrong. */
const WRONG_CHARACTERS = 4;

/** Whether a text was meant to be a UUID: nearly as many digits, with hyphens, or nearly all of its characters right. */
function isNearlyUuid(text: string): boolean {
  if (text.length > LONGEST) return false;
  const body = text.replace(WRAPPING, '');
  const hyphens = body.split('-').length - 1;
  const wrong = body.replace(/[0-9a-f-]/gi, '').length;
  const digits = body.length - hyphens - wrong;
  if (body !== text && wrong === 0) return digits >= 28 && digits <= 36;
  if (hyphens >= 3 && hyphens <= 5) return digits >= 28 && digits + wrong <= 36 && wrong <= WRONG_CHARACTERS;
  // Without hyphens 32 digits are a hash as well as a UUID; one more or less is neither.
  return hyphens === 0 && wrong === 0 && (digits === 31 || digits === 33) && /[a-f]/i.test(body);
}

/** The first thing that is wrong with a text that is nearly a UUID; null for every other text. */
export function diagnoseUuid(text: string): Diagnosis | null {
  if (!isNearlyUuid(text)) return null;
  const [error] = validateUuid(text).errors;
  if (!error) return null;
  const { code, message, position } = error;
  return { code, message, ...(position !== undefined && { position }) };
}
