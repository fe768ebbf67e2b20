// What SQLite complains about, in the words that every store uses.
import { StoreError, type StoreErrorCode } from 'kazahana/lease';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html); the extended ones carry them in the low byte. */
const CODES: ReadonlyMap<number, readonly [code: StoreErrorCode, what: string]> = new Map([
  [3, ['STORE_REFUSED', 'access to the file is denied']],
  [5, ['STORE_BUSY', 'another process holds the file for too long']],
  [6, ['STORE_BUSY', 'another connection holds the file for too long']],
  [8, ['STORE_REFUSED', 'the file cannot be written']],
  [10, ['STORE_UNAVAILABLE', 'the disk fails to read or write']],
  [11, ['STORE_INCOMPATIBLE', 'the file is damaged']],
  [13, ['STORE_FULL', 'the disk is full']],
  [14, ['STORE_UNAVAILABLE', 'the file cannot be opened']],
  [26, ['STORE_INCOMPATIBLE', 'the file is not an SQLite database']],
]);

const BUSY = [5, 6];

function resultCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** Whether somebody else has the file just now. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && BUSY.includes(code);
}

/** An error of SQLite as a `StoreError`; anything else as it is. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = resultCode(error);
  if (code === undefined) return error;
  const [storeCode, what] = CODES.get(code) ?? ['STORE_UNAVAILABLE', `SQLite fails with code ${code}`];
  return new StoreError(storeCode, `${path}: ${what}`, { cause: error });
}
