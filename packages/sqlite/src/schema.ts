// What the file holds. `user_version` says which schema that is; this one is 2.
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from 'kazahana/lease';

const VERSION = 2;
const EARLIER = 'which no release had: when every lease in it has ended, remove it or name another file';
const LATER = `this version of @kazahana/sqlite knows ${VERSION}: use a newer one`;

/** Slots are here once they are written; before that they are in gaps, ranges whose ends belong to them. */
export const SCHEMA = `
  CREATE TABLE pools (pool TEXT PRIMARY KEY, data TEXT NOT NULL, version INT NOT NULL, serial INT NOT NULL)
    STRICT, WITHOUT ROWID;
  CREATE TABLE slots (pool TEXT, generation TEXT, slot INT CHECK (slot >= 0), free_from INT NOT NULL,
    quotas TEXT NOT NULL, data TEXT NOT NULL, version INT NOT NULL, PRIMARY KEY (pool, generation, slot))
    STRICT, WITHOUT ROWID;
  CREATE INDEX slots_by_free_from ON slots (pool, generation, free_from, slot);
  CREATE TABLE gaps (pool TEXT, generation TEXT, last INT, first INT NOT NULL CHECK (first <= last),
    PRIMARY KEY (pool, generation, last)) STRICT, WITHOUT ROWID;
  CREATE TABLE responses (pool TEXT, request TEXT, created INT NOT NULL, slots TEXT NOT NULL,
    PRIMARY KEY (pool, request)) STRICT, WITHOUT ROWID;
  CREATE TABLE quotas (pool TEXT, quota TEXT, free_from INT, generation TEXT, slot INT,
    PRIMARY KEY (pool, quota, free_from, generation, slot)) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};
`;

/** Whether the file has no schema yet; refuses one that this version cannot read. */
export function isBlank(database: DatabaseSync, path: string): boolean {
  const found = database.prepare('PRAGMA user_version').get()?.user_version as number;
  if (found === VERSION || found === 0) return found === 0;
  const what = `${path} has schema ${found}, ${found > VERSION ? LATER : EARLIER}`;
  throw new StoreError('STORE_INCOMPATIBLE', what);
}
