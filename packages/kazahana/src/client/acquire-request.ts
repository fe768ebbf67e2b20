// Requests for leases: each keeps its id and its report over all its retries (rule R8), and says what it wants anew each time.
import { type Environment, randomHex } from '../environment.js';
import type { ClientReport } from '../lease/report.js';
import type { AcquireOptions } from '../lease/types.js';
import type { ClientSettings } from './config.js';
import type { HeldLease } from './held-lease.js';
import { chooseWish, claimsOf, type Wish } from './lease-choices.js';
import { platformMeta } from './meta.js';

export class AcquireRequest {
  readonly id: string;
  wish: Wish = { throughputPerMs: 0, due: [], renewed: [] };
  /** The leases that any attempt wants to renew. */
  readonly claimed = new Set<HeldLease>();
  /** The highest throughput that the provider lets one request ask for. */
  limit = Number.POSITIVE_INFINITY;

  constructor(
    environment: Environment,
    /** What the client had counted when it made the request. */
    readonly totals: ClientReport,
  ) {
    this.id = randomHex(environment, 16);
  }

  get throughputPerMs(): number {
    return Math.min(this.wish.throughputPerMs, this.limit);
  }

  /** What the next attempt sends, apart from what the client has seen of the pool. */
  attempt(held: readonly HeldLease[], now: number, settings: ClientSettings): AcquireOptions {
    const { serviceId, maxThroughputPerMs, meta } = settings;
    this.wish = chooseWish(held, now, maxThroughputPerMs);
    for (const lease of this.wish.renewed) this.claimed.add(lease);
    const renew = claimsOf(this.wish.renewed, now);
    return {
      ...(renew.length > 0 && { renew }),
      throughputPerMs: this.throughputPerMs,
      meta: { ...platformMeta(), ...meta },
      ...(serviceId !== undefined && { serviceId }),
      requestId: this.id,
    };
  }
}
