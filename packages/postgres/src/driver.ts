// Pools in PostgreSQL: from a read to its write there is one short transaction, with the pool's row locked.
import type { Changes, Environment, Facts, LeaseDriver, ReadSlot, Wanted } from 'kazahana/lease';
import { defaultEnvironment, InvalidArgumentError, StoreError } from 'kazahana/lease';
import { type Borrow, borrow, type Loan, onLoan, resultOf, type Statement } from './connections.js';
import { stateOf } from './errors.js';
import { incarnationFact } from './incarnation.js';
import { type ReadResponse, readSql, type Turn, toFacts } from './read.js';
import { checkVersion, migrate } from './schema/migrations.js';
import { checkSchemaName } from './schema/name.js';
import { keyOf } from './text.js';
import { BEGIN } from './transaction.js';
import type { PostgresPool } from './types.js';
import { DIVISION_BY_ZERO, writeSql } from './write.js';

export interface PostgresDriverOptions {
  /** The schema that holds everything; `kazahana` when left out. Two schemas have nothing in common. */
  readonly schema?: string | undefined;
  /** False when an operator sees to the schema, by `migrate()`; it is then only looked at before the first call. */
  readonly migrate?: boolean | undefined;
  readonly environment?: Environment | undefined;
  /** @internal An SQL expression in the place of the server's clock, for tests. */
  readonly clock?: string;
}

/** Rule R3, in whole milliseconds. */
const CLOCK = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
/** Slots that are removed at once, so that each statement is short. */
const DROP_AT_ONCE = 5000;

export class PostgresDriver implements LeaseDriver {
  readonly maxSlotsPerWrite = 10_000;
  readonly #borrow: Borrow;
  readonly #schema: string;
  readonly #s: string;
  readonly #prepare: typeof migrate;
  readonly #clock: string;
  readonly #turns = new WeakMap<Facts, Turn & { readonly loan: Loan }>();
  #ready: ReturnType<typeof incarnationFact> | undefined;

  constructor(pool: PostgresPool, options: PostgresDriverOptions = {}) {
    const { migrate: canMake = true, environment = defaultEnvironment, clock = CLOCK } = options;
    if (typeof pool?.connect !== 'function') throw new InvalidArgumentError('pool', 'a pg.Pool', pool);
    if (typeof canMake !== 'boolean') throw new InvalidArgumentError('migrate', 'true or false', canMake);
    this.#schema = checkSchemaName(options.schema);
    this.#s = `"${this.#schema}"`;
    this.#prepare = canMake ? migrate : checkVersion;
    this.#clock = clock;
    this.#borrow = () => borrow(pool, environment);
  }

  /** Makes the schema, or brings it up to date; safe from many servers at once, and where nothing is to be done. */
  migrate(): Promise<void> {
    return onLoan(this.#borrow, (loan) => migrate(loan, this.#schema));
  }

  async read(pool: string, wanted: Wanted): Promise<Facts> {
    const sql = readSql(this.#s, this.#clock, await this.#getReady(), pool, wanted);
    const loan = await this.#borrow();
    const response = resultOf(await this.#query(loan, sql)) as ReadResponse;
    const facts = toFacts(response, wanted);
    this.#turns.set(facts, { ...response, name: pool, wanted, loan });
    return facts;
  }

  async write(_: string, changes: Changes, facts: Facts): Promise<{ readonly serial: number } | 'changed'> {
    const turn = this.#turns.get(facts);
    // The transaction of these facts has ended, and its lock with it. An open one is on the connection of its read, which does
    // not outlive this life of the server (rule R7): a fail-over ends it, and the write fails.
    if (!turn) return 'changed';
    this.#turns.delete(facts);
    const serial = Math.max(facts.serial, changes.serialAtLeast) + changes.grants;
    try {
      const statements = await turn.loan.query(writeSql(this.#s, turn, changes, serial));
      turn.loan.giveBack();
      if (statements.at(-1)?.command === 'COMMIT') return { serial };
      throw new StoreError('STORE_UNAVAILABLE', 'PostgreSQL: the transaction was not committed');
    } catch (error) {
      if (stateOf(error) === DIVISION_BY_ZERO) return 'changed';
      throw error;
    }
  }

  async abandon(facts: Facts): Promise<void> {
    await this.#turns.get(facts)?.loan.rollBack();
    this.#turns.delete(facts);
  }

  async list(pool: string, generation: string, after: number, limit: number): Promise<readonly ReadSlot[]> {
    const listed = `SELECT data FROM ${this.#s}.slots WHERE generation = '${keyOf(pool, generation)}'
      AND slot > ${after} ORDER BY slot LIMIT ${limit}`;
    const list = `SELECT coalesce(json_agg(data), '[]')::text AS result FROM (${listed}) AS listed`;
    return resultOf(await this.#run(list)) as ReadSlot[];
  }

  /** Needs no lock, since the generation is no longer used. Many slots take many statements, each of them short. */
  async drop(pool: string, generation: string): Promise<void> {
    const of = `WHERE generation = '${keyOf(pool, generation)}'`;
    const first = `SELECT ctid FROM ${this.#s}.slots ${of} ORDER BY slot LIMIT ${DROP_AT_ONCE}`;
    const gone = `DELETE FROM ${this.#s}.slots WHERE ctid = ANY (ARRAY(${first})) RETURNING 1`;
    const remove = `WITH gone AS (${gone}) SELECT count(*)::text AS result FROM gone`;
    while (resultOf(await this.#run(remove)) !== 0);
    const forget = `UPDATE ${this.#s}.heads SET search = '' WHERE pool = '${keyOf(pool)}'`;
    await this.#run(`DELETE FROM ${this.#s}.quotas ${of}; ${forget}`);
  }

  /** A transaction that is one message. */
  async #run(sql: string): Promise<readonly Statement[]> {
    await this.#getReady();
    return onLoan(this.#borrow, (loan) => this.#query(loan, `${BEGIN}${sql}; COMMIT`));
  }

  #query(loan: Loan, sql: string): Promise<readonly Statement[]> {
    return loan.query(sql).catch((error) => {
      // An operator may have dropped the schema, or changed what this user may do: look at both again.
      if (/^(42|3F)/.test(stateOf(error))) this.#ready = undefined;
      throw error;
    });
  }

  /** Sees to the schema before the first call, and finds out how this server tells its incarnation. */
  #getReady(): ReturnType<typeof incarnationFact> {
    this.#ready ??= onLoan(this.#borrow, (loan) => this.#prepare(loan, this.#schema))
      .then(() => incarnationFact(this.#borrow))
      .catch((error) => {
        // The next call tries again.
        this.#ready = undefined;
        throw error;
      });
    return this.#ready;
  }
}
