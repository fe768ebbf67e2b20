// kazahana/lease: the protocol between clients and providers, and the rules of a pool, for those who write a provider.
export { InvalidArgumentError, OutOfRangeError } from '../errors.js';
export {
  type ConfiguredPool,
  DEFAULT_LEASE_DURATION,
  type PoolsOptions,
  type ResolvedPools,
  type ResolvedService,
  resolvePools,
} from './config.js';
export {
  InvalidSignatureError,
  LeaseError,
  LeaseNotFoundError,
  PoolExhaustedError,
  PoolMismatchError,
  StaleSignatureError,
} from './errors.js';
export { checkAcquire, checkRelease } from './requests.js';
export * from './rules.js';
export { signRelease } from './signature.js';
export type * from './types.js';
