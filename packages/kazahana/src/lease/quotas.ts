// Which quotas a lease counts for, and how many leases each of them allows.
import { DEFAULT_SERVICE, type ResolvedService } from './config.js';
import { type LeasedSlot, type PoolRecord, roomLeft, slotRange } from './rules.js';
import type { LeaseAccount } from './types.js';
import type { PoolView } from './view.js';

interface Quota {
  /** Its name in the store. */
  readonly name: string;
  /** The most leases that count for it; Infinity when they are only counted. */
  readonly limit: number;
  /** A lease that was renewed counts no more. */
  readonly isOfNew?: true;
}

const isLimit = ({ limit }: Quota) => limit !== Number.POSITIVE_INFINITY;

/** Counts the leases of one service. */
export const serviceQuota = (serviceId: string) => `service\n${serviceId}`;
/** Counts the floors of a pool that lie ahead. */
export const FLOOR_QUOTA = 'floors';
/** Counts the leases that the clients of one host have and never renewed. */
const hostQuota = (host: string) => `host\n${host}`;
/** Counts the leases of the default service and of all that are not configured: a caller can invent names without end. */
const UNCONFIGURED = 'unconfigured services';

/** A share of a pool's slots; it leaves at least one to others. */
function shareOf(share: number, slots: number): number {
  return share === 1 ? Number.POSITIVE_INFINITY : Math.max(1, Math.min(slots - 1, Math.floor(share * slots)));
}

/** The quotas of a request. */
export class RequestQuotas {
  readonly #service: ResolvedService;
  readonly #share: number | undefined;
  readonly #account: LeaseAccount | undefined;
  readonly #host: string | undefined;

  /**
   * `share` is the part of a pool's slots that a service with a name may hold unless it is configured otherwise. Without
   * it services are not counted at all. A client that names no service is told from others by its `host`.
   */
  constructor(
    service: ResolvedService,
    share: number | undefined,
    account: LeaseAccount | undefined,
    host: string | undefined,
  ) {
    this.#service = service;
    this.#share = share;
    this.#account = account;
    this.#host = host;
  }

  /** The names of all quotas that a new lease of this request counts for. */
  ofNew(pool: PoolRecord): string[] {
    return this.#of(pool).map(({ name }) => name);
  }

  /** The names of those that a lease counts for that it renews. */
  ofRenewed(pool: PoolRecord): string[] {
    return this.#of(pool)
      .filter(({ isOfNew }) => !isOfNew)
      .map(({ name }) => name);
  }

  /** The names of those that limit the request. */
  limits(pool: PoolRecord): string[] {
    return this.#of(pool)
      .filter(isLimit)
      .map(({ name }) => name);
  }

  /** How many leases they leave to the request, and when there are more. */
  room(view: PoolView, renewed: readonly LeasedSlot[]): ReturnType<typeof roomLeft> {
    const limits = this.#of(view.pool).filter(isLimit);
    const counts = limits.map(({ name, ...limit }) => ({ ...view.quota(name), ...limit }));
    return roomLeft(counts, renewed, view.now);
  }

  #of(pool: PoolRecord): Quota[] {
    const { serviceId, isConfigured, maxLeases } = this.#service;
    const { from, to } = slotRange(pool);
    const isDefault = serviceId === DEFAULT_SERVICE;
    const hasOwnLimit = isConfigured && !isDefault && maxLeases !== Number.POSITIVE_INFINITY;
    const shared = isDefault ? Number.POSITIVE_INFINITY : shareOf(this.#share ?? 1, to - from);
    const own = { name: serviceQuota(serviceId), limit: hasOwnLimit ? maxLeases : shared };
    const together = { name: UNCONFIGURED, limit: maxLeases };
    const account = { name: `account\n${this.#account?.name}`, limit: this.#account?.maxLeases ?? 0 };
    // A fleet without a name may need its whole pool, and gets it by renewing. A crash loop never renews.
    const isByHost = isDefault && this.#host !== undefined && !isLimit(together);
    const host = {
      name: hostQuota(this.#host ?? ''),
      limit: shareOf(this.#share ?? 1, to - from),
      isOfNew: true,
    } as const;
    return [
      ...(isByHost && isLimit(host) ? [host] : []),
      ...(hasOwnLimit || this.#share !== undefined ? [own] : []),
      ...((isDefault || !isConfigured) && isLimit(together) ? [together] : []),
      ...(this.#account ? [account] : []),
    ];
  }
}
