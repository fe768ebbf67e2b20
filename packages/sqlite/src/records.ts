// Records in and out of the tables, inside a transaction. No rule lives here.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Changes, Facts, ReadSlot, SlotKey, StoredResponse, StoredSlot, Wanted } from 'kazahana/lease';
import { fromStored, toStored } from './text.js';

const GENERATION = 'pool = :pool AND generation = :generation';
const RESPONSE = 'pool = :pool AND request = :request';
const READ_SLOTS = `SELECT generation, slot, free_from AS freeFrom, quotas, data, version
  FROM slots WHERE ${GENERATION}`;

// What is written has version 1 if it was missing, else one more than before. What had another version stays.
const SQL = {
  readPool: 'SELECT data, version, serial FROM pools WHERE pool = :pool',
  writePool: `INSERT INTO pools VALUES (:pool, coalesce(:data, ''), 1, :serialAtLeast + :grants)
    ON CONFLICT DO UPDATE SET data = coalesce(:data, data), version = version + (:data IS NOT NULL),
    serial = max(serial, :serialAtLeast) + :grants WHERE version = :version RETURNING version, serial`,

  readSlot: `${READ_SLOTS} AND slot = :slot`,
  // The sign keeps SQLite from searching by number and sorting what it finds.
  nextSlots: `${READ_SLOTS} AND +slot >= :from AND +slot < :to ORDER BY free_from, slot LIMIT :count OFFSET :skip`,
  listSlots: `${READ_SLOTS} AND slot > :after ORDER BY slot LIMIT :limit`,
  countHeld: `SELECT count(*) AS count FROM slots WHERE ${GENERATION} AND free_from > :now`,
  writeSlot: `INSERT INTO slots VALUES (:pool, :generation, :slot, :freeFrom, :quotas, :data, 1)
    ON CONFLICT DO UPDATE SET free_from = :freeFrom, quotas = :quotas, data = :data, version = version + 1
    WHERE version = :version RETURNING version`,

  readGaps: `SELECT first, last FROM gaps WHERE ${GENERATION} AND last >= :from ORDER BY last LIMIT :limit`,
  writeGap: 'INSERT OR REPLACE INTO gaps VALUES (:pool, :generation, :last, :first)',
  deleteGap: `DELETE FROM gaps WHERE ${GENERATION} AND last = :last`,

  readResponse: `SELECT request, created, slots FROM responses WHERE ${RESPONSE}`,
  createResponse:
    'INSERT OR IGNORE INTO responses VALUES (:pool, :request, :created, :slots) RETURNING request',
  deleteResponse: `DELETE FROM responses WHERE ${RESPONSE} AND created = :created RETURNING request`,

  countQuota: `SELECT count(*) AS count, min(free_from) AS firstEnd FROM quotas
    WHERE pool = :pool AND quota = :quota AND free_from > :now`,
  writeQuota: 'INSERT OR IGNORE INTO quotas VALUES (:pool, :quota, :freeFrom, :generation, :slot)',
  deleteQuota: `DELETE FROM quotas WHERE quota = :quota AND free_from = :freeFrom AND ${GENERATION} AND slot = :slot`,

  dropSlots: `DELETE FROM slots WHERE ${GENERATION} AND slot IN
    (SELECT slot FROM slots WHERE ${GENERATION} LIMIT :limit) RETURNING slot`,
  dropGaps: `DELETE FROM gaps WHERE ${GENERATION}`,
  dropQuotas: `DELETE FROM quotas WHERE ${GENERATION}`,
} as const;

export type Statements = Readonly<Record<keyof typeof SQL, StatementSync>>;
type Row = Readonly<Record<string, string | number | null>>;

/** Compiled once for a connection. */
export function prepareStatements(database: DatabaseSync): Statements {
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Statements;
}

const keyOf = ({ generation, slot }: SlotKey) => ({ generation, slot });

/** A range of slots that were never written. */
type Gap = { readonly first: number; readonly last: number };
/** A generation in which nothing was written; its end is further than that of any pool. */
const WHOLE: Gap = { first: 0, last: Number.MAX_SAFE_INTEGER };

/** One pool in the file. */
export class PoolRecords {
  readonly #statements: Statements;
  readonly #pool: string;

  constructor(statements: Statements, pool: string) {
    this.#statements = statements;
    this.#pool = pool;
  }

  read({ free, held, ...wanted }: Wanted, now: number): Facts {
    const [record] = this.#run('readPool');
    const responses = wanted.requests.flatMap((request) =>
      this.#run('readResponse', { request }).map(toResponse),
    );
    const keys = [...wanted.slots, ...responses.flatMap(({ slots }) => slots)];
    const unique = new Map(keys.map((key) => [`${key.slot} ${key.generation}`, keyOf(key)]));
    return {
      now,
      pool: record ? { data: String(record.data), version: String(record.version) } : null,
      serial: Number(record?.serial ?? 0),
      free: free ? this.#free(free) : [],
      slots: [...unique.values()].flatMap((key) => this.#run('readSlot', key).map(toSlot)),
      responses,
      quotas: wanted.quotas.map((quota) => this.#counted(quota, now)),
      held: held === undefined ? 0 : Number(this.#run('countHeld', { generation: held, now })[0]?.count),
    };
  }

  list(generation: string, after: number, limit: number): ReadSlot[] {
    return this.#run('listSlots', { generation, after, limit }).map(toSlot);
  }

  /** 'changed' as soon as something is not as it was read: the caller must roll back then. */
  write(changes: Changes, now: number): { serial: number } | 'changed' {
    const { poolVersion: version, pool: data = null, grants, serialAtLeast } = changes;
    const [pool] = this.#run('writePool', { version, data, grants, serialAtLeast });
    const isAsRead =
      pool?.version === Number(version) + (data === null ? 0 : 1) &&
      changes.quotas.every(({ quota, count }) => this.#counted(quota, now).count <= count) &&
      changes.slots.every(({ before, after }) => this.#writeSlot(before, after)) &&
      changes.responses.every(({ before, after }) => this.#writeResponse(before, after));
    if (!isAsRead) return 'changed';
    for (const { request, created } of changes.forget) this.#run('deleteResponse', { request, created });
    return { serial: Number(pool.serial) };
  }

  /** Removes some slots of a generation, and returns how many. */
  drop(generation: string, limit: number): number {
    for (const name of ['dropGaps', 'dropQuotas'] as const) this.#run(name, { generation });
    return this.#run('dropSlots', { generation, limit }).length;
  }

  #free({ generation, from, to, skip, count }: NonNullable<Wanted['free']>): ReadSlot[] {
    const free: ReadSlot[] = [];
    let toSkip = skip;
    for (const { first, last } of this.#gaps(generation, from, skip + count)) {
      const [start, end] = [Math.max(first, from), Math.min(last + 1, to)];
      for (let slot = start + toSkip; slot < end && free.length < count; slot++) {
        free.push({ generation, slot, freeFrom: 0, quotas: [], data: '', version: null });
      }
      toSkip = Math.max(0, toSkip - Math.max(0, end - start));
    }
    const rest = { generation, from, to, skip: toSkip, count: count - free.length };
    return [...free, ...this.#run('nextSlots', rest).map(toSlot)];
  }

  /** The first gaps that end at `from` or above. */
  #gaps(generation: string, from: number, limit: number): readonly Gap[] {
    const found = this.#run('readGaps', { generation, from, limit }) as readonly unknown[] as Gap[];
    return found.length > 0 ? found : [WHOLE];
  }

  #counted(quota: string, now: number): Facts['quotas'][number] {
    const [row] = this.#run('countQuota', { quota, now });
    return { quota, count: Number(row?.count), firstEnd: Number(row?.firstEnd ?? Number.POSITIVE_INFINITY) };
  }

  #writeSlot({ version, ...before }: ReadSlot, { quotas, data, freeFrom }: StoredSlot): boolean {
    const key = keyOf(before);
    const [row] = this.#run('writeSlot', { ...key, version, freeFrom, data, quotas: JSON.stringify(quotas) });
    if (version === null) this.#leaveGap(key);
    for (const quota of before.quotas) this.#run('deleteQuota', { ...key, quota, freeFrom: before.freeFrom });
    for (const quota of quotas) this.#run('writeQuota', { ...key, quota, freeFrom });
    return row?.version === Number(version) + 1;
  }

  #leaveGap({ generation, slot }: SlotKey): void {
    const [{ first, last } = WHOLE] = this.#gaps(generation, slot, 1);
    this.#run('deleteGap', { generation, last });
    if (first < slot) this.#run('writeGap', { generation, first, last: slot - 1 });
    if (slot < last) this.#run('writeGap', { generation, first: slot + 1, last });
  }

  #writeResponse(before: number | null, { request, created, slots }: StoredResponse): boolean {
    const isRemoved = before === null || this.#run('deleteResponse', { request, created: before }).length > 0;
    const row = { request, created, slots: JSON.stringify(slots.map(keyOf)) };
    return isRemoved && this.#run('createResponse', row).length > 0;
  }

  /** Texts are stored in their own way, all of them. */
  #run(name: keyof Statements, values: Row = {}): Row[] {
    const rows = this.#statements[name].all(mapTexts({ ...values, pool: this.#pool }, toStored));
    return rows.map((row) => mapTexts(row as Row, fromStored));
  }
}

const mapTexts = (row: Row, to: (text: string) => string): Row =>
  Object.fromEntries(Object.entries(row).map(([name, it]) => [name, typeof it === 'string' ? to(it) : it]));

const toSlot = ({ quotas, version, ...row }: Row) =>
  ({ ...row, quotas: JSON.parse(String(quotas)), version: String(version) }) as unknown as ReadSlot;

const toResponse = ({ slots, ...row }: Row) =>
  ({ ...row, slots: JSON.parse(String(slots)) }) as unknown as StoredResponse;
