export * from './client/index.js';
export { defaultEnvironment, type Environment, type SleepOptions, TimersFakedError } from './environment.js';
export { ERROR_CODES, type ErrorCode, isKazahanaError, type KazahanaError } from './error-codes.js';
export { InvalidArgumentError, OutOfRangeError } from './errors.js';
export * from './external/index.js';
export * from './id/index.js';
export { DEFAULT_LEASE_DURATION } from './lease/config.js';
export {
  InvalidSignatureError,
  LeaseError,
  LeaseNotFoundError,
  PoolExhaustedError,
  PoolExistsError,
  PoolMismatchError,
  PoolMissingError,
  StaleSignatureError,
  StoreError,
  type StoreErrorCode,
  TooManyLeasesError,
} from './lease/errors.js';
export { isRefusal } from './lease/refusal.js';
export * from './providers/index.js';
