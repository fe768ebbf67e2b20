// The message that begins a turn on a pool: it locks the pool's row, then finds the facts, and leaves the transaction
// open for the write. The facts are one statement of their own: under READ COMMITTED it sees what was committed before
// the lock was had, and its clock is read after that.
import type { Facts, ReadSlot, Wanted } from 'kazahana/lease';
import { type SearchStart, searchKey } from './search-start.js';
import { keyOf, toSqlJson } from './text.js';
import { BEGIN } from './transaction.js';

/** Facts, but for free slots: the numbers of those that were never written, and those that were. */
export interface ReadResponse extends Omit<Facts, 'free'> {
  readonly fresh: readonly number[];
  readonly used: readonly ReadSlot[];
  readonly head: (SearchStart & { readonly turn: number }) | null;
}

/** What was read, and what was wanted: a write follows. */
export type Turn = ReadResponse & { readonly name: string; readonly wanted: Wanted };

/** SQL by name: tables that the statement makes for itself, and the facts that it finds. */
type Named = Readonly<Record<string, string>>;

/**
 * Slots that were never written have no row: they are the ranges between those that were, from where the last search
 * found the first. Then come the others, from the index of the order; the plus keeps the limits of the range out of the
 * index, which would otherwise begin at the start's time and not at its slot.
 */
function freeTables(s: string, pool: string, free: NonNullable<Wanted['free']>): Named {
  const { from, to, skip, count } = free;
  const slots = `${s}.slots t WHERE t.generation = '${keyOf(pool, free.generation)}'`;
  return {
    start: `SELECT coalesce(max(fresh), ${from}) AS fresh, coalesce(max(free_from), 0) AS free_from,
      coalesce(max(slot), 0) AS slot FROM head WHERE search = '${searchKey(pool, free)}'`,
    gaps: `SELECT first, past, sum(past - first) OVER (ORDER BY past) AS total FROM (
      SELECT coalesce(lag(slot) OVER (ORDER BY slot) + 1, (SELECT fresh FROM start)) AS first, slot AS past
        FROM (SELECT t.slot FROM ${slots} AND t.slot >= (SELECT fresh FROM start) AND t.slot < ${to}
          UNION ALL SELECT ${to}) AS written) AS between_them WHERE first < past`,
    fresh: `SELECT generate_series(first + skipped, least(past, first + skipped + ${count}) - 1) AS data FROM (
      SELECT *, greatest(0, ${skip} - total + past - first)::bigint AS skipped FROM gaps WHERE total > ${skip}) AS gap
      LIMIT ${count}`,
    used: `SELECT t.data FROM ${slots}
      AND (t.free_from, t.slot) >= ((SELECT free_from FROM start), (SELECT slot FROM start))
      AND t.slot + 0 >= ${from} AND t.slot + 0 < ${to} ORDER BY t.free_from, t.slot
      OFFSET greatest(0, ${skip} - coalesce((SELECT max(total) FROM gaps), 0))
      LIMIT ${count} - (SELECT count(*) FROM fresh)`,
  };
}

/** Responses and slots by their keys: with LATERAL and LIMIT the planner has no choice but to look up each one. */
function namedTables(s: string, pool: string, { requests, slots }: Wanted): Named {
  const requestKeys = [...new Set(requests)].map((request) => keyOf(pool, request));
  // Other numbers were never written: the column has none.
  const numbered = slots.filter(({ slot }) => slot === (slot | 0));
  const slotKeys = numbered.map(({ generation, slot }) => [keyOf(pool, generation), slot]);
  return {
    responses: `SELECT a.* FROM jsonb_array_elements_text('${JSON.stringify(requestKeys)}') AS x,
      LATERAL (SELECT * FROM ${s}.responses t WHERE t.request = x::uuid LIMIT 1) AS a`,
    keys: `SELECT jsonb_array_elements('${JSON.stringify(slotKeys)}') AS x
      UNION SELECT jsonb_array_elements(keys) FROM responses`,
    slots: `SELECT t.data FROM keys, LATERAL (SELECT * FROM ${s}.slots t
      WHERE t.generation = (x ->> 0)::uuid AND t.slot = (x ->> 1)::integer LIMIT 1) AS t`,
  };
}

/** The schema is as SQL has it. The clock tells milliseconds, in SQL. */
export function readSql(s: string, clock: string, incarnation: Named, pool: string, wanted: Wanted): string {
  const { free, held } = wanted;
  const tables: Named = {
    clock: `SELECT ${clock} AS now`,
    head: `SELECT * FROM ${s}.heads WHERE pool = '${keyOf(pool)}' ORDER BY turn DESC LIMIT 1`,
    ...(free && freeTables(s, pool, free)),
    ...(wanted.slots.length + wanted.requests.length > 0 && namedTables(s, pool, wanted)),
  };
  const listOf = (table: string) =>
    tables[table] ? `coalesce((SELECT json_agg(data) FROM ${table}), '[]')` : `'[]'::json`;
  const isAhead = 't.free_from > (SELECT now FROM clock)';
  // JSON has no Infinity, and reads this number as such.
  const end = `coalesce(min(t.free_from)::text, '1e999')::json`;
  const quotas = wanted.quotas.map(
    (quota) => `(SELECT json_build_object('quota', ${toSqlJson(quota)}, 'count', count(*), 'firstEnd', ${end})
      FROM ${s}.quotas t WHERE t.quota = '${keyOf(pool, quota)}' AND ${isAhead})`,
  );
  const heldSlots = `${s}.slots t WHERE t.generation = '${keyOf(pool, held ?? '')}' AND ${isAhead}`;
  const facts: Named = {
    now: '(SELECT now FROM clock)',
    pool: `(SELECT json_build_object('data', data, 'version', version::text) FROM head WHERE data IS NOT NULL)`,
    serial: 'coalesce((SELECT serial FROM head), 0)',
    head: `(SELECT json_build_object('turn', turn, 'search', search, 'fresh', fresh, 'free_from', free_from,
      'slot', slot) FROM head)`,
    ...Object.fromEntries(['fresh', 'used', 'responses', 'slots'].map((list) => [list, listOf(list)])),
    quotas: `json_build_array(${quotas})`,
    held: held === undefined ? '0' : `(SELECT count(*) FROM ${heldSlots})`,
    ...incarnation,
  };
  return `${BEGIN}
INSERT INTO ${s}.pools (pool, name) VALUES ('${keyOf(pool)}', ${toSqlJson(pool)}) ON CONFLICT DO NOTHING;
SELECT FROM ${s}.pools WHERE pool = '${keyOf(pool)}' FOR UPDATE;
WITH ${Object.entries(tables).map(([name, sql]) => `${name} AS MATERIALIZED (${sql})`)}
SELECT json_build_object(${Object.entries(facts).map(([name, sql]) => `'${name}', ${sql}`)})::text AS result`;
}

export function toFacts({ head: _, fresh, used, ...facts }: ReadResponse, wanted: Wanted): Facts {
  const generation = wanted.free?.generation ?? '';
  const neverWritten = { freeFrom: 0, quotas: [], data: '', version: null };
  return { ...facts, free: [...fresh.map((slot) => ({ generation, slot, ...neverWritten })), ...used] };
}
