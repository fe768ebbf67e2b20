// What every lease provider must do, as cases that any test runner can take. For us it is the measure of all stores;
// for strangers who write a provider of their own it is the whole of what they must get right.
//
//   for (const { name, run } of leaseProviderConformance(factory)) test(name, run);
import { type ConformanceCase, conformanceCase } from './conformance/case.js';
import { refusal } from './conformance/checks.js';
import { grantCases } from './conformance/grant-cases.js';
import { lossCases } from './conformance/loss-cases.js';
import { memoryCases } from './conformance/memory-cases.js';
import { operatorCases } from './conformance/operator-cases.js';
import { poolCases } from './conformance/pool-cases.js';
import { quotaCases } from './conformance/quota-cases.js';
import { releaseCases } from './conformance/release-cases.js';
import { renewalCases } from './conformance/renewal-cases.js';
import { shareCases } from './conformance/share-cases.js';
import { type ConformanceFactory, toCase } from './conformance/subject.js';
import { whoisCases } from './conformance/whois-cases.js';

export type { CaseContext, ConformanceCase, ConformanceRule } from './conformance/case.js';
export { ConformanceError } from './conformance/checks.js';
export type {
  ConformanceFactory,
  ConformanceSubject,
  ConformingProvider,
} from './conformance/subject.js';

/** Services that cannot both be right about their pool. */
const CONTRADICTION = {
  services: {
    a: { pool: 'shared', bitId: 14, bitSeq: 8 },
    b: { pool: 'shared', bitId: 12, bitSeq: 10 },
  },
};

const CONTRADICTION_CASE = {
  name: 'services of one pool that state different layouts are refused, at the latest when they ask',
  rule: 'R4',
} as const;

/** A case of its own kind: the factory itself may refuse. */
function contradictionCase(factory: ConformanceFactory): ConformanceCase {
  return conformanceCase(
    CONTRADICTION_CASE,
    async () => ({}),
    async () => {
      await refusal('a configuration that contradicts itself', ['POOL_MISMATCH'], async () => {
        const { provider, dispose } = await factory(CONTRADICTION);
        try {
          for (const serviceId of Object.keys(CONTRADICTION.services)) await provider.acquire({ serviceId });
        } finally {
          await dispose?.();
        }
      });
    },
  );
}

/** The cases for the providers that `factory` makes: each case makes one, on a store that is empty. */
export function leaseProviderConformance(factory: ConformanceFactory): ConformanceCase[] {
  const cases = [
    ...grantCases,
    ...releaseCases,
    ...renewalCases,
    ...memoryCases,
    ...lossCases,
    ...poolCases,
    ...shareCases,
    ...quotaCases,
    ...operatorCases,
    ...whoisCases,
  ];
  return [...cases.map((definition) => toCase(factory, definition)), contradictionCase(factory)];
}
