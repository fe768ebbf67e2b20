// What we need of `pg`: a pool that lends connections, and connections that take a whole transaction as one text. Any
// `pg.Pool` is one.

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

export interface PostgresClient {
  query(text: string): Promise<unknown>;
  /** Gives the connection back; with an error, or true, to be closed. */
  release(error?: Error | boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}
