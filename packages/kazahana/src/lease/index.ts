// kazahana/lease: the protocol between clients and providers, and the rules of a pool, for those who write a provider.
export { defaultEnvironment, type Environment, randomHex } from '../environment.js';
export { InvalidArgumentError, OutOfRangeError } from '../errors.js';
export {
  type ConfiguredPool,
  DEFAULT_LEASE_DURATION,
  DEFAULT_POOL,
  type PoolsOptions,
  type ResolvedPools,
  type ResolvedService,
  resolvePools,
} from './config.js';
export {
  type ExhaustionReason,
  InvalidSignatureError,
  LeaseError,
  LeaseNotFoundError,
  PoolExhaustedError,
  PoolMismatchError,
  StaleSignatureError,
  StoreError,
  type StoreErrorCode,
  TooManyLeasesError,
} from './errors.js';
export { believedAcquire, checkAcquire, checkRelease } from './requests.js';
export * from './rules.js';
export { signRelease } from './signature.js';
export type { PoolStorage, Quota } from './storage.js';
export {
  LeaseStore,
  type LeaseStoreOptions,
  type SwitchableRules,
  toInspectedLease,
  toInspectedPool,
} from './store.js';
export type * from './types.js';
