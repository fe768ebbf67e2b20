// The types of UUIDs, as the source document defines them.

/** The versions that can be generated and parsed. */
export const SUPPORTED_UUID_VERSIONS = ['v1', 'v4', 'v7'] as const;
export type SupportedUuidVersion = (typeof SUPPORTED_UUID_VERSIONS)[number];

/** Every version that is valid; those not supported are validated only. */
export type UuidVersion = 'v1' | 'v2' | 'v3' | 'v4' | 'v5' | 'v6' | 'v7' | 'v8';

export interface UuidOptions {
  uppercase: boolean;
  withHyphens: boolean;
  count: number;
}

export interface UuidHistoryItem {
  id: string;
  uuid: string;
  version: UuidVersion;
  /** ISO 8601, since localStorage keeps text. */
  createdAt: string;
}

export enum ValidationErrorCode {
  /** Not 32 hexadecimal digits. */
  INVALID_LENGTH = 'INVALID_LENGTH',
  /** A character that is no hexadecimal digit. */
  INVALID_HEX = 'INVALID_HEX',
  /** A version outside 1–8. */
  INVALID_VERSION = 'INVALID_VERSION',
  /** Not the variant of RFC 4122 and RFC 9562. */
  INVALID_VARIANT = 'INVALID_VARIANT',
  INVALID_HYPHEN_POSITION = 'INVALID_HYPHEN_POSITION',
  /** Broken braces or URN prefix, or no string at all. */
  INVALID_FORMAT = 'INVALID_FORMAT',
}

export interface ValidationError {
  code: ValidationErrorCode;
  message: string;
  /** The 0-based index of the first offending character in the input as given. */
  position?: number;
}

export interface ValidationResult {
  isValid: boolean;
  version: UuidVersion | null;
  variant: 'RFC4122' | 'Microsoft' | 'Future' | 'NCS' | null;
  /** Lower case with hyphens; null when invalid. */
  normalized: string | null;
  errors: ValidationError[];
  /** Whether `parseUuid` can take it apart. */
  isSupported: boolean;
}

export interface ParsedUuid {
  version: UuidVersion;
  timestamp?: Date;
  /** v1: the 14-bit clock sequence; v7: the 12-bit counter. */
  clockSeq?: number;
  /** v1: `aa:bb:cc:dd:ee:ff`. */
  node?: string;
  /** Hexadecimal; v4: 122 bits, v7: 62 bits. */
  randomBits?: string;
}
