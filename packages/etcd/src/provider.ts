// Leases in etcd: the pools of a provider, and its way to them.
import { type CallOptions, LeaseStore, type PoolStorage } from 'kazahana/lease';
import { CompactionWatch } from './compaction.js';
import { Gateway } from './gateway.js';
import { PoolKeys } from './keys.js';
import { type EtcdLeaseProviderOptions, resolveSettings } from './options.js';
import { EtcdPool, type PoolContext } from './pool.js';

/** How often etcd was asked to change something, and how often it could not since somebody else was faster. */
export interface EtcdTraffic {
  readonly tries: number;
  readonly conflicts: number;
  /** Requests that were sent again, to another endpoint where there is one. */
  readonly failovers: number;
}

export class EtcdLeaseProvider extends LeaseStore {
  readonly #prefix: string;
  readonly #context: PoolContext;
  readonly #pools = new Map<string, EtcdPool>();

  constructor({ services, pools, environment, ...options }: EtcdLeaseProviderOptions) {
    super({
      ...(services && { services }),
      ...(pools && { pools }),
      ...(environment && { environment }),
    });
    const settings = resolveSettings(options);
    const gateway = new Gateway(settings, this.environment);
    this.#prefix = settings.prefix;
    this.#context = {
      gateway,
      environment: this.environment,
      compaction: new CompactionWatch(gateway, settings.onWarning),
      traffic: { tries: 0, conflicts: 0 },
    };
  }

  get traffic(): EtcdTraffic {
    const { gateway, traffic } = this.#context;
    return { ...traffic, failovers: gateway.failovers };
  }

  /** Ends the connections; calls that are under way fail. */
  async close(): Promise<void> {
    await this.#context.compaction.settled();
    await Promise.all([...this.#pools.values()].map((pool) => pool.settled()));
    this.#context.gateway.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected override async transact<Result>(
    name: string,
    work: (storage: PoolStorage, now: number) => Result,
    { signal }: CallOptions = {},
  ): Promise<Result> {
    signal?.throwIfAborted();
    // A pool that is not configured is refused before anything is asked.
    this.configured.pool(name);
    let pool = this.#pools.get(name);
    if (!pool) {
      pool = new EtcdPool(this.#context, new PoolKeys(this.#prefix, name));
      this.#pools.set(name, pool);
    }
    return pool.transact(work, signal);
  }
}
