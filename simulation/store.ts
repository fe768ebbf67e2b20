// The store: the real pool rules with a clock of their own, a front that tells the judge, and fail-overs to a replica
// that may lag.
import { MemoryLeaseProvider, type MemorySnapshot } from 'kazahana';
import type { AcquireOptions, LeaseProvider, ReleaseOptions } from 'kazahana/lease';
import { Clock } from './clock.ts';
import type { Oracle } from './oracle.ts';
import { brokenPoolRules, type Rule } from './rules-off.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

interface Replica {
  readonly state: MemorySnapshot;
  readonly leases: number;
}

export class Store implements LeaseProvider {
  readonly clock: Clock;
  /** Whether it has forgotten something, and not been told so yet. */
  isUnaware = false;
  readonly #oracle: Oracle;
  readonly #pool: MemoryLeaseProvider;
  #replica: Replica | undefined;

  constructor(world: World, { layout, services }: Settings, oracle: Oracle, off: Rule | undefined) {
    const { random } = world;
    this.clock = new Clock(world, random.integer(-500, 500), (random.next() - 0.5) * 1e-4);
    this.#oracle = oracle;
    this.#pool = new MemoryLeaseProvider(
      {
        services: { default: { ...layout, ...services.default }, orders: services.orders },
        environment: {
          now: () => this.clock.now(),
          random: (bytes) => random.fill(bytes),
          sleep: () => new Promise(() => {}),
        },
      },
      brokenPoolRules(off),
    );
  }

  async acquire(options: AcquireOptions) {
    // Only then, since looking is dear.
    if (this.isUnaware && options.seen) {
      const { serial } = await this.#pool.inspectPool();
      if (options.seen.serial > serial) this.isUnaware = false;
    }
    return this.#pool.acquire(options);
  }

  async release(options: ReleaseOptions) {
    await this.#pool.release(options);
    this.#oracle.released(options);
  }

  async changeLayout(widths: { readonly bitId: number; readonly bitSeq: number }): Promise<void> {
    await this.#pool.changeLayout(widths);
  }

  /** Brings the replica up to date. */
  replicate(): void {
    this.#replica = { state: this.#pool.snapshot(), leases: this.#oracle.leases.length };
  }

  /** The replica takes over, if there is one yet; returns how many leases are lost. */
  failOver(): number | undefined {
    if (!this.#replica) return undefined;
    const { state, leases } = this.#replica;
    const lost = this.#oracle.leases.length - leases;
    this.#pool.restore(state);
    this.#oracle.forgotten(leases);
    // Leases granted from now on are not the lost ones, though they come after them.
    this.replicate();
    return lost;
  }
}
