// kazahana/lease: the protocol between clients and providers, the rules of a pool, and what it takes to write a provider.

export { type Deadline, within } from '../deadline.js';
export { defaultEnvironment, type Environment, randomHex } from '../environment.js';
export { checkInteger, InvalidArgumentError, OutOfRangeError } from '../errors.js';
export { LAYOUT_FIELDS, makeLayout, PINNED_FIELDS } from '../id/layout.js';
export { checkOptions, closestName, type OptionNames } from '../options.js';
export {
  type VirtualEnvironment,
  type VirtualEnvironmentOptions,
  virtualEnvironment,
} from '../virtual-environment.js';
export {
  type ConfiguredPool,
  DEFAULT_LEASE_DURATION,
  DEFAULT_POOL,
  DEFAULT_SERVICE,
  type PoolsOptions,
  type ResolvedPools,
  type ResolvedService,
  resolvePools,
} from './config.js';
export type * from './driver.js';
export { LeaseEngine } from './engine.js';
export {
  type ExhaustionReason,
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
} from './errors.js';
export type { PoolLoss } from './loss.js';
export { checkProviderOptions, type LeaseEngineOptions } from './provider-options.js';
export { isRefusal } from './refusal.js';
export { type ClientReport, makeReport, REPORT_COUNTS, REPORT_FIELDS, type ReportCount } from './report.js';
export { RELEASE_TOLERANCE_MS, STORE_CLOCK_MARGIN_MS, slotCount } from './rules.js';
export { signHold, signRelease } from './signature.js';
export type { SwitchableRules } from './switchable-rules.js';
export type * from './types.js';
export { checkOnWarning, type OnWarning } from './warnings.js';
