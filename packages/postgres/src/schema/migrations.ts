// Brings the schema up to the version that this code knows. Many servers may do so at once, on any state: one at a time
// gets the lock, and the others then find the work done. A version that is published is never changed again.
import { StoreError } from 'kazahana/lease';
import { type Loan, resultOf } from '../connections.js';
import { tables } from './tables.js';

/** Version 1 kept its rules in functions; nothing was ever published with it. */
const VERSION = 2;

function refuse(schema: string, version: number, what: string): never {
  throw new StoreError('STORE_INCOMPATIBLE', `PostgreSQL: schema ${schema} has version ${version}, ${what}`);
}

/** Whether the schema is there. Refuses one of another version. */
async function isMade(loan: Loan, schema: string): Promise<boolean> {
  // Not to_regclass: that may read the session's memory, which does not know yet what another has just made.
  const exists = `SELECT count(*)::text AS result FROM pg_catalog.pg_tables
    WHERE schemaname = '${schema}' AND tablename = 'schema_version'`;
  if (resultOf(await loan.query(exists)) === 0) return false;
  const highest = `SELECT coalesce(max(version), 0)::text AS result FROM "${schema}".schema_version`;
  const version = resultOf(await loan.query(highest)) as number;
  if (version > VERSION) refuse(schema, version, `this code knows ${VERSION}: update it`);
  const remedy = `drop it (DROP SCHEMA "${schema}" CASCADE) when all its leases have ended, or name another schema`;
  if (version < VERSION)
    refuse(schema, version, `which no release has used and this code cannot read: ${remedy}`);
  return true;
}

/** Needs no privilege but to read. */
export async function checkVersion(loan: Loan, schema: string): Promise<void> {
  if (!(await isMade(loan, schema))) refuse(schema, 0, `this code needs ${VERSION}: call migrate()`);
}

export async function migrate(loan: Loan, schema: string): Promise<void> {
  // Most servers find all done, and may lack the privileges to do it.
  if (await isMade(loan, schema)) return;
  await loan.query('BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit TO on');
  await loan.query(`SELECT pg_advisory_xact_lock(hashtextextended('kazahana/${schema}/migrate', 0))`);
  const s = `"${schema}"`;
  // A schema that an operator has made, who has more privileges, is as good as one of our own.
  const sql = `
    DO $kazahana$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${schema}') THEN CREATE SCHEMA ${s}; END IF;
    END $kazahana$;
    CREATE TABLE ${s}.schema_version (version integer PRIMARY KEY, migrated_at timestamptz NOT NULL DEFAULT now());
    INSERT INTO ${s}.schema_version (version) VALUES (${VERSION});${tables(s)}`;
  await loan.query(`${(await isMade(loan, schema)) ? '' : sql} COMMIT`);
}
