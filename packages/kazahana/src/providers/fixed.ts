// One machine ID that the deployment guarantees, a StatefulSet's ordinal for example: the pool rules on a pool of one slot, in
// memory. A process that restarts has forgotten the windows of the one before it, so it waits until those have ended (rule R2).
import { checkEnvironment, type Environment } from '../environment.js';
import { checkInteger } from '../errors.js';
import { type IdLayout, resolveIdLayout } from '../id/layout.js';
import { LeaseEngine } from '../lease/engine.js';
import type { AcquireOptions, AcquireResponse, CallOptions } from '../lease/types.js';
import { checkOptions } from '../options.js';
import { MemoryDriver } from './memory-driver.js';

export interface FixedLeaseProviderOptions {
  /** From 0 to 2^(bitId − 1) − 1, and no other running process may have it. */
  readonly machineId: number;
  /** The same for all machine IDs; the default layout when left out. */
  readonly layout?: Partial<IdLayout>;
  /** How long a window lasts, and so how long the next process of this machine ID has to wait; 1 second when left out. */
  readonly leaseDuration?: number;
  /** By how much the clock of the next process may be behind that of the last one; 1 second when left out. */
  readonly maxClockDifference?: number;
  readonly environment?: Environment;
}

const OPTION_NAMES = {
  machineId: true,
  layout: true,
  leaseDuration: true,
  maxClockDifference: true,
  environment: true,
} satisfies Record<keyof FixedLeaseProviderOptions, true>;

const DEFAULT_DURATION_MS = 1000;
const DEFAULT_DIFFERENCE_MS = 1000;
/** A client waits no longer than `acquireTimeout` for a lease, 5 seconds by default. */
const MAX_DURATION_MS = 60_000;

export class FixedLeaseProvider extends LeaseEngine {
  readonly #pauseMs: number;
  #freeFrom: number | undefined;

  constructor(options: FixedLeaseProviderOptions) {
    const { machineId, layout } = checkOptions('FixedLeaseProvider', options, OPTION_NAMES);
    const { leaseDuration = DEFAULT_DURATION_MS, maxClockDifference = DEFAULT_DIFFERENCE_MS } = options;
    const environment = checkEnvironment(options.environment);
    const widths = resolveIdLayout(layout);
    const slots = 2 ** (widths.bitId - 1);
    checkInteger('machineId', machineId, 0, slots - 1);
    checkInteger('leaseDuration', leaseDuration, 100, MAX_DURATION_MS);
    checkInteger('maxClockDifference', maxClockDifference, 0, MAX_DURATION_MS);
    super(new MemoryDriver({ environment }), {
      environment,
      // Memory has no outages that a fallback would bridge.
      services: { default: { leaseDuration, fallbackGrace: 0 } },
      pools: { default: { ...widths, share: { index: machineId, of: slots } } },
    });
    this.#pauseMs = leaseDuration + maxClockDifference;
  }

  override async acquire(options: AcquireOptions, call: CallOptions = {}): Promise<AcquireResponse> {
    await this.#outwaitEarlierWindows(call.signal);
    return super.acquire(options, call);
  }

  /** Every window of an earlier process has ended a window's length after its last moment. */
  async #outwaitEarlierWindows(signal: AbortSignal | undefined): Promise<void> {
    const { now, sleep } = this.environment;
    this.#freeFrom ??= now() + this.#pauseMs;
    for (let rest = this.#freeFrom - now(); rest > 0; rest = this.#freeFrom - now()) {
      signal?.throwIfAborted();
      await sleep(rest, signal ? { signal } : {});
    }
  }
}
