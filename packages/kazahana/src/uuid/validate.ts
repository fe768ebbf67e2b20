// Validation: a fast yes or no, then, only for what is wrong, a diagnosis that points at the character.
import { diagnose } from './diagnose.js';
import { readUuid } from './read.js';
import { textOf } from './text.js';
import {
  type SupportedUuidVersion,
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

const SUPPORTED: ReadonlySet<UuidVersion | null> = new Set<SupportedUuidVersion>(['v1', 'v4', 'v7']);

/** The families of variant by the leading bits of their digit, from `0…` to `f`. */
function variantName(digit: number): NonNullable<ValidationResult['variant']> {
  if (digit < 0b1000) return 'NCS';
  if (digit < 0b1100) return 'RFC4122';
  return digit < 0b1110 ? 'Microsoft' : 'Future';
}

/** The index in the input of the n-th digit of well-formed text. */
function positionOfDigit(input: string, n: number): number {
  // Well-formed text ends with its last digit, or with a brace after it.
  const end = input.endsWith('}') ? input.length - 1 : input.length;
  const hyphensAfter = input.includes('-') ? [8, 12, 16, 20].filter((place) => place > n).length : 0;
  return end - (32 - n) - hyphensAfter;
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
  const variant = variantName(variantOf());
  if (version !== null && variant === 'RFC4122') {
    const isSupported = SUPPORTED.has(version);
    return { isValid: true, version, variant, normalized: textOf(bytes), errors: [], isSupported };
  }

  const special = isNilUuid(input)
    ? ' (this is the Nil UUID)'
    : isMaxUuid(input)
      ? ' (this is the Max UUID)'
      : '';
  const errors: ValidationError[] = [];
  if (version === null) {
    const message = `the version must be 1 to 8, got ${digit}${special}`;
    errors.push({ code: ValidationErrorCode.INVALID_VERSION, message, position: positionOfDigit(input, 12) });
  }
  if (variant !== 'RFC4122') {
    const message = `the variant must be that of RFC 4122 (digit 8, 9, a or b), got ${variant}${special}`;
    errors.push({ code: ValidationErrorCode.INVALID_VARIANT, message, position: positionOfDigit(input, 16) });
  }
  return { ...refused(errors), version, variant };
}
