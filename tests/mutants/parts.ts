// What `npm run mutants` changes, the tests that should notice, and the score that each part must reach. Paths are within
// packages/kazahana/src.

export interface Part {
  /** Files whose mutants are made. */
  readonly files: readonly string[];
  /** The tests that the mutants are shown to. */
  readonly tests: readonly string[];
  /** The least share of mutants that the tests must notice, equivalent ones aside; in percent. */
  readonly goal: number;
}

/**
 * Tests that mutants are not shown to, by a part of their name or path: they take longer than all others together, and a mutant that only
 * they notice counts as a survivor. They try many histories, or a large fleet.
 */
export const SLOW: readonly string[] = [
  'lease/layout-changes.test.ts',
  'lease/signature.test.ts › is that for any secret',
  'a fleet of a thousand',
  'a pool of 8192 slots at 99 %',
];

const POOL_TESTS = ['lease/*.test.ts', 'providers/{memory,memory-driver,broken-pools}.test.ts'];

export const PARTS: Readonly<Record<string, Part>> = {
  /** What a pool may grant, renew, free and believe. */
  rules: {
    files: [
      'lease/rules.ts',
      'lease/view.ts',
      'lease/calls.ts',
      'lease/renewals.ts',
      'lease/quotas.ts',
      'lease/loss.ts',
      'lease/loss-proof.ts',
      'lease/new-pool.ts',
    ],
    tests: POOL_TESTS,
    goal: 90,
  },
  /** Collect, read, decide, write; and the operators' calls. */
  engine: {
    files: [
      'lease/engine.ts',
      'lease/pool-runner.ts',
      'lease/operate.ts',
      'lease/change-layout.ts',
      'lease/open-slots.ts',
      'lease/records.ts',
    ],
    tests: POOL_TESTS,
    goal: 90,
  },
  /** One synchronous step of a client, and what it decides about its leases. */
  step: {
    files: [
      'client/sequencer.ts',
      'client/lease-choices.ts',
      'client/corrected-clock.ts',
      'client/held-lease.ts',
      'client/known-leases.ts',
      'id/timestamp.ts',
    ],
    tests: [
      'client/{sequencer,lease-choices,corrected-clock,held-lease,known-leases}.test.ts',
      'id/*.test.ts',
    ],
    goal: 90,
  },
  /** The step of monotonic UUIDs. */
  v7: {
    files: ['uuid/v7.ts', 'uuid/v7-generator.ts'],
    tests: ['uuid/*.test.ts'],
    goal: 90,
  },
  /** The rest of the client. */
  client: {
    files: ['client/client.ts', 'client/leases.ts', 'client/attempts.ts', 'client/callers.ts'],
    tests: ['client/*.test.ts'],
    goal: 80,
  },
  /** What refuses bad input. */
  validators: {
    files: [
      'uuid/validate.ts',
      'uuid/diagnose.ts',
      'uuid/parse.ts',
      'uuid/read.ts',
      'lease/requests.ts',
      'lease/signature.ts',
      'providers/http-response.ts',
    ],
    tests: ['uuid/*.test.ts', 'lease/*.test.ts', 'providers/http*.test.ts'],
    goal: 80,
  },
  /** External IDs. */
  codecs: {
    files: [
      'external/base64url.ts',
      'external/block.ts',
      'external/cipher.ts',
      'external/codec.ts',
      'external/frame.ts',
      'external/mixer.ts',
      'external/parse.ts',
      'external/xtea.ts',
    ],
    tests: ['external/*.test.ts'],
    goal: 80,
  },
};
