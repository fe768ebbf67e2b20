// Switches one rule off inside a process of the fleet: in the engine (servers, and clients that use the store) by replacing one
// function of the rules, in the client by what it believes. Everything else is the real thing.
import type { AcquireResponse, LeaseProvider, SwitchableRules } from 'kazahana/lease';

export const RULES_OFF = ['R1', 'R2', 'R5', 'R8'] as const;
export type RuleOff = (typeof RULES_OFF)[number];

const VARIABLE = 'CHAOS_RULE_OFF';
const off = process.env[VARIABLE] as RuleOff | undefined;
/** For the processes that start from now on. */
export const withoutRule = (rule: RuleOff): Record<string, string> => ({ [VARIABLE]: rule });

const ENGINE: Partial<Record<RuleOff, Partial<SwitchableRules>>> = {
  // The source document: a released slot is free at once, its window forgotten.
  R2: { freeFromAfterRelease: () => 0 },
  // A slot is free when its lease expires, though its holder goes on in the fallback half.
  R5: { heldUntil: (lease) => (lease as { readonly expired?: number }).expired ?? 0 },
};

/** To be called before any client or engine is made. */
export async function switchOff(): Promise<void> {
  if (off === undefined) return;
  const { RULES } = await import('../../packages/kazahana/dist/lease/switchable-rules.js');
  Object.assign(RULES, ENGINE[off]);
  if (off !== 'R8') return;
  // Nor does it recognise a lease when it comes again.
  const { KnownLeases } = await import('../../packages/kazahana/dist/client/known-leases.js');
  KnownLeases.prototype.has = () => false;
}

const YEARS_MS = 10 * 365 * 86_400_000;

/** R1 off: a client that does not look at the end of its window. */
const endless = (response: AcquireResponse): AcquireResponse => ({
  ...response,
  leases: response.leases.map((lease) => ({
    ...lease,
    expired: lease.expired + YEARS_MS,
    fallbackUntil: (lease.fallbackUntil ?? lease.expired) + YEARS_MS,
  })),
});

/** R8 off: a client that takes any response for the one to its request. */
const nameless = ({ requestId: _, ...response }: AcquireResponse): AcquireResponse => response;

/** The provider as the client sees it. */
export function providerWithout(provider: LeaseProvider): LeaseProvider {
  const misread = off === 'R1' ? endless : nameless;
  if (off !== 'R1' && off !== 'R8') return provider;
  return {
    acquire: async (options, call) => misread(await provider.acquire(options, call)),
    release: (options, call) => provider.release(options, call),
  };
}
