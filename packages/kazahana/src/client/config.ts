// The settings of a client: defaults, and checks that refuse what cannot work.
import { checkEnvironment, type Environment } from '../environment.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { createExternalIdCodec, type ExternalIdOptions } from '../external/index.js';
import {
  DEFAULT_BIT_RESERVE,
  DEFAULT_BIT_TS,
  ID_BITS,
  type IdLayout,
  LIB_DEFAULT_EPOCH,
  type PINNED_FIELDS,
} from '../id/layout.js';
import type { LeaseProvider } from '../lease/types.js';
import { checkOnWarning } from '../lease/warnings.js';
import { checkOptions } from '../options.js';
import { checkMeta } from './meta.js';
import type { OnClientWarning } from './warnings.js';

export const DEFAULT_ACQUIRE_THRESHOLD = 0.9;
export const DEFAULT_MAX_BACKWARD_MS = 5000;
export const DEFAULT_ACQUIRE_RETRY_INTERVAL = 1000;
export const DEFAULT_ACQUIRE_RETRY_MAX_INTERVAL = 60_000;
export const DEFAULT_MAX_THROUGHPUT_PER_MS = 256;
export const DEFAULT_ACQUIRE_TIMEOUT = 5000;
export const DEFAULT_SHUTDOWN_TIMEOUT = 2000;

/** The random fallback needs this many bits below the fallback bit; its odds are stated for them (rule R5). */
export const RANDOM_BITS = 21;

export interface KazahanaClientConfig {
  /** Where leases come from; without one, every ID is a random fallback ID. */
  readonly provider?: LeaseProvider;
  readonly serviceId?: string;
  /** How many IDs a millisecond leases are taken for; beyond them callers wait for the next millisecond. */
  readonly maxThroughputPerMs?: number;
  /** Never make an ID without a valid lease. */
  readonly disableFallback?: boolean;
  /** Never make a random ID; a lease that could not be renewed may still go on in the fallback half. */
  readonly disableRandomFallback?: boolean;
  /** How long to wait after the first failed acquire, in milliseconds; doubled after each further one … */
  readonly acquireRetryInterval?: number;
  /** … up to this. */
  readonly acquireRetryMaxInterval?: number;
  /** Clock steps back of up to so many milliseconds are waited out; 0: never, negative: always. */
  readonly maxBackwardMs?: number;
  /** The part of a lease's time after which it is renewed. */
  readonly acquireThreshold?: number;
  /** How long callers wait for one attempt to acquire, in milliseconds. */
  readonly acquireTimeout?: number;
  /** How long `shutdown` waits for an acquire under way, and again for its releases, in milliseconds. */
  readonly shutdownTimeout?: number;
  /** How long `nextId` and `nextIds` may wait in all, in milliseconds; for ever when left out. */
  readonly nextIdTimeout?: number;
  readonly bitTs?: number;
  readonly bitReserve?: number;
  /** The epoch of IDs that are made before any lease was had. */
  readonly defaultEpoch?: number;
  /** How `toExternalId` and `toInternalId` of this client write external IDs. */
  readonly externalId?: ExternalIdOptions;
  /** What operators see beside host, process, runtime and version of this client; at most 1 KiB. */
  readonly meta?: Readonly<Record<string, string>>;
  /** Gets the warnings of the client; where the platform shows warnings when left out. */
  readonly onWarning?: OnClientWarning;
  readonly environment?: Environment;
}

/** What pins an ID's time line (rule R4). */
export type Pins = Pick<IdLayout, (typeof PINNED_FIELDS)[number]>;

const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** What a setting is when it is left out, and the least and the most that it may be. */
const integer = (standard: number, min: number, max: number) => (value: number | undefined, name: string) =>
  checkInteger(name, value === undefined ? standard : value, min, max);

function checkBoolean(value: boolean | undefined, name: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new InvalidArgumentError(name, 'true or false', value);
}

function checkProvider(provider: LeaseProvider | undefined): LeaseProvider | undefined {
  const { acquire, release } = Object(provider) as Partial<LeaseProvider>;
  if (provider === undefined || (typeof acquire === 'function' && typeof release === 'function'))
    return provider;
  throw new InvalidArgumentError('provider', 'an object with acquire and release', provider);
}

function checkServiceId(serviceId: string | undefined): string | undefined {
  if (serviceId === undefined || (typeof serviceId === 'string' && serviceId !== '')) return serviceId;
  throw new InvalidArgumentError('serviceId', 'a non-empty string', serviceId);
}

function checkThreshold(threshold = DEFAULT_ACQUIRE_THRESHOLD): number {
  if (typeof threshold === 'number' && threshold > 0 && threshold < 1) return threshold;
  throw new InvalidArgumentError('acquireThreshold', 'a number between 0 and 1', threshold);
}

/** Every setting: a function that returns it, or the default when it is left out, and refuses what cannot work. */
const CHECKS = {
  provider: checkProvider,
  serviceId: checkServiceId,
  maxThroughputPerMs: integer(DEFAULT_MAX_THROUGHPUT_PER_MS, 1, 2 ** 31),
  disableFallback: checkBoolean,
  disableRandomFallback: checkBoolean,
  acquireRetryInterval: integer(DEFAULT_ACQUIRE_RETRY_INTERVAL, 1, LONGEST_WAIT_MS),
  acquireRetryMaxInterval: integer(DEFAULT_ACQUIRE_RETRY_MAX_INTERVAL, 1, LONGEST_WAIT_MS),
  maxBackwardMs: integer(DEFAULT_MAX_BACKWARD_MS, -LONGEST_WAIT_MS, LONGEST_WAIT_MS),
  acquireThreshold: checkThreshold,
  acquireTimeout: integer(DEFAULT_ACQUIRE_TIMEOUT, 1, LONGEST_WAIT_MS),
  shutdownTimeout: integer(DEFAULT_SHUTDOWN_TIMEOUT, 1, LONGEST_WAIT_MS),
  nextIdTimeout: (ms: number | undefined, name: string) =>
    ms === undefined ? undefined : checkInteger(name, ms, 1, LONGEST_WAIT_MS),
  bitTs: integer(DEFAULT_BIT_TS, 1, 52),
  bitReserve: integer(DEFAULT_BIT_RESERVE, 1, 32),
  // Checked with the width of timestamps.
  defaultEpoch: (epoch = LIB_DEFAULT_EPOCH) => epoch,
  externalId: (options: ExternalIdOptions | undefined) => createExternalIdCodec(options),
  meta: checkMeta,
  onWarning: (onWarning: OnClientWarning | undefined) => checkOnWarning(onWarning),
  environment: checkEnvironment,
} satisfies {
  [Name in keyof KazahanaClientConfig]-?: (value: KazahanaClientConfig[Name], name: string) => unknown;
};

type Checked = { readonly [Name in keyof typeof CHECKS]: ReturnType<(typeof CHECKS)[Name]> };

export interface ClientSettings extends Checked {
  readonly pins: Pins;
  readonly allowsFenced: boolean;
  readonly allowsRandom: boolean;
}

/** Bits of machine ID and sequence together. */
export function suffixBits({ bitReserve, bitTs }: Pins): number {
  return ID_BITS - bitReserve - bitTs;
}

export function resolveClientConfig(config: KazahanaClientConfig): ClientSettings {
  const given = checkOptions('KazahanaClient', config as Readonly<Record<string, unknown>>, CHECKS);
  const checked = Object.fromEntries(
    Object.entries(CHECKS).map(([name, check]) => [
      name,
      (check as (value: unknown, name: string) => unknown)(given[name], name),
    ]),
  ) as Checked;
  const { provider, bitTs, bitReserve, defaultEpoch, disableFallback, disableRandomFallback } = checked;
  const customEpoch = checkInteger('defaultEpoch', defaultEpoch, 0, 8.64e15 - 2 ** bitTs);
  const pins = { customEpoch, bitReserve, bitTs };
  const bits = checkInteger('64 - bitReserve - bitTs', suffixBits(pins), 2, 31);
  const allowsRandom = !disableFallback && !disableRandomFallback;
  if (provider === undefined && allowsRandom && bits <= RANDOM_BITS)
    throw new InvalidArgumentError(
      '64 - bitReserve - bitTs',
      `at least ${RANDOM_BITS + 1} without a provider`,
      bits,
    );
  return { ...checked, pins, allowsFenced: !disableFallback, allowsRandom };
}
