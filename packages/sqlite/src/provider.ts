// Leases in an SQLite file. A lease must survive a power loss, so every commit reaches the disk (`synchronous=FULL`);
// and since that is what costs, all calls that are waiting share one commit. Several processes may use one file: they
// take turns by `BEGIN IMMEDIATE`, and who finds it taken tries again after a short random time, for SQLite's own
// busy handler lets one process starve the others.
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as letOthersIn } from 'node:timers/promises';
import {
  type CallOptions,
  InvalidArgumentError,
  LeaseStore,
  type LeaseStoreOptions,
  type PoolStorage,
  StoreError,
} from 'kazahana/lease';
import { isBusy, toStoreError } from './errors.js';
import { prepareStatements, SqlitePool, type Statements } from './pool.js';
import { migrate } from './schema.js';

export interface SqliteLeaseProviderOptions extends LeaseStoreOptions {
  /** The file; it is made when it does not exist, its folder is not. */
  readonly path: string;
  /** How long to wait for other processes that hold the file, in milliseconds; 5,000 when left out. */
  readonly busyTimeout?: number;
}

const DEFAULT_BUSY_TIMEOUT = 5000;
/** Retries wait a random time up to this: about as long as a few commits take. */
const MAX_RETRY_MS = 8;
/** A commit for more would make the first wait for the last. */
const MAX_BATCH = 64;

/** A call that waits for its turn. */
interface Waiting {
  readonly pool: string;
  readonly work: (storage: PoolStorage, now: number) => unknown;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

interface Connection {
  readonly database: DatabaseSync;
  readonly statements: Statements;
}

export class SqliteLeaseProvider extends LeaseStore {
  readonly #path: string;
  readonly #busyTimeout: number;
  readonly #waiting: Waiting[] = [];
  #connection: Connection | undefined;
  #draining: Promise<void> | undefined;
  #isClosed = false;

  constructor({ path, busyTimeout = DEFAULT_BUSY_TIMEOUT, ...options }: SqliteLeaseProviderOptions) {
    super(options);
    if (typeof path !== 'string' || path === '') throw new InvalidArgumentError('path', 'a file name', path);
    if (!Number.isInteger(busyTimeout) || busyTimeout < 0) {
      throw new InvalidArgumentError('busyTimeout', 'a whole number of milliseconds', busyTimeout);
    }
    this.#path = path;
    this.#busyTimeout = busyTimeout;
  }

  /** Finishes what was asked for, then closes the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#draining;
    this.#connection?.database.close();
    this.#connection = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected override transact<Result>(
    pool: string,
    work: (storage: PoolStorage, now: number) => Result,
    { signal }: CallOptions = {},
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#isClosed) {
        reject(new StoreError('STORE_CLOSED', `${this.#path}: this provider has been closed`));
        return;
      }
      this.#waiting.push({ pool, work, signal, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Serves all that wait, as many as there are at a time, until nobody does. */
  async #drain(): Promise<void> {
    // Whoever calls in the same breath gets into the same commit.
    await null;
    while (this.#waiting.length > 0) {
      try {
        await this.#retry(() => this.#commitBatch());
      } catch (error) {
        // No transaction could be begun at all: nothing was done for anyone who waits.
        const refusal = toStoreError(error, this.#path);
        for (const { reject } of this.#waiting.splice(0)) reject(refusal);
      }
      await letOthersIn();
    }
    this.#draining = undefined;
  }

  /** Tries again while another process has the file. */
  async #retry(attempt: () => void): Promise<void> {
    const end = this.environment.now() + this.#busyTimeout;
    for (;;) {
      try {
        attempt();
        return;
      } catch (error) {
        if (!isBusy(error) || this.environment.now() >= end) throw error;
        const [chance = 0] = this.environment.random(new Uint8Array(1));
        await this.environment.sleep((chance / 256) * MAX_RETRY_MS);
      }
    }
  }

  #commitBatch(): void {
    this.#connection ??= open(this.#path);
    const { database } = this.#connection;
    database.exec('BEGIN IMMEDIATE');
    const batch = this.#waiting.splice(0, MAX_BATCH);
    let outcomes: Outcome[];
    try {
      outcomes = batch.map((call) => this.#run(call));
      database.exec('COMMIT');
    } catch (error) {
      // Nothing of the batch is kept, so nobody may be told that it was.
      rollback(database);
      const refusal = toStoreError(error, this.#path);
      for (const { reject } of batch) reject(refusal);
      return;
    }
    batch.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i] as Outcome;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.result as never);
    });
  }

  /** One call: all of it or, when it fails, nothing of it, whatever else is in the batch. */
  #run({ pool, work, signal }: Waiting): Outcome {
    if (signal?.aborted) return { error: signal.reason };
    const { database, statements } = this.#connection as Connection;
    database.exec('SAVEPOINT call');
    try {
      const result = work(new SqlitePool(pool, statements), this.environment.now());
      database.exec('RELEASE call');
      return { result };
    } catch (error) {
      // A failure of the store itself ends the whole batch; SQLite may have rolled it back already.
      if (toStoreError(error, this.#path) !== error) throw error;
      database.exec('ROLLBACK TO call');
      database.exec('RELEASE call');
      return { error };
    }
  }
}

function open(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('BEGIN IMMEDIATE');
    migrate(database, path);
    database.exec('COMMIT');
    return { database, statements: prepareStatements(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function rollback(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}
