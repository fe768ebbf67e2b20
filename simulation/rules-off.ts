// The rules, switched off one at a time. Client, engine and pool rules are the real ones; what a broken one would do
// is brought about from outside where that is possible (a provider that lies to its client, a store that does not compare),
// and by replacing one function where it is not. What each rule is for shows in what the judge then finds.
import type { AcquireResponse, SwitchableRules } from 'kazahana/lease';
import { hasForgotten } from '../packages/kazahana/dist/lease/rules.js';
import type { Scenario } from './scenarios.ts';

/** A rule that can be switched off, or a part of one. */
interface Control {
  /** The worlds in which it shows. Where other parts of a rule would cover for it, it is alone there. */
  readonly scenario: Scenario;
  /** What the judge must find, one of these. */
  readonly finds: readonly string[];
  readonly rules?: Partial<SwitchableRules>;
}

const EQUAL = ['duplicate', 'overlap'];

const CONTROLS = {
  R1: { scenario: 'chaos', finds: EQUAL },
  // The source design: a released slot is free at once, its window forgotten.
  R2: { scenario: 'crowd', finds: EQUAL, rules: { freeFromAfterRelease: () => 0 } },
  // A change of layout starts with empty slots.
  R4: { scenario: 'chaos', finds: EQUAL, rules: { relayoutSlots: function* () {} } },
  // A slot is free when its lease expires, though its holder goes on in the fallback half.
  R5: {
    ...{ scenario: 'chaos', finds: EQUAL },
    rules: { heldUntil: (lease) => (lease as { readonly expired?: number }).expired ?? 0 },
  },
  R6: { scenario: 'chaos', finds: ['R6'] },
  // Nothing that shows a loss is looked at, but for the claims of holders.
  R7: {
    ...{ scenario: 'chaos', finds: EQUAL },
    rules: { hasForgotten: () => false, mayHaveForgotten: () => false },
  },
  R8: { scenario: 'chaos', finds: EQUAL },
  // The memory of the one server is all there is: a newcomer calls first, and knows nothing. What clients have seen comes with a proof.
  'R7-memory': {
    ...{ scenario: 'silent-loss-one-server', finds: EQUAL },
    rules: {
      hasForgotten: (pool, serial, seen) => seen.proof !== undefined && hasForgotten(pool, serial, seen),
    },
  },
  // Servers have just started and remember nothing; newcomers call first, and raise the serial above the lost one.
  'R7-incarnation': {
    ...{ scenario: 'told-loss', finds: EQUAL },
    rules: { mayHaveForgotten: () => false },
  },
  // Nothing tells of the loss and servers remember nothing: when the serial has passed the lost one, only the claims of
  // holders show it.
  'R7-proof': { scenario: 'silent-loss', finds: ['unnoticed'], rules: { isLost: () => false } },
  // The slot of a lost lease was granted anew before the loss showed. Its former holder must not get it back.
  'R7-newest': { scenario: 'silent-loss', finds: EQUAL, rules: { isNewest: () => true } },
  // A slot whose lease had ended by the clock of a member that was ahead was granted anew, and that is lost. By the clock of the
  // next member the lease before has not ended, and its holder wants to renew it.
  'R7-margin': {
    ...{ scenario: 'clocks-apart', finds: EQUAL },
    rules: {
      isSafeInQuarantine: (fallbackUntil, { quarantinedFrom }, now) =>
        Math.max(now, quarantinedFrom) < fallbackUntil,
    },
  },
  // A quarantine that stops holders, too: the fleet runs out of leases.
  'R7-holders': {
    ...{ scenario: 'steady-fleet', finds: ['fallback'] },
    rules: { isSafeInQuarantine: () => false },
  },
  // Two regions that lease all machine IDs each.
  share: { scenario: 'two-regions', finds: EQUAL },
  // A write that does not compare what it rests on with what is there.
  compare: { scenario: 'chaos', finds: EQUAL },
  // A write that does not compare incarnations: what another server was granted between its read and a fail-over is lost.
  'compare-incarnation': { scenario: 'slow-store', finds: EQUAL },
} satisfies Record<string, Control>;

export type Rule = keyof typeof CONTROLS;
export const RULES = Object.keys(CONTROLS) as Rule[];

export function controlOf(off: Rule): Control {
  return CONTROLS[off];
}

/** Pool rules that break the one that is off. */
export function brokenPoolRules(off: Rule | undefined): Partial<SwitchableRules> {
  return off === undefined ? {} : (controlOf(off).rules ?? {});
}

/** A response as a client without the rule would understand it. */
export function misread(response: AcquireResponse, off: Rule | undefined, copy: number): AcquireResponse {
  if (off === 'R1') {
    // A client that does not look at the end of its window.
    const forever = (time: number) => time + 10 * 365 * 86_400_000;
    const leases = response.leases.map((lease) => ({
      ...lease,
      expired: forever(lease.expired),
      fallbackUntil: forever(lease.fallbackUntil ?? lease.expired),
    }));
    return { ...response, leases };
  }
  if (off === 'R8' && copy > 0) {
    // A client that takes any response, and does not recognise a lease when it comes again.
    const { requestId: _, ...rest } = response;
    return {
      ...rest,
      leases: response.leases.map((lease) => ({ ...lease, secret: `${lease.secret}#${copy}` })),
    };
  }
  return response;
}

/** R6 off: a change of leases makes the client forget where it was in the millisecond. */
export async function breakOrder(): Promise<() => void> {
  const { Sequencer } = await import('../packages/kazahana/dist/client/sequencer.js');
  const { setLeases } = Sequencer.prototype;
  Sequencer.prototype.setLeases = function (...args) {
    setLeases.apply(this, args);
    this.suffix = -1;
  };
  return () => {
    Sequencer.prototype.setLeases = setLeases;
  };
}
