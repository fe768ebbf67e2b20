// R4 as a law: whatever layouts a pool changes to, whatever is granted, released and renewed meanwhile, by whichever process, and
// wherever the store's clock steps, no suffix has two holders at one time.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryDriver } from '../providers/memory-driver.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { LeaseEngine } from './engine.js';
import { signRelease } from './signature.js';
import { RULES, type SwitchableRules } from './switchable-rules.js';
import type { LeaseInfo } from './types.js';

const SUFFIX_BITS = 22;
const SECOND = 1000;

/** What a lease keeps from others: suffixes from `start` to before `end`, from `created` to before `until`. */
interface Claim {
  readonly start: number;
  readonly end: number;
  readonly created: number;
  until: number;
  readonly lease: LeaseInfo;
}

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('acquire' as const), slots: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 9 * SECOND }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('layout' as const), bitId: fc.integer({ min: 2, max: 8 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('step' as const), ms: fc.integer({ min: -5000, max: 5000 }) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

/** Runs commands, and returns how many grants there were, and those that overlap an earlier one. */
async function run(
  commands: readonly { readonly by: number; readonly command: Command }[],
  rules: SwitchableRules = RULES,
) {
  const environment = virtualEnvironment();
  const driver = new MemoryDriver({ environment });
  const services = {
    default: { bitId: 4, bitSeq: SUFFIX_BITS - 4, leaseDuration: 5 * SECOND, fallbackGrace: 3 * SECOND },
  };
  const engines = [0, 1, 2].map(() => new LeaseEngine(driver, { environment, services }, rules));
  const claims: Claim[] = [];
  const overlaps: [Claim, Claim][] = [];
  let bitId = 4;
  let layouts = 0;
  const wait = async <Value>(call: Promise<Value>) => {
    call.catch(() => undefined);
    await environment.runUntilIdle();
    return call.catch(() => undefined);
  };
  for (const { by, command: one } of commands) {
    const engine = engines[by % engines.length] as LeaseEngine;
    if (one.do === 'acquire') {
      const response = await wait(
        engine.acquire({ throughputPerMs: one.slots * 2 ** (SUFFIX_BITS - bitId) }),
      );
      for (const lease of response?.leases ?? []) {
        const start = lease.id * 2 ** lease.bitSeq;
        const { created, fallbackUntil = lease.expired } = lease;
        const claim = { start, end: start + 2 ** lease.bitSeq, created, until: fallbackUntil, lease };
        const other = claims.find(
          (earlier) =>
            earlier.start < claim.end &&
            claim.start < earlier.end &&
            earlier.created < claim.until &&
            claim.created < earlier.until,
        );
        if (other) overlaps.push([other, claim]);
        claims.push(claim);
      }
    } else if (one.do === 'release') {
      const claim = claims[one.which % (claims.length || 1)];
      if (!claim) continue;
      const timestamp = environment.now();
      const { id, secret } = claim.lease;
      const signature = signRelease(secret, id, timestamp);
      const released = await wait(engine.release({ id, timestamp, signature }).then(() => true));
      if (released) claim.until = Math.min(claim.until, Math.max(claim.created, timestamp + 1));
    } else if (one.do === 'pass') await environment.advance(one.ms);
    else if (one.do === 'step') environment.set(environment.now() + one.ms);
    else {
      const changed = await wait(engine.changeLayout({ bitId: one.bitId, bitSeq: SUFFIX_BITS - one.bitId }));
      if (changed) layouts++;
      bitId = changed?.layout.bitId ?? bitId;
    }
  }
  return { grants: claims.length, layouts, overlaps };
}

const commands = fc.array(fc.record({ by: fc.nat(2), command }), { minLength: 20, maxLength: 80 });

it('no two leases have one suffix at one time, through changes of layout', async () => {
  let [grants, layouts] = [0, 0];
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const outcome = await run(list);
      grants += outcome.grants;
      layouts += outcome.layouts;
      expect(outcome.overlaps).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(grants).toBeGreaterThan(2000);
  expect(layouts).toBeGreaterThan(600);
});

it('fails when the ends of old windows are forgotten: it can', async () => {
  const forgetful = { ...RULES, *relayoutSlots() {} };
  const found = await fc.check(
    fc.asyncProperty(commands, async (list) => (await run(list, forgetful)).overlaps.length === 0),
    { numRuns: 150, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});
