// What the file holds. Every version of the schema is a step from the one before; `user_version` counts them, so that
// a file of any age is brought up to date, and one of a later version is left alone.
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from 'kazahana/lease';

const STEPS: readonly string[] = [
  `
  CREATE TABLE pools (
    name TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    serial INTEGER NOT NULL,
    custom_epoch INTEGER NOT NULL,
    bit_reserve INTEGER NOT NULL,
    bit_ts INTEGER NOT NULL,
    bit_id INTEGER NOT NULL,
    bit_seq INTEGER NOT NULL,
    former TEXT NOT NULL,
    quarantined_until INTEGER NOT NULL,
    lost_ids TEXT NOT NULL,
    max_window INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Used slots only. They are always the lowest ones, since never-used slots are granted in order.
  CREATE TABLE slots (
    pool TEXT NOT NULL,
    slot INTEGER NOT NULL,
    free_from INTEGER NOT NULL,
    PRIMARY KEY (pool, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX slots_by_free_from ON slots (pool, free_from, slot);

  CREATE TABLE leases (
    pool TEXT NOT NULL,
    id INTEGER NOT NULL,
    bit_seq INTEGER NOT NULL,
    bit_id INTEGER NOT NULL,
    service TEXT NOT NULL,
    holder TEXT NOT NULL,
    secret TEXT NOT NULL,
    created INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    fallback_until INTEGER NOT NULL,
    account TEXT,
    request TEXT,
    -- Where the lease stands in the answer to its request.
    position INTEGER NOT NULL,
    PRIMARY KEY (pool, id, bit_seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX leases_by_request ON leases (pool, request, position) WHERE request IS NOT NULL;
  CREATE INDEX leases_by_service ON leases (pool, service, fallback_until);
  CREATE INDEX leases_by_account ON leases (pool, account, fallback_until) WHERE account IS NOT NULL;
  `,
];

/** Brings a file up to date, inside a transaction of the caller's. */
export function migrate(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > STEPS.length) {
    throw new StoreError(
      'STORE_INCOMPATIBLE',
      `${path} has schema ${version}, this version of @kazahana/sqlite knows up to ${STEPS.length}: use a newer one`,
    );
  }
  for (const step of STEPS.slice(version)) database.exec(step);
  if (version < STEPS.length) database.exec(`PRAGMA user_version = ${STEPS.length}`);
}
