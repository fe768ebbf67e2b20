// Leases kept in this process: for tests, for the simulator, and for programs that are one process. It is the pool
// rules and nothing else, and so the measure of every other store.
import type { PoolStorage } from '../lease/storage.js';
import { LeaseStore, type LeaseStoreOptions, type SwitchableRules } from '../lease/store.js';
import { MemoryPool } from './memory-pool.js';

export type MemoryLeaseProviderOptions = LeaseStoreOptions;

/** All that a provider knows, at one moment. */
export type MemorySnapshot = ReadonlyMap<string, MemoryPool>;

export class MemoryLeaseProvider extends LeaseStore {
  readonly #pools = new Map<string, MemoryPool>();

  /** `rules` is for the simulator, which shows what each rule is for by breaking it. */
  constructor(options: MemoryLeaseProviderOptions = {}, rules: Partial<SwitchableRules> = {}) {
    super(options, rules);
  }

  /** A copy of everything, as a backup or a lagging replica would have it. */
  snapshot(): MemorySnapshot {
    return copies(this.#pools);
  }

  /** Goes back to a snapshot: what was acknowledged since is forgotten (rule R7). */
  restore(snapshot: MemorySnapshot): void {
    this.#pools.clear();
    for (const [name, pool] of copies(snapshot)) this.#pools.set(name, pool);
  }

  protected override async transact<Result>(
    name: string,
    work: (storage: PoolStorage, now: number) => Result,
  ): Promise<Result> {
    const pool = this.#pools.get(name) ?? new MemoryPool();
    const result = work(pool, this.environment.now());
    this.#pools.set(name, pool);
    return result;
  }
}

function copies(pools: MemorySnapshot): Map<string, MemoryPool> {
  return new Map([...pools].map(([name, pool]) => [name, pool.copy()]));
}
