// Calls of the schema's functions. Each is a transaction of its own, sent as one message and so one round trip, with
// the isolation and the durability that the rules need, whatever the defaults of server, database, role or pool are.
import { StoreError } from 'kazahana/lease';
import { isConflict, isMissing, sqlState, toStoreError } from './errors.js';
import { checkVersion, migrate } from './schema/migrations.js';
import { toSqlJson } from './text.js';
import type { PostgresClient, PostgresPool } from './types.js';

/** After a deadlock or the like, which nothing here should cause: the transaction is run again so many times. */
const MAX_TRIES = 3;

/** Errors of a lent connection also come as events; those of the query are enough. */
const ignore = () => {};

interface Statement {
  readonly command?: unknown;
  readonly rows: readonly { readonly answer?: unknown }[];
}

export class PostgresConnection {
  readonly #pool: PostgresPool;
  readonly #schema: string;
  readonly #mayMigrate: boolean;
  #ready: Promise<void> | undefined;

  constructor(pool: PostgresPool, schema: string, mayMigrate: boolean) {
    this.#pool = pool;
    this.#schema = schema;
    this.#mayMigrate = mayMigrate;
  }

  migrate(): Promise<void> {
    return this.#borrow((client) => migrate(client, this.#schema));
  }

  /** The answer of a function, once it is committed. */
  async call<Answer>(name: string, args: object, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const answer = this.#call(name, args, signal);
    return (await (signal ? orAborted(answer, signal) : answer)) as Answer;
  }

  async #call(name: string, args: object, signal: AbortSignal | undefined): Promise<unknown> {
    await this.#getReady();
    const text = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit TO on;
SELECT "${this.#schema}".${name}(${toSqlJson(args)})::text AS answer; COMMIT`;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#borrow(
          async (client) => answerOf((await client.query(text)) as Statement[]),
          signal,
        );
      } catch (error) {
        if (isMissing((error as Error).cause)) this.#ready = undefined;
        if (!isConflict((error as Error).cause) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Sees to the schema before the first call; a failure is tried again with the next. */
  #getReady(): Promise<void> {
    const prepare = this.#mayMigrate ? migrate : checkVersion;
    this.#ready ??= this.#borrow((client) => prepare(client, this.#schema)).catch((error) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #borrow<Result>(
    use: (client: PostgresClient) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    let client: PostgresClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw toStoreError(error);
    }
    // The wait for a connection may have been long.
    if (signal?.aborted) {
      client.release();
      throw signal.reason;
    }
    client.on('error', ignore);
    let isClean = false;
    try {
      const result = await use(client);
      isClean = true;
      return result;
    } catch (error) {
      isClean = await canGoOn(client, error);
      throw toStoreError(error);
    } finally {
      client.removeListener('error', ignore);
      client.release(!isClean);
    }
  }
}

/** Ends a failed transaction, so that nobody else finds it in the connection. */
async function canGoOn(client: PostgresClient, error: unknown): Promise<boolean> {
  if (sqlState(error) === undefined && !(error instanceof StoreError)) return false;
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

/** What the one SELECT gave; nothing counts that was not committed. */
function answerOf(statements: readonly Statement[]): unknown {
  if (statements.at(-1)?.command !== 'COMMIT') throw new Error('the transaction was not committed');
  // Read here, since a program may have told `pg` to read JSON in a way of its own.
  return JSON.parse(String(statements.flatMap(({ rows }) => rows)[0]?.answer));
}

/** Lets the caller go when it gives up; what was sent goes on, and its connection comes back to the pool. */
function orAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
