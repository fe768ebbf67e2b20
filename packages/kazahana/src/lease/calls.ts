// What each call of a provider wants to know of a pool, and what it decides. A decision is made on a view of the pool,
// at once and without waiting; it throws before it has changed anything.
import { randomHex } from '../environment.js';
import type { ResolvedService } from './config.js';
import type { SlotKey } from './driver.js';
import { PoolExhaustedError, TooManyLeasesError } from './errors.js';
import { isBelieved, isProvenSerial, proveResponse } from './loss-proof.js';
import type { CallContext, Needs, PoolCall, SeenByCaller, SerialOf } from './pool-call.js';
import { RequestQuotas } from './quotas.js';
import { Renewals } from './renewals.js';
import {
  type LeasedSlot,
  type LeaseRecord,
  leaseToRelease,
  newLease,
  type PoolRecord,
  renew,
  type SlotRecord,
  slotRange,
  slotsFor,
  toLeaseInfo,
  withLease,
} from './rules.js';
import type { AcquireOptions, AcquireResponse, CallOptions, ReleaseOptions, RenewalClaim } from './types.js';
import type { PoolView } from './view.js';

/** All slots with a machine ID, of the present layout and of former ones. */
export function slotsOf(pool: PoolRecord, slot: number): SlotKey[] {
  return [pool, ...pool.former].map(({ generation }) => ({ generation, slot }));
}

export class AcquireCall implements PoolCall<AcquireResponse> {
  readonly seen?: SeenByCaller;
  readonly #context: CallContext;
  readonly #options: AcquireOptions;
  readonly #service: ResolvedService;
  readonly #request: string;
  readonly #lossKey: string | undefined;
  readonly #renewals: Renewals;
  readonly #quotas: RequestQuotas;

  constructor(
    context: CallContext,
    options: AcquireOptions,
    service: ResolvedService,
    { account, isTrusted = true, caller }: CallOptions,
    request: string,
  ) {
    this.#context = context;
    this.#options = options;
    this.#service = service;
    this.#request = request;
    const { rules } = context;
    const lossKey = context.lossKeyOf(service.pool);
    this.#lossKey = lossKey;
    const { seen, renew: claims = [] } = options;
    const trust = { isTrusted, lossKey };
    if (seen && isBelieved(seen, trust, isProvenSerial))
      this.seen = caller === undefined ? seen : { ...seen, caller };
    this.#renewals = new Renewals(claims, rules, trust);
    this.#quotas = new RequestQuotas(service, context.serviceShare, account, options.meta?.host);
  }

  waitsForLayout(): boolean {
    return true;
  }

  needs(pool: PoolRecord): Needs {
    return {
      free: Math.max(1, this.#wanted(pool)),
      slots: this.#renewals.needs(pool),
      request: this.#request,
      quotas: this.#quotas.limits(pool),
    };
  }

  lost(view: PoolView): RenewalClaim | undefined {
    return this.#renewals.lost(view);
  }

  decide(view: PoolView): (serialOf: SerialOf) => AcquireResponse {
    const { pool, now } = view;
    const known = view.responseTo(this.#request);
    if (known?.every(({ lease }) => now < lease.expired)) {
      const { serial } = view;
      return () => ({ ...this.#response(pool, known, now, serial), isRepeated: true });
    }
    const requested = slotsFor(this.#options, pool.layout);
    const { serviceId, maxLeasesPerRequest } = this.#service;
    if (requested > maxLeasesPerRequest)
      throw new TooManyLeasesError(serviceId, maxLeasesPerRequest, requested);
    const isQuarantined = now < pool.quarantinedUntil;
    const claimed = this.#renewals.slots(view, serviceId);
    const { room, nextAt } = this.#quotas.room(view, claimed);
    if (room <= 0) throw new PoolExhaustedError(this.#service.pool, nextAt - now, 'the quota is used up');
    const wanted = Math.min(this.#wanted(pool), room);
    // Drawn before anything is decided: a source of secrets that fails must cost no slot.
    const secrets = Array.from({ length: wanted }, () => randomHex(this.#context.environment, 16));
    const leaseFrom = (created: number) => {
      const grant = { request: this.#request, secret: secrets.pop() ?? '', created, granted: now };
      return newLease(this.#service, this.#options, grant);
    };
    const { heldUntil } = this.#context.rules;
    const slots: LeasedSlot[] = [];
    const keep = (slot: SlotRecord, lease: LeaseRecord) => {
      view.write(slot);
      slots.push({ ...slot, lease });
    };
    for (const slot of claimed.slice(0, wanted)) {
      const lease = leaseFrom(Math.max(now, slot.lease.created));
      keep(renew(slot, lease, this.#quotas.ofRenewed(pool), heldUntil(lease)), lease);
    }
    while (!isQuarantined && slots.length < wanted) {
      const slot = view.takeFree();
      if (!slot) break;
      const lease = leaseFrom(now);
      keep(withLease(slot, lease, { freeFrom: heldUntil(lease), quotas: this.#quotas.ofNew(pool) }), lease);
    }
    if (slots.length === 0) {
      if (isQuarantined) {
        throw new PoolExhaustedError(this.#service.pool, pool.quarantinedUntil - now, 'in quarantine');
      }
      throw new PoolExhaustedError(this.#service.pool, view.nextFreeFrom() - now);
    }
    view.respond(this.#request, slots);
    const number = view.grants++;
    const longest = Math.max(...slots.map(({ lease }) => lease.fallbackUntil - lease.created));
    if (longest > pool.maxWindow) view.pool = { ...view.pool, maxWindow: longest };
    // The pause of a change of layout is over: the write that would end that change, if it comes now, has not seen this grant.
    if (pool.pausedUntil > 0) view.pool = { ...view.pool, pausedUntil: 0 };
    return (serialOf) => this.#response(pool, slots, now, serialOf(number));
  }

  /** How many slots the request is for, as far as one write can carry them. */
  #wanted(pool: PoolRecord): number {
    const { from, to } = slotRange(pool);
    const most = Math.min(this.#service.maxLeasesPerRequest, this.#context.maxSlotsPerWrite, to - from);
    return Math.min(slotsFor(this.#options, pool.layout), most);
  }

  #response(pool: PoolRecord, slots: readonly LeasedSlot[], now: number, serial: number): AcquireResponse {
    const { requestId } = this.#options;
    const leases = slots.map((slot) => toLeaseInfo(pool, slot));
    const response = { leases, now, pool: pool.id, serial, ...(requestId !== undefined && { requestId }) };
    return this.#lossKey === undefined ? response : proveResponse(this.#lossKey, response);
  }
}

export class ReleaseCall implements PoolCall<void> {
  readonly #context: CallContext;
  readonly #options: ReleaseOptions;
  /** The secret of the lease that was decided on. */
  #secret: string | undefined;
  #isInDoubt = false;

  constructor(context: CallContext, options: ReleaseOptions) {
    this.#context = context;
    this.#options = options;
  }

  needs(pool: PoolRecord): Needs {
    return { slots: slotsOf(pool, this.#options.id) };
  }

  /** When the outcome of a write is unknown and the lease is gone, the write has happened. */
  doubt(): void {
    this.#isInDoubt = true;
  }

  decide(view: PoolView): () => void {
    const slots = slotsOf(view.pool, this.#options.id).map((key) => view.slot(key));
    const isDecided = this.#isInDoubt && this.#secret !== undefined;
    if (isDecided && !slots.some((slot) => slot?.lease?.secret === this.#secret)) return () => {};
    const slot = leaseToRelease(slots, this.#options, view.now);
    this.#secret = slot.lease.secret;
    const end = this.#context.rules.freeFromAfterRelease(slot, this.#options.timestamp);
    view.write(withLease(slot, null, { freeFrom: end, end }));
    return () => {};
  }
}
