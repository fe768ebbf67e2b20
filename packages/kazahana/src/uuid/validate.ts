// Validation: a fast yes or no, then, only for what is wrong, a diagnosis that points at the character.
import { diagnose } from './diagnose.js';
import { placeOfDigit, readUuid } from './read.js';
import { textOf } from './text.js';
import {
  type UuidVersion,
  type ValidationError,
  ValidationErrorCode,
  type ValidationResult,
} from './types.js';

/** Scratch space of calls that need the bytes only until they return. */
const bytes = new Uint8Array(16);

const versionOf = () => (bytes[6] as number) >>> 4;
const variantOf = () => (bytes[8] as number) >>> 4;
const isRfcVariant = () => variantOf() >>> 2 === 0b10;
const isKnownVersion = (version: number) => version >= 1 && version <= 8;

/**
 * Whether the input is a valid UUID, in any form that `validateUuid` accepts.
 *
 * ```ts
 * isUuid('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'); // → true
 * ```
 */
export function isUuid(input: unknown): input is string {
  return typeof input === 'string' && readUuid(input, bytes) && isRfcVariant() && isKnownVersion(versionOf());
}

function isEvery(input: unknown, byte: number): boolean {
  return typeof input === 'string' && readUuid(input, bytes) && bytes.every((value) => value === byte);
}

/** Whether the input is the Nil UUID, all bits clear, in any accepted form. */
export function isNilUuid(input: unknown): boolean {
  return isEvery(input, 0x00);
}

/** Whether the input is the Max UUID, all bits set, in any accepted form. */
export function isMaxUuid(input: unknown): boolean {
  return isEvery(input, 0xff);
}

/** The families of variant, by the digit that begins with their bits: 0xxx, 10xx, 110x, 111x. */
const VARIANTS = ['NCS', 'NCS', 'NCS', 'NCS', 'RFC4122', 'RFC4122', 'Microsoft', 'Future'] as const;

/** The index in the input of the n-th digit of well-formed text. */
function positionOfDigit(input: string, n: number): number {
  const isBare = !input.includes('-');
  const start = input[0] === '{' ? 1 : input.length - (isBare ? 32 : 36);
  return start + (isBare ? n : placeOfDigit(n));
}

function refused(errors: ValidationError[]): ValidationResult {
  return { isValid: false, version: null, variant: null, normalized: null, errors, isSupported: false };
}

/**
 * Everything that can be said about the input as a UUID. Never throws, whatever it is given, and looks at
 * no more than the first characters of a long text.
 *
 * ```ts
 * validateUuid('24688438-40e1-70d0-d97e-084cfc8992c7').errors[0].position; // → 19
 * ```
 */
export function validateUuid(input: string): ValidationResult {
  if (typeof input !== 'string' || !readUuid(input, bytes)) return refused(diagnose(input));

  const digit = versionOf();
  const version = isKnownVersion(digit) ? (`v${digit}` as UuidVersion) : null;
  const variant = VARIANTS[variantOf() >>> 1] ?? null;
  if (version !== null && variant === 'RFC4122') {
    const isSupported = version === 'v1' || version === 'v4' || version === 'v7';
    return { isValid: true, version, variant, normalized: textOf(bytes), errors: [], isSupported };
  }

  const special = isNilUuid(input) ? 'Nil' : isMaxUuid(input) && 'Max';
  const errors: ValidationError[] = [];
  const add = (code: ValidationErrorCode, digit: number, message: string) =>
    errors.push({
      code,
      message: special ? `${message}; this is the ${special} UUID` : message,
      position: positionOfDigit(input, digit),
    });
  if (version === null)
    add(ValidationErrorCode.INVALID_VERSION, 12, `the version must be 1 to 8, got ${digit}`);
  if (variant !== 'RFC4122') {
    add(
      ValidationErrorCode.INVALID_VARIANT,
      16,
      `the variant must be RFC4122 (8, 9, a or b), got ${variant}`,
    );
  }
  return { ...refused(errors), version, variant };
}
