// The servers between nodes and a store: each is the real engine with a memory of its own, which is empty after a
// restart. A balancer sends every request to any of them, so that a retry may reach another one.
import type { Environment } from 'kazahana';
import {
  type AcquireOptions,
  type AcquireResponse,
  LeaseEngine,
  type LeaseProvider,
  PoolExhaustedError,
  type PoolLoss,
  type ReleaseOptions,
  STORE_CLOCK_MARGIN_MS,
} from 'kazahana/lease';
import { brokenPoolRules, type Rule } from './rules-off.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';
import { NO_STORE_FAULTS, type StoreFaults, StoreLink } from './store-link.ts';
import { Random, type World } from './world.ts';

/** Who is told what the servers do. */
export interface ServerWatcher {
  noticed(loss: PoolLoss): void;
  /** A server should have noticed that the store forgot, and has not. */
  missed(what: string): void;
}

interface Server {
  readonly link: StoreLink;
  readonly engine: LeaseEngine;
}

export class Servers implements LeaseProvider {
  readonly #world: World;
  readonly #settings: Settings;
  readonly #region: number;
  readonly #store: Store;
  readonly #off: Rule | undefined;
  readonly #watcher: ServerWatcher;
  readonly #servers: Server[];

  constructor(
    world: World,
    settings: Settings,
    region: number,
    store: Store,
    off: Rule | undefined,
    watcher: ServerWatcher,
  ) {
    this.#world = world;
    this.#settings = settings;
    this.#region = region;
    this.#store = store;
    this.#off = off;
    this.#watcher = watcher;
    this.#servers = Array.from({ length: settings.servers }, () => this.#start(settings.store));
  }

  async acquire(options: AcquireOptions): Promise<AcquireResponse> {
    const { engine } = this.#world.random.pick(this.#servers);
    const { losses } = this.#store;
    const { isTrusted } = this.#settings;
    try {
      const response = await engine.acquire(options, { isTrusted });
      this.#checkNotice(options, losses);
      return response;
    } catch (error) {
      if (error instanceof PoolExhaustedError) this.#checkNotice(options, losses);
      throw error;
    }
  }

  async release(options: ReleaseOptions): Promise<void> {
    await this.#world.random.pick(this.#servers).engine.release(options);
  }

  async changeLayout(widths: { readonly bitId: number; readonly bitSeq: number }): Promise<void> {
    await this.#world.random.pick(this.#servers).engine.changeLayout(widths);
  }

  /** An operator makes the pool, if it is missing. */
  async createPool(options?: { readonly afterLoss: boolean }): Promise<void> {
    await this.#start(NO_STORE_FAULTS).engine.createPool(options);
  }

  /** One of the servers is killed, and starts anew with nothing remembered. */
  restart(at = this.#world.random.integer(0, this.#servers.length - 1)): void {
    this.#servers[at]?.link.cut();
    this.#servers[at] = this.#start(this.#settings.store);
  }

  restartAll(): void {
    for (const at of this.#servers.keys()) this.restart(at);
  }

  /** Rule R7: a request that speaks of a lost lease shows the loss: the pool must be in a quarantine that covers the lease. */
  #checkNotice({ renew = [] }: AcquireOptions, losses: number): void {
    // What was lost while the request was served may have been lost after it was decided.
    if (losses !== this.#store.losses) return;
    for (const claim of renew) {
      if (!this.#store.isMissing(claim)) continue;
      const { quarantinedFrom, quarantinedUntil } = this.#store.record;
      const hasBegunSince = claim.created <= quarantinedFrom + STORE_CLOCK_MARGIN_MS;
      if (hasBegunSince && claim.fallbackUntil <= quarantinedUntil) continue;
      this.#store.noticed();
      this.#watcher.missed(`the lost lease of slot ${claim.id} from ${claim.created} was not missed`);
    }
  }

  #start(faults: StoreFaults): Server {
    const { layout, services, regions, incidents } = this.#settings;
    const windows = Object.values(services).map(
      ({ leaseDuration, fallbackGrace }) => leaseDuration + fallbackGrace,
    );
    const missed = (what: string) => this.#watcher.missed(what);
    const link = new StoreLink(this.#world, this.#store, faults, this.#off, Math.max(...windows), missed);
    const share = this.#off === 'share' ? undefined : regions[this.#region];
    const options = {
      services: { default: services.default, orders: services.orders },
      pools: { default: { ...layout, ...(share && { share }) } },
      environment: this.#environment(),
      lossKey: 'the same on all servers',
      // What is missing may be lost, and the first client that calls may not know.
      createPools: incidents.totalLoss === undefined ? ('auto' as const) : ('never' as const),
      onLoss: (loss: PoolLoss) => this.#watcher.noticed(loss),
    };
    return { link, engine: new LeaseEngine(link, options, brokenPoolRules(this.#off)) };
  }

  #environment(): Environment {
    const chance = new Random(this.#world.random.integer(0, 2 ** 31));
    return {
      now: () => Math.floor(this.#world.time),
      random: (bytes) => chance.fill(bytes),
      sleep: (ms) => new Promise((resolve) => this.#world.after(ms, resolve)),
    };
  }
}
