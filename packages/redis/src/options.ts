// What a provider on Redis can be told, beside what every store takes.
import { InvalidArgumentError, type LeaseStoreOptions, OutOfRangeError } from 'kazahana/lease';
import { checkPrefix } from './keys.js';
import type { WaitForReplicas } from './script-runner.js';

export interface RedisLeaseProviderOptions extends LeaseStoreOptions {
  /** What all keys begin with, within their hash tag; `kazahana` when left out. */
  readonly prefix?: string;
  /**
   * Grants only what so many replicas have acknowledged; what they have not is taken back and the acquire fails. Give
   * the provider a client of its own then: its connection stands still while it waits.
   */
  readonly waitReplicas?: WaitForReplicas;
  /** What to do about a Redis that may evict keys; refuse it when left out. */
  readonly eviction?: 'refuse' | 'warn';
  /** Told once of everything about this Redis that endangers leases; `process.emitWarning` when left out. */
  readonly onWarning?: (message: string) => void;
}

const DEFAULT_PREFIX = 'kazahana';
const MAX_REPLICAS = 1000;
/** Longer than anyone waits for a lease. */
const MAX_WAIT_MS = 60_000;

interface ResolvedOptions {
  readonly prefix: string;
  readonly waitReplicas: WaitForReplicas | undefined;
  readonly eviction: 'refuse' | 'warn';
  readonly onWarning: (message: string) => void;
}

function checkInteger(field: string, value: unknown, max: number): void {
  // 0 would be no wait at all, or one without end.
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max) return;
  throw new OutOfRangeError(field, 1, max, value);
}

export function resolveOptions(options: RedisLeaseProviderOptions): ResolvedOptions {
  const { prefix = DEFAULT_PREFIX, waitReplicas, eviction = 'refuse', onWarning = emitWarning } = options;
  if (waitReplicas !== undefined) {
    checkInteger('waitReplicas.replicas', waitReplicas.replicas, MAX_REPLICAS);
    checkInteger('waitReplicas.timeoutMs', waitReplicas.timeoutMs, MAX_WAIT_MS);
  }
  if (eviction !== 'refuse' && eviction !== 'warn') {
    throw new InvalidArgumentError('eviction', "'refuse' or 'warn'", eviction);
  }
  if (typeof onWarning !== 'function') throw new InvalidArgumentError('onWarning', 'a function', onWarning);
  return { prefix: checkPrefix(prefix), waitReplicas, eviction, onWarning };
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'KazahanaWarning');
}
