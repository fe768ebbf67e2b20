export { InvalidArgumentError, OutOfRangeError } from '../errors.js';
export { maxUuidV7At, minUuidV7At } from './bounds.js';
export { compareUuid, formatUuid, uuidToBytes } from './bytes.js';
export {
  ClockStalledError,
  HistoryFormatError,
  UnsupportedUuidVersionError,
  UuidFormatError,
} from './errors.js';
export { deserializeHistory, serializeHistory } from './history.js';
export { applyOptions, generateMany, type UuidStyle } from './options.js';
export { parseUuid } from './parse.js';
export {
  type ParsedUuid,
  type SupportedUuidVersion,
  type UuidHistoryItem,
  type UuidOptions,
  type UuidVersion,
  type ValidationError,
  ValidationErrorCode,
  type ValidationResult,
} from './types.js';
export { generateV1 } from './v1.js';
export { generateV4 } from './v4.js';
export { generateV7 } from './v7.js';
export { UuidV7Generator, type UuidV7GeneratorOptions } from './v7-generator.js';
export {
  isCanonicalUuid,
  isMaxUuid,
  isNilUuid,
  isUuid,
  MAX_UUID,
  NIL_UUID,
  uuidVersion,
  validateUuid,
} from './validate.js';
