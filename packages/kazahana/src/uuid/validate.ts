// Validation: a fast yes or no, then, only for what is wrong, a diagnosis that points at the character.
import { diagnose } from './diagnose.js';
import { placeOfDigit, readBytes, readUuid } from './read.js';
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

const isKnownVersion = (digit: number) => digit > 0 && digit < 9;

/**
 * Whether the input is a valid UUID, in any form that `validateUuid` accepts.
 *
 * ```ts
 * isUuid('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'); // → true
 * ```
 */
export function isUuid(input: unknown): input is string {
  return readUuid(input) && variantOf(variantDigit()) === 'RFC4122' && isKnownVersion(versionDigit());
}

const isEvery = (input: unknown, byte: number) =>
  readUuid(input) && readBytes.every((value) => value === byte);

/** Whether the input is the Nil UUID, all bits clear, in any accepted form. */
export function isNilUuid(input: unknown): boolean {
  return isEvery(input, 0x00);
}

/** Whether the input is the Max UUID, all bits set, in any accepted form. */
export function isMaxUuid(input: unknown): boolean {
  return isEvery(input, 0xff);
}

/** The index in the input of the n-th digit of well-formed text. */
function positionOfDigit(input: string, n: number): number {
  const isBare = !input.includes('-');
  const start = input[0] === '{' ? 1 : input.length - (isBare ? 32 : 36);
  return start + (isBare ? n : placeOfDigit(n));
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
  let version: UuidVersion | null = null;
  let variant: ValidationResult['variant'] = null;
  let errors: ValidationError[] = [];
  if (readUuid(input)) {
    const digit = versionDigit();
    if (isKnownVersion(digit)) version = `v${digit}` as UuidVersion;
    variant = variantOf(variantDigit());
    const add = (code: ValidationErrorCode, n: number, message: string) => {
      const special = isNilUuid(input) ? 'Nil' : isMaxUuid(input) && 'Max';
      const position = positionOfDigit(input, n);
      errors.push({ code, message: special ? `${message}; this is the ${special} UUID` : message, position });
    };
    if (version === null)
      add(ValidationErrorCode.INVALID_VERSION, 12, `the version must be 1 to 8, got ${digit}`);
    if (variant !== 'RFC4122') {
      add(
        ValidationErrorCode.INVALID_VARIANT,
        16,
        `the variant must be RFC4122 (8, 9, a or b), got ${variant}`,
      );
    }
  } else {
    errors = diagnose(input);
  }
  const isValid = errors.length === 0;
  return {
    isValid,
    version,
    variant,
    normalized: isValid ? textOf(readBytes) : null,
    errors,
    isSupported: isValid && (SUPPORTED_UUID_VERSIONS as readonly unknown[]).includes(version),
  };
}
