// What SQLite and the file system complain about, in the words that every store uses.
import { StoreError, type StoreErrorCode } from 'kazahana/lease';

const BUSY = 5;

/** Primary result codes of SQLite (https://sqlite.org/rescode.html), and codes of the file system. */
const MEANINGS: Readonly<Record<number | string, readonly [code: StoreErrorCode, what: string]>> = {
  [BUSY]: ['STORE_BUSY', 'another process holds the file for too long'],
  8: ['STORE_REFUSED', 'the file cannot be written'],
  10: ['STORE_UNAVAILABLE', 'the disk fails to read or write'],
  11: ['STORE_INCOMPATIBLE', 'the file is damaged'],
  13: ['STORE_FULL', 'the disk is full'],
  14: ['STORE_UNAVAILABLE', 'the file cannot be opened'],
  26: ['STORE_INCOMPATIBLE', 'the file is not an SQLite database'],
  EACCES: ['STORE_REFUSED', 'access to the file is denied'],
  EROFS: ['STORE_REFUSED', 'the file cannot be written'],
  ENOSPC: ['STORE_FULL', 'the disk is full'],
};

function codeOf(error: unknown): number | string | undefined {
  const { errcode, syscall, code } = (error ?? {}) as { errcode?: number; syscall?: string; code?: string };
  // Extended result codes carry the primary one in the low byte.
  return errcode === undefined ? syscall && code : errcode & 0xff;
}

/** Whether another connection has the file just now. */
export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY;

/** An error of SQLite or of the file system as a `StoreError`; anything else as it is. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const [storeCode, what] = MEANINGS[code] ?? ['STORE_UNAVAILABLE', `the file cannot be opened (${code})`];
  return new StoreError(storeCode, `${path}: ${what}`, { cause: error });
}
