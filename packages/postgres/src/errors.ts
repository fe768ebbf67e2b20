// What PostgreSQL and its client complain about, in the words that every store uses.
import { StoreError, type StoreErrorCode } from 'kazahana/lease';

/** By SQLSTATE, or by its class, the first two characters (PostgreSQL manual, appendix A). */
const STATES: Readonly<Record<string, readonly [code: StoreErrorCode, what: string]>> = {
  '08': ['STORE_UNAVAILABLE', 'the connection failed'],
  '25006': ['STORE_REFUSED', 'the server is read-only: a standby, or default_transaction_read_only is on'],
  '28': ['STORE_REFUSED', 'the server does not let this user in'],
  '3D': ['STORE_REFUSED', 'there is no such database'],
  '3F': ['STORE_INCOMPATIBLE', 'the schema is not there'],
  '40': ['STORE_BUSY', 'others were in the way, again and again'],
  '42501': ['STORE_REFUSED', 'this user lacks a privilege'],
  '42': ['STORE_INCOMPATIBLE', 'the schema is not the one that this version knows'],
  '53100': ['STORE_FULL', 'the disk is full'],
  '53300': ['STORE_BUSY', 'the server has too many connections'],
  '53': ['STORE_UNAVAILABLE', 'the server lacks resources'],
  '55P03': ['STORE_BUSY', 'a lock could not be had in time'],
  '57014': ['STORE_BUSY', 'the server gave up, by a timeout or because it was told to'],
  '57': ['STORE_UNAVAILABLE', 'the server is starting up or shutting down'],
  XX: ['STORE_UNAVAILABLE', 'the server is in trouble'],
};

/** The five characters by which PostgreSQL names an error; undefined for errors of other origin. */
export function sqlState(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && code.length === 5 && typeof severity === 'string' ? code : undefined;
}

/** Whether the server ended the transaction for the sake of another one: nothing of it was kept. */
export function isConflict(error: unknown): boolean {
  return sqlState(error)?.startsWith('40') ?? false;
}

/** Whether something of the schema is not there, which migrations would make. */
export function isMissing(error: unknown): boolean {
  return ['42P01', '42883', '3F000'].includes(sqlState(error) ?? '');
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const state = sqlState(error);
  if (state === undefined) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.includes('after calling end'))
      return new StoreError('STORE_CLOSED', 'PostgreSQL: the pool of connections has been ended', {
        cause: error,
      });
    return new StoreError('STORE_UNAVAILABLE', `PostgreSQL does not answer: ${message}`, { cause: error });
  }
  // The detail may show a row, and a row may hold a secret.
  delete (error as { detail?: unknown }).detail;
  const [code, what] = STATES[state] ??
    STATES[state.slice(0, 2)] ?? ['STORE_UNAVAILABLE', 'the server failed'];
  return new StoreError(code, `PostgreSQL: ${what} (${state}: ${(error as Error).message})`, {
    cause: error,
  });
}
