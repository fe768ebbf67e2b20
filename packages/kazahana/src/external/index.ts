// kazahana/external: 64-bit IDs as opaque strings of 11 characters, and back.
export { InvalidArgumentError, OutOfRangeError } from '../errors.js';
export type { ExternalId } from './base64url.js';
export { createExternalIdCodec, type ExternalIdCodec } from './codec.js';
export { ExternalIdFormatError, type ExternalIdProblem } from './errors.js';
export { toExternalId, toInternalId } from './one-shot.js';
export type { ExternalIdAlgorithm, ExternalIdOptions } from './options.js';
export type { ParseOptions } from './parse.js';
