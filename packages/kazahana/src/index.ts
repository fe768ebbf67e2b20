export { InvalidArgumentError, OutOfRangeError } from './errors.js';
