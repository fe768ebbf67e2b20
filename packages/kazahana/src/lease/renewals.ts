// Which leases a caller may renew in place: those that it shows to hold, and those that the store has lost and the
// caller has proof of (rule R7).
import type { SlotKey } from './driver.js';
import { isBelieved, isProvenLease, type Trust } from './loss-proof.js';
import {
  enterAgain,
  isHolder,
  isLeased,
  isLost,
  type LeasedSlot,
  type PoolRecord,
  type SlotRecord,
  slotRange,
} from './rules.js';
import type { SwitchableRules } from './switchable-rules.js';
import type { RenewalClaim } from './types.js';
import type { PoolView } from './view.js';

export class Renewals {
  readonly #claims: readonly RenewalClaim[];
  /** Those that are true whatever the store says. */
  readonly #believed: ReadonlySet<RenewalClaim>;
  readonly #rules: SwitchableRules;

  constructor(claims: readonly RenewalClaim[], rules: SwitchableRules, trust: Trust) {
    this.#claims = claims;
    this.#rules = rules;
    this.#believed = new Set(claims.filter((claim) => isBelieved(claim, trust, isProvenLease)));
  }

  /** The slots that must be known. */
  needs(pool: PoolRecord): SlotKey[] {
    return this.#claims.flatMap((claim) => slotsOf(pool, claim));
  }

  /** A lease of the caller that the store has lost. */
  lost(view: PoolView): RenewalClaim | undefined {
    return [...this.#believed].find(
      (claim) => isCurrent(view.pool, claim) && isLostEverywhere(view, claim, this.#rules.isLost),
    );
  }

  /** The slots that may be renewed, each once. */
  slots(view: PoolView, serviceId: string): LeasedSlot[] {
    const isQuarantined = view.now < view.pool.quarantinedUntil;
    const slots = new Map<number, LeasedSlot>();
    for (const claim of this.#claims.filter((one) => isCurrent(view.pool, one))) {
      const slot = slotOf(view, claim);
      if (isLeased(slot) && isHolder(slot, claim, view.now)) {
        const isSafe = this.#rules.isSafeInQuarantine(slot.lease.fallbackUntil, view.pool, view.now);
        if (!isQuarantined || isSafe) slots.set(claim.id, slot);
      } else if (this.#isLostAndSafe(view, claim, slot)) {
        const unused = () => view.addUnused({ generation: view.pool.generation, slot: claim.id });
        slots.set(claim.id, enterAgain(slot ?? unused(), claim, serviceId));
      }
    }
    return [...slots.values()];
  }

  /** A lease that the store has lost goes on if no other lease of its slot has begun since. */
  #isLostAndSafe(view: PoolView, claim: RenewalClaim, slot: SlotRecord | undefined): boolean {
    const isSound = claim.created < claim.expired && claim.expired <= claim.fallbackUntil;
    if (!isSound || !this.#believed.has(claim) || !isLostEverywhere(view, claim, isLost)) return false;
    return (
      this.#rules.isNewest(slot, claim) &&
      this.#rules.isSafeInQuarantine(claim.fallbackUntil, view.pool, view.now)
    );
  }
}

/** Whether a claim is of the present layout. Slots of former ones are not granted again. */
function isCurrent(pool: PoolRecord, { id, bitId, bitSeq }: RenewalClaim): boolean {
  const { from, to } = slotRange(pool);
  return bitId === pool.layout.bitId && bitSeq === pool.layout.bitSeq && from <= id && id < to;
}

/** The slots that a claim may be of. A layout that a pool had before and has again is another generation. */
function slotsOf({ layout, generation, former }: PoolRecord, claim: RenewalClaim): SlotKey[] {
  return [{ ...layout, generation }, ...former]
    .filter(({ bitId, bitSeq }) => bitId === claim.bitId && bitSeq === claim.bitSeq)
    .map((one) => ({ generation: one.generation, slot: claim.id }));
}

function isLostEverywhere(view: PoolView, claim: RenewalClaim, rule: typeof isLost): boolean {
  return slotsOf(view.pool, claim).every((key) => rule(view.slot(key), claim, view.now));
}

function slotOf(view: PoolView, { id }: RenewalClaim): SlotRecord | undefined {
  return view.slot({ generation: view.pool.generation, slot: id });
}
