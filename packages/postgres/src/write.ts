// The message that ends a turn on a pool: all changes, and COMMIT. The pool is locked since the read, so nothing they
// rest on can have changed, unless an operator changed rows by hand; then a division by zero undoes the whole message.
import type { Changes, StoredSlot } from 'kazahana/lease';
import type { Turn } from './read.js';
import { nextSearchStart } from './search-start.js';
import { keyOf, toSqlJson } from './text.js';

export const DIVISION_BY_ZERO = '22012';

const QUOTA = 'quota, free_from, generation, slot';
const RESPONSE = 'request, created, keys, data';

/** A statement for rows, where there are any. */
const forRows = (rows: readonly string[], sql: string) => (rows.length > 0 ? [sql] : []);
/** The same; it fails when not every row is written. */
const forAllRows = (rows: readonly string[], sql: string) =>
  forRows(rows, `WITH w AS (${sql} RETURNING 1) SELECT 1 / (count(*) = ${rows.length})::integer FROM w`);

function quotaRows(pool: string, slots: readonly StoredSlot[]): string[] {
  return slots.flatMap(({ generation, slot, freeFrom, quotas }) => {
    const place = `${freeFrom}, '${keyOf(pool, generation)}'::uuid, ${slot}`;
    return [...new Set(quotas)].map((quota) => `('${keyOf(pool, quota)}'::uuid, ${place})`);
  });
}

export function writeSql(s: string, turn: Turn, changes: Changes, serial: number): string {
  const { name, pool, head } = turn;
  const before = changes.slots.map((change) => change.before);
  const after = changes.slots.map((change) => change.after);
  const slots = after.map(({ generation, slot, freeFrom, quotas, data }, i) => {
    const version = Number(before[i]?.version ?? 0) + 1;
    const stored = { generation, slot, freeFrom, quotas, data, version: String(version) };
    return `('${keyOf(name, generation)}', ${slot}, ${version}, ${freeFrom}, ${toSqlJson(stored)})`;
  });
  const uncounted = quotaRows(name, before);
  const counted = quotaRows(name, after);
  // A response that is replaced is removed first; where another one is found in its place, the write fails.
  const replaced = changes.responses.map(({ before: created, after: { request } }) => ({ request, created }));
  const removed = [...changes.forget, ...replaced]
    .filter(({ created }) => created !== null)
    .map(({ request, created }) => `('${keyOf(name, request)}'::uuid, ${created})`);
  const added = changes.responses.map(({ after }) => {
    const keys = JSON.stringify(after.slots.map(({ generation, slot }) => [keyOf(name, generation), slot]));
    return `('${keyOf(name, after.request)}', ${after.created}, '${keys}', ${toSqlJson(after)})`;
  });
  const next = (head?.turn ?? 0) + 1;
  const record = changes.pool ?? pool?.data;
  const version = changes.pool === undefined ? (pool?.version ?? 0) : next;
  const start = nextSearchStart(turn, after);
  return [
    ...forAllRows(
      slots,
      `INSERT INTO ${s}.slots AS t (generation, slot, version, free_from, data) VALUES ${slots}
        ON CONFLICT (generation, slot) DO UPDATE SET version = excluded.version, free_from = excluded.free_from,
          data = excluded.data WHERE t.version = excluded.version - 1`,
    ),
    ...forRows(uncounted, `DELETE FROM ${s}.quotas t WHERE (${QUOTA}) IN (VALUES ${uncounted})`),
    ...forRows(counted, `INSERT INTO ${s}.quotas (${QUOTA}) VALUES ${counted}`),
    ...forRows(removed, `DELETE FROM ${s}.responses WHERE (request, created) IN (VALUES ${removed})`),
    ...forAllRows(added, `INSERT INTO ${s}.responses (${RESPONSE}) VALUES ${added} ON CONFLICT DO NOTHING`),
    `DELETE FROM ${s}.heads WHERE pool = '${keyOf(name)}' AND turn = ${next - 1}`,
    `INSERT INTO ${s}.heads (pool, turn, version, data, serial, search, fresh, free_from, slot)
      VALUES ('${keyOf(name)}', ${next}, ${version}, ${record === undefined ? 'NULL' : toSqlJson(record)}, ${serial},
        '${start.search}', ${start.fresh}, ${start.free_from}, ${start.slot})`,
    'COMMIT',
  ].join(';\n');
}
