// Pools that get one thing wrong about renewals, losses, shares or the makers of IDs: the conformance suite finds each.
import { describe, expect, it } from 'vitest';
import { LeaseEngine } from '../lease/engine.js';
import type { LeaseEngineOptions } from '../lease/provider-options.js';
import { signHold, signRelease } from '../lease/signature.js';
import type { SwitchableRules } from '../lease/switchable-rules.js';
import type { AcquireOptions, AcquireResponse, IdMaker, LeaseInfo, WhoisResult } from '../lease/types.js';
import { type ConformanceFactory, leaseProviderConformance } from '../testing/conformance.js';
import { virtualEnvironment } from '../virtual-environment.js';
import { MemoryDriver } from './memory-driver.js';

type EngineClass = new (
  driver: MemoryDriver,
  options: LeaseEngineOptions,
  rules?: Partial<SwitchableRules>,
) => LeaseEngine;

/** The suite's factory: providers in virtual time, several of them on one store. */
function factoryOf(Engine: EngineClass, rules: Partial<SwitchableRules> = {}): ConformanceFactory {
  return async (options) => {
    const environment = virtualEnvironment();
    const { now, advance } = environment;
    const driver = new MemoryDriver({ environment });
    const open = (more: LeaseEngineOptions) => new Engine(driver, { ...more, environment }, rules);
    return { provider: open(options), now, advance, reopen: async (more) => open(more) };
  };
}

describe('several providers on one store conform:', () => {
  const cases = leaseProviderConformance(factoryOf(LeaseEngine));
  for (const { name, run } of cases.filter(({ name }) => name.includes('another provider'))) it(name, run);
});

/** Knows the leases that it has given out. */
class Accomplice extends LeaseEngine {
  readonly known = new Map<number, LeaseInfo>();
  readonly all: LeaseInfo[] = [];

  override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
    const response = await super.acquire(options);
    for (const lease of response.leases) {
      this.known.set(lease.id, lease);
      this.all.push(lease);
    }
    return response;
  }
}

const without = (options: AcquireOptions, ...names: (keyof AcquireOptions)[]): AcquireOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => !names.includes(name as keyof AcquireOptions)),
  );

type Maker = (maker: IdMaker) => IdMaker | null;

/** Says something else about the makers of IDs. */
function withMakers(change: Maker): EngineClass {
  return class extends LeaseEngine {
    override async whois(id: bigint, pool?: string): Promise<WhoisResult> {
      const found = await super.whois(id, pool);
      return { ...found, maker: found.maker && change(found.maker) };
    }
  };
}

type BrokenPool = readonly [
  fault: string,
  rule: string,
  caughtBy: string,
  Engine: EngineClass,
  rules?: Partial<SwitchableRules>,
];

const brokenPools: readonly BrokenPool[] = [
  [
    'ignores renewals',
    'R2',
    'a renewal keeps the machine ID',
    class extends LeaseEngine {
      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        return super.acquire(without(options, 'renew'));
      }
    },
  ],
  [
    'renews for any caller that names a lease',
    'protocol',
    'a claim that is not signed by the holder is worthless',
    class extends Accomplice {
      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const renew = options.renew?.map((claim) => {
          const { secret = '' } = this.known.get(claim.id) ?? {};
          const timestamp = Math.max(claim.timestamp, this.environment.now());
          return { ...claim, timestamp, signature: signHold(secret, claim.id, timestamp) };
        });
        return super.acquire({ ...options, ...(renew && { renew }) });
      }
    },
  ],
  [
    'gives a renewed slot back as well',
    'R2',
    'in a full pool every holder can renew',
    class extends Accomplice {
      override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const response = await super.acquire(options);
        for (const { id, secret, created } of options.renew ? response.leases : []) {
          const timestamp = created - 1;
          await this.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
        }
        return response;
      }
    },
  ],
  [
    'renews nothing in quarantine',
    'R7',
    'in quarantine a holder can renew',
    LeaseEngine,
    { isSafeInQuarantine: () => false },
  ],
  [
    'renews everything in quarantine',
    'R7',
    'a lease that is about to end is not renewed',
    LeaseEngine,
    { isSafeInQuarantine: () => true },
  ],
  [
    'lets a lost lease go on in a slot that has another holder',
    'R7',
    'does not go on when its slot was granted since',
    LeaseEngine,
    { isNewest: () => true },
  ],
  [
    'does not mind that a lease is lost',
    'R7',
    'goes on with its machine ID, and the pool stops',
    LeaseEngine,
    { isLost: () => false },
  ],
  [
    'takes every claim that it cannot use for a loss',
    'R7',
    'released or renewed stops nothing',
    LeaseEngine,
    { isLost: (_slot, claim, now) => now < claim.fallbackUntil },
  ],
  [
    'looks for losses only in requests without an id',
    'R7',
    'a request with an id is as good an alarm',
    class extends LeaseEngine {
      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        return super.acquire(options.requestId === undefined ? options : without(options, 'seen'));
      }
    },
  ],
  [
    'does not look for losses when it repeats a response',
    'R7',
    'a request that is repeated is as good an alarm',
    class extends LeaseEngine {
      readonly #responses = new Set<string | undefined>();

      override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const isKnown = this.#responses.has(options.requestId);
        const response = await super.acquire(isKnown ? without(options, 'seen') : options);
        this.#responses.add(options.requestId);
        return response;
      }
    },
  ],
  [
    'remembers the last loss only',
    'R7',
    'two losses one after the other',
    LeaseEngine,
    {
      hasForgotten: (pool, serial, seen) =>
        seen.pool === pool.id ? seen.serial > serial : pool.lostIds.at(-1) !== seen.pool,
    },
  ],
  [
    'repeats the first response to a request for ever, or never again',
    'R8',
    'repeats its second response',
    class extends LeaseEngine {
      readonly #times = new Map<string, number>();

      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const { requestId = '' } = options;
        const times = (this.#times.get(requestId) ?? 0) + 1;
        this.#times.set(requestId, times);
        return super.acquire(times < 3 ? options : without(options, 'requestId'));
      }
    },
  ],
  [
    'shows the secret of a maker',
    'inspection',
    'an ID of a lease names its holder',
    class extends Accomplice {
      override async whois(id: bigint, pool?: string): Promise<WhoisResult> {
        const found = await super.whois(id, pool);
        return { ...found, secret: this.known.get(found.machineId)?.secret } as WhoisResult;
      }
    },
  ],
  [
    'does not know makers once their lease is released',
    'inspection',
    'an ID of a released lease names its holder',
    class extends LeaseEngine {
      override async whois(id: bigint, pool?: string): Promise<WhoisResult> {
        const found = await super.whois(id, pool);
        const isHeld = (await this.listLeases(pool)).some((lease) => lease.id === found.machineId);
        return { ...found, maker: isHeld ? found.maker : null };
      }
    },
  ],
  [
    'names a maker for later than it was there',
    'inspection',
    'to the end that was used and no further',
    withMakers((maker) => ({ ...maker, end: maker.end + 1 })),
  ],
  [
    'tells renewals apart',
    'inspection',
    'IDs of a lease and of its renewals name one window',
    class extends Accomplice {
      override async whois(id: bigint, pool?: string): Promise<WhoisResult> {
        const found = await super.whois(id, pool);
        const lease = this.all.findLast(({ created }) => created <= found.unixMs);
        return { ...found, maker: found.maker && { ...found.maker, created: lease?.created ?? 0 } };
      }
    },
  ],
  [
    'names a maker for every ID',
    'inspection',
    'an ID that no holder can have made',
    class extends LeaseEngine {
      override async whois(id: bigint, pool?: string): Promise<WhoisResult> {
        const found = await super.whois(id, pool);
        const maker = { serviceId: 'orders', holder: {}, created: 0, end: found.unixMs + 1 };
        return { ...found, maker: found.maker ?? maker };
      }
    },
  ],
  [
    'leases all machine IDs, whatever its share',
    'R2',
    'leases the machine IDs of its share',
    class extends LeaseEngine {
      constructor(driver: MemoryDriver, { pools = {}, ...options }: LeaseEngineOptions) {
        const whole = Object.entries(pools).map(([name, { share: _, ...layout }]) => [name, layout]);
        super(driver, { ...options, pools: Object.fromEntries(whole) });
      }
    },
  ],
];

describe('the suite finds a pool that', () => {
  for (const [fault, rule, caughtBy, Engine, rules] of brokenPools) {
    it(fault, async () => {
      const found = leaseProviderConformance(factoryOf(Engine, rules)).filter(({ name }) =>
        name.includes(caughtBy),
      );
      expect(found.map(({ name }) => name)).toHaveLength(1);
      const error = await found[0]?.run().catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(new RegExp(`^ConformanceError: ${rule}: .`));
    });
  }
});
