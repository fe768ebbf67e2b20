// Pools in an SQLite file. A read begins a transaction and takes the file's write lock (`BEGIN IMMEDIATE`), a write
// commits it: between the two no other process writes. The transactions of this process queue.
import { resolve } from 'node:path';
import { setImmediate as letOthersIn } from 'node:timers/promises';
import type { Changes, Environment, Facts, LeaseDriver, ReadSlot, Wanted } from 'kazahana/lease';
import { checkInteger, defaultEnvironment, InvalidArgumentError, StoreError } from 'kazahana/lease';
import { Connection } from './connection.js';
import { isBusy, toStoreError } from './errors.js';
import { PoolRecords } from './records.js';

export interface SqliteDriverOptions {
  /** The file; it is made when it does not exist, its folder is not. */
  readonly path: string;
  /** How long to wait for other processes that hold the file, in milliseconds; 5,000 when left out. */
  readonly busyTimeout?: number;
  readonly environment?: Environment;
}

/**
 * Retries wait a random time: up to what a few commits take, so that two processes have about the same share. One that
 * has tried 32 times is one of many: it waits longer, or all would be busy with trying.
 */
const RETRY_MS = { first: 8, last: 64 };
/** So many slots are removed in one transaction: a few milliseconds, in which the process does nothing else. */
const DROPPED_AT_ONCE = 500;

/** For each file, the last transaction of this process that waits: it resolves when that has ended. */
const lastTurns = new Map<string, Promise<void>>();

export class SqliteDriver implements LeaseDriver {
  /** SQLite takes any number. So many, all slots of a default pool, keep the process busy for half a second. */
  readonly maxSlotsPerWrite = 8192;
  readonly #path: string;
  readonly #busyTimeout: number;
  readonly #environment: Environment;
  #connection: Connection | undefined;
  /** What was read in the transaction that is open. */
  #facts: Facts | undefined;
  #endTurn = () => {};
  #isClosed = false;

  constructor({ path, busyTimeout = 5000, environment = defaultEnvironment }: SqliteDriverOptions) {
    if (typeof path !== 'string' || path === '' || /^(?::memory:$|file:)/.test(path)) {
      throw new InvalidArgumentError('path', 'the name of a file, not a URL and not :memory:', path);
    }
    this.#path = resolve(path);
    this.#busyTimeout = checkInteger('busyTimeout', busyTimeout, 0, 2 ** 31);
    this.#environment = environment;
  }

  read(pool: string, wanted: Wanted): Promise<Facts> {
    return this.#begin(({ statements, identity = '' }) => {
      // The lock is held: the time is read after every wait (rule R3).
      const found = new PoolRecords(statements, pool).read(wanted, this.#environment.now());
      this.#facts = { ...found, incarnation: { id: identity, mayLose: true } };
      return this.#facts;
    });
  }

  async write(pool: string, changes: Changes, facts: Facts): Promise<{ serial: number } | 'changed'> {
    // Without the lock that the facts were read under, anything may have changed.
    if (this.#facts !== facts) return 'changed';
    return this.#finish(pool, (records) => records.write(changes, facts.now));
  }

  async abandon(facts: Facts): Promise<void> {
    if (this.#facts === facts) this.#finish('', () => 'changed');
  }

  async list(pool: string, generation: string, after: number, limit: number): Promise<readonly ReadSlot[]> {
    await this.#begin(() => {});
    return this.#finish(pool, (records) => records.list(generation, after, limit));
  }

  async drop(pool: string, generation: string): Promise<void> {
    for (let dropped = DROPPED_AT_ONCE; dropped === DROPPED_AT_ONCE; ) {
      await this.#begin(() => {});
      dropped = this.#finish(pool, (records) => records.drop(generation, DROPPED_AT_ONCE));
    }
  }

  async close(): Promise<void> {
    await this.#takeTurn();
    this.#isClosed = true;
    // The companions of a file that is gone must not stay for the next one.
    if (this.#connection?.isCurrent() === false) await this.#lock().catch(() => {});
    this.#disconnect();
    this.#endTurn();
  }

  /** Waits for its turn and for the file, and does the first work of a transaction. `#finish` must follow. */
  async #begin<Result>(work: (connection: Connection) => Result): Promise<Result> {
    await this.#takeTurn();
    try {
      return work(await this.#lock());
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Takes the write lock of the file that is at the path now (rule R7). */
  async #lock(): Promise<Connection> {
    const end = this.#environment.now() + this.#busyTimeout;
    for (let attempt = 1; ; attempt++) {
      try {
        this.#connection ??= this.#connect();
        this.#connection.database.exec('BEGIN IMMEDIATE');
        if (this.#connection.isCurrent()) return this.#connection;
        this.#connection.leave();
        this.#connection = undefined;
      } catch (error) {
        if (!isBusy(error) || this.#environment.now() >= end) throw error;
        // SQLite's own way to wait lets one process starve the others. A random time gives each its chance.
        const [chance = 0] = this.#environment.random(new Uint8Array(1));
        const longest = Math.min(Math.max(RETRY_MS.first, attempt / 4), RETRY_MS.last);
        await this.#environment.sleep((chance / 256) * longest);
      }
    }
  }

  #connect(): Connection {
    if (this.#isClosed) throw new StoreError('STORE_CLOSED', `${this.#path}: this driver has been closed`);
    return new Connection(this.#path);
  }

  /** Does the last work of a transaction and ends it: with a commit, unless something has changed. */
  #finish<Result>(pool: string, work: (records: PoolRecords) => Result): Result {
    const connection = this.#connection as Connection;
    try {
      const result = work(new PoolRecords(connection.statements, pool));
      connection.database.exec(result === 'changed' ? 'ROLLBACK' : 'COMMIT');
      // A commit to a file that is gone keeps nothing. The next transaction leaves it.
      if (result !== 'changed' && !connection.isCurrent()) {
        throw new StoreError('STORE_UNAVAILABLE', `${this.#path}: the file was removed or replaced just now`);
      }
      this.#endTransaction();
      return result;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Ends a transaction that failed, and a connection that SQLite complains about. Returns what to throw. */
  #fail(error: unknown): unknown {
    this.#endTransaction();
    if (!isBusy(error) && !(error instanceof StoreError)) this.#disconnect();
    return toStoreError(error, this.#path);
  }

  #disconnect(): void {
    this.#connection?.database.close();
    this.#connection = undefined;
  }

  async #takeTurn(): Promise<void> {
    const before = lastTurns.get(this.#path);
    let end = () => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    lastTurns.set(this.#path, turn);
    await before;
    this.#endTurn = end;
  }

  /** The next transaction begins a moment later: other processes, and other work of this one, come in between. */
  #endTransaction(): void {
    this.#facts = undefined;
    void letOthersIn().then(this.#endTurn);
  }
}
