export { InvalidArgumentError, OutOfRangeError } from './errors.js';
export * from './external/index.js';
export * from './id/index.js';
