// The rules, switched off one at a time. The client and the pool rules are the real ones; what a broken one would do
// is brought about from outside where that is possible (a provider that lies to its client), and by replacing one
// function where it is not. What each rule is for shows in what the oracle then finds.

import type { SwitchableRules } from 'kazahana';
import type { AcquireResponse } from 'kazahana/lease';

export const RULES = ['R1', 'R2', 'R4', 'R5', 'R6', 'R7', 'R8'] as const;
export type Rule = (typeof RULES)[number];

/** Pool rules that break the one that is off. */
export function brokenPoolRules(off: Rule | undefined): Partial<SwitchableRules> {
  switch (off) {
    case 'R2':
      // The source design: a released slot is free at once, its window forgotten.
      return { freeFromAfterRelease: () => 0 };
    case 'R4':
      // A change of layout starts with empty slots.
      return { relayoutSlots: () => new Map() };
    case 'R5':
      // A slot is free when its lease expires, though its holder goes on in the fallback half.
      return { takenUntil: ({ leaseDuration }, now) => now + leaseDuration };
    case 'R7':
      return { hasForgotten: () => false };
    default:
      return {};
  }
}

/** An answer as a client without the rule would understand it. */
export function misread(answer: AcquireResponse, off: Rule | undefined, copy: number): AcquireResponse {
  if (off === 'R1') {
    // A client that does not look at the end of its window.
    const forever = (time: number) => time + 10 * 365 * 86_400_000;
    const leases = answer.leases.map((lease) => ({
      ...lease,
      expired: forever(lease.expired),
      fallbackUntil: forever(lease.fallbackUntil ?? lease.expired),
    }));
    return { ...answer, leases };
  }
  if (off === 'R8' && copy > 0) {
    // A client that does not recognise a lease when it comes again.
    const { requestId: _, ...rest } = answer;
    return {
      ...rest,
      leases: answer.leases.map((lease) => ({ ...lease, secret: `${lease.secret}#${copy}` })),
    };
  }
  return answer;
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
