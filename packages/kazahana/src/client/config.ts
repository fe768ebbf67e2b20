// The settings of a client: defaults, and checks that refuse what cannot work.
import { checkEnvironment, type Environment } from '../environment.js';
import { checkInteger, InvalidArgumentError, OutOfRangeError } from '../errors.js';
import type { ExternalIdOptions } from '../external/index.js';
import { DEFAULT_BIT_RESERVE, DEFAULT_BIT_TS, ID_BITS, LIB_DEFAULT_EPOCH } from '../id/layout.js';
import type { LeaseProvider } from '../lease/types.js';
import { checkOnWarning } from '../lease/warnings.js';
import { checkOptions } from '../options.js';
import { type ClientMeta, checkMeta } from './meta.js';
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
export interface Pins {
  readonly customEpoch: number;
  readonly bitReserve: number;
  readonly bitTs: number;
}

/** The numbers among the settings: what they are when left out, and the least and the most that they may be. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
const NUMBERS = {
  maxThroughputPerMs: [DEFAULT_MAX_THROUGHPUT_PER_MS, 1, 2 ** 31],
  acquireRetryInterval: [DEFAULT_ACQUIRE_RETRY_INTERVAL, 1, LONGEST_WAIT_MS],
  acquireRetryMaxInterval: [DEFAULT_ACQUIRE_RETRY_MAX_INTERVAL, 1, LONGEST_WAIT_MS],
  maxBackwardMs: [DEFAULT_MAX_BACKWARD_MS, -LONGEST_WAIT_MS, LONGEST_WAIT_MS],
  acquireTimeout: [DEFAULT_ACQUIRE_TIMEOUT, 1, LONGEST_WAIT_MS],
  shutdownTimeout: [DEFAULT_SHUTDOWN_TIMEOUT, 1, LONGEST_WAIT_MS],
} as const;

export interface ClientSettings extends Readonly<Record<keyof typeof NUMBERS, number>> {
  readonly provider: LeaseProvider | undefined;
  readonly serviceId: string | undefined;
  readonly allowsFenced: boolean;
  readonly allowsRandom: boolean;
  readonly acquireThreshold: number;
  readonly nextIdTimeout: number | undefined;
  readonly pins: Pins;
  readonly meta: ClientMeta;
  readonly onWarning: OnClientWarning;
  readonly environment: Environment;
}

function checkBoolean(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new InvalidArgumentError(name, 'true or false', value);
  return value;
}

/** Bits of machine ID and sequence together. */
export function suffixBits({ bitReserve, bitTs }: Pins): number {
  return ID_BITS - bitReserve - bitTs;
}

const NAMES = {
  provider: true,
  serviceId: true,
  ...(Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, true])) as Record<
    keyof typeof NUMBERS,
    true
  >),
  disableFallback: true,
  disableRandomFallback: true,
  acquireThreshold: true,
  nextIdTimeout: true,
  bitTs: true,
  bitReserve: true,
  defaultEpoch: true,
  externalId: true,
  meta: true,
  onWarning: true,
  environment: true,
} satisfies Record<keyof KazahanaClientConfig, true>;

export function resolveClientConfig(config: KazahanaClientConfig = {}): ClientSettings {
  checkOptions('KazahanaClient', config, NAMES);
  const { provider, serviceId, disableFallback = false, disableRandomFallback = false } = config;
  const { acquireThreshold = DEFAULT_ACQUIRE_THRESHOLD, nextIdTimeout } = config;
  if (
    provider !== undefined &&
    (typeof provider?.acquire !== 'function' || typeof provider.release !== 'function')
  ) {
    throw new InvalidArgumentError('provider', 'an object with acquire and release', provider);
  }
  if (serviceId !== undefined && (typeof serviceId !== 'string' || serviceId === '')) {
    throw new InvalidArgumentError('serviceId', 'a non-empty string', serviceId);
  }
  if (!(acquireThreshold > 0 && acquireThreshold < 1)) {
    throw new InvalidArgumentError('acquireThreshold', 'a number between 0 and 1', acquireThreshold);
  }
  const numbers = Object.entries(NUMBERS).map(([name, [standard, min, max]]) => {
    const { [name as keyof typeof NUMBERS]: value = standard } = config;
    return [name, checkInteger(name, value, min, max)];
  });
  return {
    ...(Object.fromEntries(numbers) as Record<keyof typeof NUMBERS, number>),
    provider,
    serviceId,
    acquireThreshold,
    environment: checkEnvironment(config.environment),
    meta: checkMeta(config.meta),
    onWarning: checkOnWarning(config.onWarning),
    pins: resolvePins(config),
    allowsFenced: !checkBoolean('disableFallback', disableFallback),
    allowsRandom: !checkBoolean('disableRandomFallback', disableRandomFallback) && !disableFallback,
    nextIdTimeout:
      nextIdTimeout === undefined
        ? undefined
        : checkInteger('nextIdTimeout', nextIdTimeout, 1, LONGEST_WAIT_MS),
  };
}

function resolvePins(config: KazahanaClientConfig): Pins {
  const { bitTs = DEFAULT_BIT_TS, bitReserve = DEFAULT_BIT_RESERVE } = config;
  const { defaultEpoch = LIB_DEFAULT_EPOCH } = config;
  checkInteger('bitReserve', bitReserve, 1, 32);
  checkInteger('bitTs', bitTs, 1, 52);
  const pins = {
    customEpoch: checkInteger('defaultEpoch', defaultEpoch, 0, 8.64e15 - 2 ** bitTs),
    bitReserve,
    bitTs,
  };
  const bits = suffixBits(pins);
  if (bits < 2 || bits > 31) throw new OutOfRangeError('64 - bitReserve - bitTs', 2, 31, bits);
  return pins;
}
