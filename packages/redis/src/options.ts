// What a provider on Redis can be told, beside what every store takes.

import type { LeaseEngineOptions } from 'kazahana/lease';
import { checkInteger, checkOnWarning, checkOptions, InvalidArgumentError } from 'kazahana/lease';
import { checkPrefix } from './keys.js';
import type { WaitForReplicas } from './script-runner.js';

export interface RedisLeaseProviderOptions extends LeaseEngineOptions {
  /** What all keys begin with, within their hash tag; `kazahana` when left out. */
  readonly prefix?: string;
  /**
   * Responds only with what so many replicas have; otherwise the call fails. Give the provider a client of its own then:
   * its connection stands still while it waits.
   */
  readonly waitReplicas?: WaitForReplicas;
  /** What to do about a Redis that may evict keys; refuse it when left out. */
  readonly eviction?: 'refuse' | 'warn';
  /** Told once of everything about this Redis that endangers leases; `process.emitWarning` when left out. */
  readonly onWarning?: (message: string) => void;
}

const MAX_REPLICAS = 1000;
/** Longer than a client waits for a lease. */
const MAX_WAIT_MS = 60_000;

/** Checks options and fills in what is left out; those of the engine are its own to check. */
export function resolveOptions(options: RedisLeaseProviderOptions) {
  const { prefix = 'kazahana', eviction = 'refuse', waitReplicas } = options;
  if (waitReplicas !== undefined) {
    checkOptions('waitReplicas', waitReplicas, { replicas: true, timeoutMs: true });
    // 0 would be no wait at all, or one without end.
    checkInteger('waitReplicas.replicas', waitReplicas.replicas, 1, MAX_REPLICAS);
    checkInteger('waitReplicas.timeoutMs', waitReplicas.timeoutMs, 1, MAX_WAIT_MS);
  }
  if (eviction !== 'refuse' && eviction !== 'warn') {
    throw new InvalidArgumentError('eviction', "'refuse' or 'warn'", eviction);
  }
  const onWarning = checkOnWarning(options.onWarning);
  return { ...options, prefix: checkPrefix(prefix), waitReplicas, eviction, onWarning };
}
