// Connections on loan from the caller's pool. Every round trip has a time limit here: a server that hangs, or a network
// that lost the connection, must not keep a caller waiting. A connection that failed is closed, not given back.
import { type Environment, StoreError, within } from 'kazahana/lease';
import { sqlState, toStoreError } from './errors.js';
import type { PostgresClient, PostgresPool } from './types.js';

/** Longer than the server's own limits (transaction.ts): where the server still works, its error says more. */
const ROUND_TRIP_MS = 6000;

/** Errors of a lent connection also come as events; those of the query are enough. */
const ignore = () => {};

export interface Statement {
  readonly command?: string;
  readonly rows: readonly { readonly result?: unknown }[];
}

/** What the one SELECT with a result gave. */
export function resultOf(statements: readonly Statement[]): unknown {
  const row = statements.flatMap(({ rows }) => rows).find(({ result }) => result !== undefined);
  // Read here, since a program may have told `pg` to read JSON in a way of its own.
  return row && JSON.parse(String(row.result));
}

export class Loan {
  readonly #client: PostgresClient;
  readonly #environment: Environment;
  #isOver = false;

  constructor(client: PostgresClient, environment: Environment) {
    this.#client = client;
    this.#environment = environment;
    client.on('error', ignore);
  }

  /** Sends statements as one message. A failure ends the loan. */
  async query(text: string): Promise<readonly Statement[]> {
    try {
      return [await inTime(this.#environment, this.#client.query(text))].flat() as Statement[];
    } catch (error) {
      // After an error of any other origin than the server, the connection cannot be used.
      if (sqlState(error) === undefined) this.giveBack(true);
      await this.rollBack();
      throw toStoreError(error);
    }
  }

  /** Once is enough. */
  giveBack(isBroken = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client.removeListener('error', ignore);
    this.#client.release(isBroken);
  }

  /** Ends the transaction, so that the next user does not find it in the connection, and gives the connection back. */
  async rollBack(): Promise<void> {
    if (this.#isOver) return;
    await inTime(this.#environment, this.#client.query('ROLLBACK')).catch(() => this.giveBack(true));
    this.giveBack();
  }
}

export type Borrow = () => Promise<Loan>;

export async function borrow(pool: PostgresPool, environment: Environment): Promise<Loan> {
  const connecting = pool.connect();
  try {
    return new Loan(await inTime(environment, connecting), environment);
  } catch (error) {
    // It may still arrive.
    connecting.then((client) => client.release(), ignore);
    throw toStoreError(error);
  }
}

export async function onLoan<Result>(from: Borrow, work: (loan: Loan) => Promise<Result>): Promise<Result> {
  const loan = await from();
  try {
    const result = await work(loan);
    loan.giveBack();
    return result;
  } finally {
    // Unless it has been given back.
    await loan.rollBack();
  }
}

const late = () =>
  new StoreError('STORE_UNAVAILABLE', `PostgreSQL has not responded for ${ROUND_TRIP_MS / 1000} s`);

const inTime = <Result>(environment: Environment, work: Promise<Result>) =>
  within({ environment, ms: ROUND_TRIP_MS, late }, () => work);
