// What PostgreSQL and its client complain about, in the words that every store uses.
import { StoreError, type StoreErrorCode } from 'kazahana/lease';

const READ_ONLY = 'the server is read-only: a standby, or default_transaction_read_only is on';

/** By SQLSTATE, or by its class, the first two characters (PostgreSQL manual, appendix A). */
const STATES: Readonly<Record<string, readonly [code: StoreErrorCode, what: string]>> = {
  '25006': ['STORE_REFUSED', READ_ONLY],
  '28': ['STORE_REFUSED', 'the server does not let this user in'],
  '3D': ['STORE_REFUSED', 'there is no such database'],
  '3F': ['STORE_INCOMPATIBLE', 'the schema is not there'],
  '40': ['STORE_BUSY', 'another transaction was in the way'],
  '42501': ['STORE_REFUSED', 'this user lacks a privilege'],
  '42': ['STORE_INCOMPATIBLE', 'the schema is not the one that this version knows'],
  '53100': ['STORE_FULL', 'the disk is full'],
  '53300': ['STORE_BUSY', 'the server has too many connections'],
  // A standby does not tell its timeline.
  '55000': ['STORE_REFUSED', READ_ONLY],
  '55P03': ['STORE_BUSY', 'a lock could not be had in time'],
  '57014': ['STORE_BUSY', 'the server gave up, by a timeout or because it was told to'],
  'no response': ['STORE_UNAVAILABLE', 'the server cannot be reached'],
  ended: ['STORE_CLOSED', 'the pool of connections has been ended'],
};

/** The five characters by which PostgreSQL names an error; undefined for errors of other origin. */
export function sqlState(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && code.length === 5 && typeof severity === 'string' ? code : undefined;
}

/** The same of an error that has been put into our words. */
export function stateOf(error: unknown): string {
  return sqlState((error as { cause?: unknown } | undefined)?.cause) ?? '';
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // The detail may show a row, and a row may hold a secret.
  if (error instanceof Error) delete (error as { detail?: unknown }).detail;
  const message = error instanceof Error ? error.message : String(error);
  const state = sqlState(error) ?? (message.includes('after calling end') ? 'ended' : 'no response');
  const [code, what] = STATES[state] ??
    STATES[state.slice(0, 2)] ?? ['STORE_UNAVAILABLE', 'the server failed'];
  return new StoreError(code, `PostgreSQL: ${what} (${state}: ${message})`, { cause: error });
}
