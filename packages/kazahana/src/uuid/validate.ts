// Validation: a fast yes or no, then, only for what is wrong, a diagnosis that points at the character.
import { diagnose } from './diagnose.js';
import { UuidFormatError } from './errors.js';
import { readBytes, readHyphenated, readUuid } from './read.js';
import { textOf } from './text.js';
import {
  SUPPORTED_UUID_VERSIONS,
  type UuidVersion,
  type ValidationError,
  ValidationErrorCode,
  type ValidationResult,
} from './types.js';

const versionDigit = () => (readBytes[6] as number) >>> 4;
const variantDigit = () => (readBytes[8] as number) >>> 4;

/** The families of variant, by the bits that their digit begins with: 0xxx, 10xx, 110x, 111x. */
const variantOf = (digit: number) =>
  digit < 0b1000 ? 'NCS' : digit < 0b1100 ? 'RFC4122' : digit < 0b1110 ? 'Microsoft' : 'Future';

/** Whether what was read has the variant and a version of RFC 9562. */
const isRfc = () => variantDigit() >> 2 === 0b10 && Boolean(VERSIONS[versionDigit()]);

const areAll = (byte: number) => readBytes.every((value) => value === byte);

/** The same, or Nil, or Max. */
export const isRfcOrSpecial = () => isRfc() || areAll(0) || areAll(0xff);

/** The name of each version, by its digit. */
const VERSIONS: readonly (UuidVersion | null)[] = [null, 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8'];

/**
 * Whether the input is a valid UUID, in any form that `validateUuid` accepts.
 *
 * ```ts
 * isUuid('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'); // → true
 * ```
 */
export function isUuid(input: unknown): input is string {
  return readUuid(input) && isRfc();
}

/** All bits clear (RFC 9562, section 5.9). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
/** All bits set (RFC 9562, section 5.10). */
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Whether the input is the Nil UUID, all bits clear, in any accepted form. */
export function isNilUuid(input: unknown): boolean {
  return readUuid(input) && areAll(0);
}

/** Whether the input is the Max UUID, all bits set, in any accepted form. */
export function isMaxUuid(input: unknown): boolean {
  return readUuid(input) && areAll(0xff);
}

/**
 * Whether the input is a UUID as RFC 9562 writes it: 36 characters with hyphens, in any case, Nil and Max
 * included. This is what `validate` of the package `uuid` says.
 *
 * ```ts
 * isCanonicalUuid('{01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa}'); // → false
 * ```
 */
export function isCanonicalUuid(input: unknown): input is string {
  return typeof input === 'string' && input.length === 36 && readHyphenated(input, 0) && isRfcOrSpecial();
}

/**
 * The version of a UUID in any accepted form: 1 to 8, 0 for Nil and 15 for Max. Throws `UuidFormatError` for
 * everything else.
 *
 * ```ts
 * uuidVersion('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'); // → 7
 * ```
 */
export function uuidVersion(uuid: string): number {
  if (readUuid(uuid) && isRfcOrSpecial()) return versionDigit();
  throw new UuidFormatError(uuid, validateUuid(uuid).errors);
}

/**
 * Everything that can be said about the input as a UUID. Never throws, whatever it is given, and looks at
 * no more than the first characters of a long text.
 *
 * ```ts
 * validateUuid('24688438-40e1-70d0-d97e-084cfc8992c7').errors[0]?.position; // → 19
 * ```
 */
export function validateUuid(input: unknown): ValidationResult {
  const errors: ValidationError[] = [];
  let version: UuidVersion | null = null;
  let variant: ValidationResult['variant'] = null;
  let normalized: string | null = null;
  if (readUuid(input)) {
    // Of the accepted forms, only the canonical one has 36 characters.
    const canonical = input.length === 36 ? input.toLowerCase() : textOf(readBytes);
    const note = (code: ValidationErrorCode, bareAt: number, hyphenatedAt: number, message: string) => {
      const special = areAll(0) ? 'Nil' : areAll(0xff) && 'Max';
      const position = input.search(/[\da-f]{8}/i) + (input.includes('-') ? hyphenatedAt : bareAt);
      errors.push({ code, message: special ? `${message}; this is the ${special} UUID` : message, position });
    };
    const digit = versionDigit();
    version = VERSIONS[digit] ?? null;
    variant = variantOf(variantDigit());
    if (!version)
      note(ValidationErrorCode.INVALID_VERSION, 12, 14, `the version must be 1 to 8, got ${digit}`);
    if (variant !== 'RFC4122') {
      const allowed = 'the variant must be RFC4122 (8, 9, a or b)';
      note(ValidationErrorCode.INVALID_VARIANT, 16, 19, `${allowed}, got ${variant}`);
    }
    if (!errors[0]) normalized = canonical;
  } else errors.push(...diagnose(input));
  const isValid = !errors[0];
  return {
    isValid,
    version,
    variant,
    normalized,
    errors,
    isSupported: isValid && (SUPPORTED_UUID_VERSIONS as readonly unknown[]).includes(version),
  };
}
