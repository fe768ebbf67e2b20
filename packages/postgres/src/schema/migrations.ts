// Brings the schema up to the version that this code knows. Many servers may do so at once, on any state: one at a time
// gets the lock, and who comes later finds the work done. A version that is published is never changed again.
import { StoreError } from 'kazahana/lease';
import type { PostgresClient } from '../types.js';
import { acquireFunction } from './acquire-function.js';
import { operatorFunctions } from './operator-functions.js';
import { poolFunctions } from './pool-functions.js';
import { releaseFunctions } from './release-functions.js';
import { tables } from './tables.js';

/** By version, from 1. Functions of a later version that answer differently get new names, for servers that still run. */
const MIGRATIONS: readonly ((s: string, schema: string) => string)[] = [
  (s, schema) =>
    tables(s) +
    poolFunctions(s, schema) +
    acquireFunction(s, schema) +
    releaseFunctions(s) +
    operatorFunctions(s),
];

const quoted = (schema: string) => `"${schema}"`;

async function firstRow(client: PostgresClient, sql: string): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = (await client.query(sql)) as { rows: Readonly<Record<string, unknown>>[] };
  return rows[0] ?? {};
}

/** 0 when there is nothing yet. */
async function versionOf(client: PostgresClient, schema: string): Promise<number> {
  const table = `${quoted(schema)}.schema_version`;
  // Not to_regclass: that may answer from the session's memory, which does not know yet what another has just made.
  const exists = `SELECT EXISTS (SELECT FROM pg_catalog.pg_tables
    WHERE schemaname = '${schema}' AND tablename = 'schema_version')::text AS is_there`;
  const { is_there } = await firstRow(client, exists);
  if (is_there !== 'true') return 0;
  const { version } = await firstRow(client, `SELECT max(version)::text AS version FROM ${table}`);
  return Number(version ?? 0);
}

function isUpToDate(version: number, schema: string): boolean {
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      'STORE_INCOMPATIBLE',
      `PostgreSQL: schema ${schema} has version ${version}, this code knows ${MIGRATIONS.length}: update it`,
    );
  }
  return version === MIGRATIONS.length;
}

/** Refuses a schema that is not of this version. Needs no privilege but to read. */
export async function checkVersion(client: PostgresClient, schema: string): Promise<void> {
  const version = await versionOf(client, schema);
  if (isUpToDate(version, schema)) return;
  throw new StoreError(
    'STORE_INCOMPATIBLE',
    `PostgreSQL: schema ${schema} has version ${version}, this code needs ${MIGRATIONS.length}: call migrate()`,
  );
}

export async function migrate(client: PostgresClient, schema: string): Promise<void> {
  // Most servers find all done, and may lack the privileges to do it.
  if (isUpToDate(await versionOf(client, schema), schema)) return;
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit TO on');
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('kazahana/${schema}/migrate', 0))`);
  const version = await versionOf(client, schema);
  if (!isUpToDate(version, schema)) {
    await client.query(toSql(version, schema));
  }
  await client.query('COMMIT');
}

function toSql(from: number, schema: string): string {
  const s = quoted(schema);
  const steps = MIGRATIONS.slice(from).map(
    (step, i) => `${step(s, schema)}INSERT INTO ${s}.schema_version (version) VALUES (${from + i + 1});\n`,
  );
  // A schema that somebody with more privileges has made is as good as one of our own.
  const schemaItself = `
    DO $kazahana$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${schema}') THEN CREATE SCHEMA ${s}; END IF;
    END $kazahana$;
    CREATE TABLE ${s}.schema_version (version integer PRIMARY KEY, migrated_at timestamptz NOT NULL DEFAULT now());\n`;
  return (from === 0 ? schemaItself : '') + steps.join('');
}
