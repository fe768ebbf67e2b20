import { describe, expect, it } from 'vitest';
import { signRelease } from '../lease/signature.js';
import type {
  AcquireOptions,
  AcquireResponse,
  InspectedLease,
  LeaseInfo,
  ReleaseOptions,
} from '../lease/types.js';
import { MemoryLeaseProvider, type MemoryLeaseProviderOptions } from '../providers/memory.js';
import {
  ConformanceError,
  type ConformanceFactory,
  leaseProviderConformance,
  virtualEnvironment,
} from './index.js';

type ProviderClass = new (options: MemoryLeaseProviderOptions) => MemoryLeaseProvider;

/** The suite's factory for a provider that lives in virtual time. */
function inVirtualTime(Provider: ProviderClass): ConformanceFactory {
  return async (options) => {
    const environment = virtualEnvironment();
    const { now, advance } = environment;
    return { provider: new Provider({ ...options, environment }), now, advance };
  };
}

describe('the memory provider conforms:', () => {
  for (const { name, run } of leaseProviderConformance(inVirtualTime(MemoryLeaseProvider))) it(name, run);
});

describe('the memory provider conforms in real time, as stores do whose clock cannot be moved:', () => {
  const cases = leaseProviderConformance(async (options) => ({ provider: new MemoryLeaseProvider(options) }));
  for (const { name, run } of cases) it(name, run);
});

/** Knows the leases that it has given out, so that a broken provider can sign what it should have refused. */
class Accomplice extends MemoryLeaseProvider {
  readonly known = new Map<number, LeaseInfo>();

  override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
    const response = await super.acquire(options);
    for (const lease of response.leases) this.known.set(lease.id, lease);
    return response;
  }

  /** Releases whatever has this machine ID, at a time of its own. */
  forceRelease(options: ReleaseOptions, timestamp: number): Promise<void> {
    const lease = this.known.get(options.id);
    const signature = lease ? signRelease(lease.secret, lease.id, timestamp) : options.signature;
    return super.release({ ...options, signature, timestamp });
  }
}

const withoutRequestId = ({ requestId: _, ...options }: AcquireOptions): AcquireOptions => options;
const withoutSeen = ({ seen: _, ...options }: AcquireOptions): AcquireOptions => options;

function withLeases(response: AcquireResponse, change: (lease: LeaseInfo) => LeaseInfo): AcquireResponse {
  return { ...response, leases: response.leases.map(change) };
}

type BrokenProvider = readonly [fault: string, rule: string, caughtBy: string, Provider: ProviderClass];

const brokenProviders: readonly BrokenProvider[] = [
  [
    'deletes the slot on release and forgets its window, as the seed did',
    'R2',
    'a release frees the machine ID from timestamp + 1 on, and not before',
    class extends Accomplice {
      override async release(options: ReleaseOptions): Promise<void> {
        const { created = 0 } = this.known.get(options.id) ?? {};
        await this.forceRelease(options, created - 1);
      }
    },
  ],
  [
    'has two heads, and grants the same slots from both',
    'R2',
    'fifty acquires at once get fifty machine IDs',
    class extends MemoryLeaseProvider {
      readonly #other: MemoryLeaseProvider;
      #turn = 0;

      constructor(options: MemoryLeaseProviderOptions) {
        super(options);
        this.#other = new MemoryLeaseProvider(options);
      }

      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        return this.#turn++ % 2 === 0 ? super.acquire(options) : this.#other.acquire(options);
      }
    },
  ],
  [
    'grants anew for a request that it has granted',
    'R8',
    'a request that comes again gets the same response',
    class extends MemoryLeaseProvider {
      override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const response = await super.acquire(withoutRequestId(options));
        return options.requestId === undefined ? response : { ...response, requestId: options.requestId };
      }
    },
  ],
  [
    'repeats a response whose leases were released',
    'R8',
    'after one of its leases was released is granted anew',
    class extends MemoryLeaseProvider {
      readonly #responses = new Map<string, AcquireResponse>();

      override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const known = this.#responses.get(options.requestId ?? '');
        if (known) return known;
        const response = await super.acquire(options);
        if (options.requestId !== undefined) this.#responses.set(options.requestId, response);
        return response;
      }
    },
  ],
  [
    'lists secrets',
    'inspection',
    'shows all but the secrets',
    class extends Accomplice {
      override async listLeases(pool?: string): Promise<readonly InspectedLease[]> {
        const leases = await super.listLeases(pool);
        return leases.map((lease) => ({ ...lease, secret: this.known.get(lease.id)?.secret }));
      }
    },
  ],
  [
    'takes any signature',
    'protocol',
    'a release that does not fit is refused',
    class extends Accomplice {
      override release(options: ReleaseOptions): Promise<void> {
        return this.forceRelease(options, options.timestamp);
      }
    },
  ],
  [
    'takes a signature of any age',
    'protocol',
    'within half a minute',
    class extends Accomplice {
      override async release(options: ReleaseOptions): Promise<void> {
        const lease = this.known.get(options.id);
        const fits = lease && signRelease(lease.secret, lease.id, options.timestamp) === options.signature;
        await (fits ? this.forceRelease(options, lease.created) : super.release(options));
      }
    },
  ],
  [
    'frees the slot of a lease that it revokes',
    'R2',
    'its machine ID stays held',
    class extends Accomplice {
      override async revoke(lease: { id: number; pool?: string }): Promise<void> {
        const { created } = this.known.get(lease.id) ?? {};
        if (created === undefined) return super.revoke(lease);
        await this.forceRelease({ id: lease.id, signature: '', timestamp: 0 }, created);
      }
    },
  ],
  [
    'does not notice that its store forgot',
    'R7',
    'has seen a higher serial stops the pool',
    class extends MemoryLeaseProvider {
      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        return super.acquire(withoutSeen(options));
      }
    },
  ],
  [
    'raises the alarm for the same loss again and again',
    'R7',
    'stops this one, once',
    class extends MemoryLeaseProvider {
      #alarms = 0;

      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const { seen } = options;
        if (typeof seen?.pool !== 'string') return super.acquire(options);
        return super.acquire({ ...options, seen: { ...seen, pool: `${this.#alarms++}`.padStart(32, '0') } });
      }
    },
  ],
  [
    'leases the fallback half',
    'R5',
    'only the lower half',
    class extends MemoryLeaseProvider {
      override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const response = await super.acquire(options);
        return withLeases(response, (lease) => ({ ...lease, id: lease.id + 2 ** (lease.bitId - 1) }));
      }
    },
  ],
  [
    'tells a client of a longer window than it keeps',
    'R2',
    'no machine ID is leased twice for one moment',
    class extends MemoryLeaseProvider {
      override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const response = await super.acquire(options);
        return withLeases(response, (lease) => ({ ...lease, fallbackUntil: (lease.fallbackUntil ?? 0) + 1 }));
      }
    },
  ],
  [
    'makes up what a request leaves wrong',
    'protocol',
    'what is no request is refused',
    class extends MemoryLeaseProvider {
      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const { throughputPerMs } = options ?? {};
        if (throughputPerMs === undefined) return super.acquire(options);
        return super.acquire({
          ...options,
          throughputPerMs: Math.max(1, Math.ceil(Number(throughputPerMs))),
        });
      }
    },
  ],
  [
    'makes a row of secrets from one random value, as the seed did',
    'protocol',
    'secrets are 32 hexadecimal digits',
    class extends MemoryLeaseProvider {
      override async acquire(options: AcquireOptions): Promise<AcquireResponse> {
        const response = await super.acquire(options);
        const [first] = response.leases;
        return withLeases(response, (lease) => ({
          ...lease,
          secret: `${first?.secret.slice(0, 28)}${lease.id.toString(16).padStart(4, '0')}`,
        }));
      }
    },
  ],
  [
    'forgets what overlaps when the layout changes',
    'R4',
    'after a change to more machine IDs',
    class extends MemoryLeaseProvider {
      #fresh: MemoryLeaseProvider | undefined;
      readonly #options: MemoryLeaseProviderOptions;

      constructor(options: MemoryLeaseProviderOptions) {
        super(options);
        this.#options = options;
      }

      override acquire(options: AcquireOptions): Promise<AcquireResponse> {
        return this.#fresh ? this.#fresh.acquire(options) : super.acquire(options);
      }

      override changeLayout(layout: { bitId: number; bitSeq: number; pool?: string }) {
        this.#fresh = new MemoryLeaseProvider(this.#options);
        return this.#fresh.changeLayout(layout);
      }
    },
  ],
];

describe('the suite finds a provider that', () => {
  for (const [fault, rule, caughtBy, Provider] of brokenProviders) {
    it(fault, async () => {
      const cases = leaseProviderConformance(inVirtualTime(Provider));
      const found = cases.filter(({ name }) => name.includes(caughtBy));
      expect(found.length).toBe(1);
      for (const { run } of found) {
        const error: unknown = await run().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ConformanceError);
        expect((error as Error).message).toMatch(new RegExp(`^${rule}: .`));
      }
    });
  }

  it('contradicts itself about a pool', async () => {
    const services = { services: {} };
    const cases = leaseProviderConformance((options) =>
      inVirtualTime(MemoryLeaseProvider)('a' in (options.services ?? {}) ? services : options),
    );
    const last = cases.find(({ name }) => name.includes('state different layouts'));
    await expect(last?.run()).rejects.toThrow(/^R4: .* must be refused, it is not$/);
  });
});

describe('a case', () => {
  it('disposes of its subject, whether it passes or fails', async () => {
    let [made, disposed] = [0, 0];
    const cases = leaseProviderConformance(async (options) => {
      made++;
      const subject = await inVirtualTime(MemoryLeaseProvider)(options);
      const dispose = async () => {
        disposed++;
      };
      // Without time, some cases pass and some fail.
      return { ...subject, advance: async () => {}, dispose };
    });
    const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
    const statuses = new Set(outcomes.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(['fulfilled', 'rejected']);
    // The one that is refused at once is no subject.
    expect([made, disposed]).toEqual([cases.length, cases.length - 1]);
  });

  it('is skipped, with a reason, when its subject has no means to show what it asks', async () => {
    const skipped = new Map<string, string>();
    const cases = leaseProviderConformance(async (options) => {
      const store = new MemoryLeaseProvider(options);
      const provider = { acquire: store.acquire.bind(store), release: store.release.bind(store) };
      return { provider, isRemote: true };
    });
    for (const { name, run } of cases) {
      // As node:test does it; vitest's function throws.
      await run({ skip: (reason) => skipped.set(name, reason) });
    }
    const reasons = new Set(skipped.values());
    expect([...reasons].sort()).toEqual([
      'no second provider can be had on the same store',
      'the provider has no changeLayout',
      'the provider has no inspectPool',
      'the provider has no listLeases',
      'the provider has no quarantine',
      'the provider has no revoke',
      'the provider has no whois',
      'the provider is the way to a store, and its protocol has no accounts',
      "the store's time cannot be moved",
    ]);
  });

  it('passes on the error by which a test runner skips', async () => {
    const [last] = leaseProviderConformance(inVirtualTime(MemoryLeaseProvider)).filter(({ name }) =>
      name.startsWith('a pool keeps its layout'),
    );
    const skip = (reason: string) => {
      throw new RangeError(reason);
    };
    await expect(last?.run({ skip })).rejects.toThrow(RangeError);
  });

  it('is no function with a parameter, for which some runners would wait to be called back', () => {
    const lengths = leaseProviderConformance(inVirtualTime(MemoryLeaseProvider)).map(({ run }) => run.length);
    expect(new Set(lengths)).toEqual(new Set([0]));
  });

  it('has a name of its own', () => {
    const names = leaseProviderConformance(inVirtualTime(MemoryLeaseProvider)).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
