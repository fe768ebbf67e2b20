// One pool in the file, as a transaction sees it: rows in, records out. No rule lives here.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type LeaseRecord, type PoolRecord, type PoolStorage, type Quota, slotCount } from 'kazahana/lease';

type Row = Record<string, SQLInputValue>;

const SQL = {
  readPool: 'SELECT * FROM pools WHERE name = ?',
  writePool: `INSERT OR REPLACE INTO pools (name, id, serial, custom_epoch, bit_reserve, bit_ts, bit_id, bit_seq, former,
    quarantined_until, lost_ids, max_window) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  lastSlot: 'SELECT max(slot) AS slot FROM slots WHERE pool = ?',
  firstSlot: 'SELECT slot, free_from FROM slots WHERE pool = ? ORDER BY free_from, slot LIMIT 1',
  freeFrom: 'SELECT free_from FROM slots WHERE pool = ? AND slot = ?',
  writeSlot: 'INSERT OR REPLACE INTO slots (pool, slot, free_from) VALUES (?, ?, ?)',
  usedSlots: 'SELECT slot, free_from FROM slots WHERE pool = ?',
  deleteSlots: 'DELETE FROM slots WHERE pool = ?',
  leasesOf: 'SELECT * FROM leases WHERE pool = ? AND id = ?',
  allLeases: 'SELECT * FROM leases WHERE pool = ?',
  writeLease: `INSERT OR REPLACE INTO leases (pool, id, bit_seq, bit_id, service, holder, secret, created, expired,
    fallback_until, account, request, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  deleteLease: 'DELETE FROM leases WHERE pool = ? AND id = ? AND bit_seq = ?',
  answerTo: 'SELECT * FROM leases WHERE pool = ? AND request = ? ORDER BY position',
  // Left to itself, SQLite goes through all leases of the pool.
  forgetAnswer:
    'UPDATE leases INDEXED BY leases_by_request SET request = NULL WHERE pool = ? AND request = ?',
  forgetAnswers: 'UPDATE leases SET request = NULL WHERE pool = ? AND request IS NOT NULL',
  heldByService: `SELECT count(*) AS count, min(fallback_until) AS first_end FROM (SELECT fallback_until FROM leases
    WHERE pool = ? AND service = ? AND fallback_until > ? ORDER BY fallback_until LIMIT ?)`,
  heldByAccount: `SELECT count(*) AS count, min(fallback_until) AS first_end FROM (SELECT fallback_until FROM leases
    WHERE pool = ? AND account = ? AND fallback_until > ? ORDER BY fallback_until LIMIT ?)`,
} as const;

export type Statements = Readonly<Record<keyof typeof SQL, StatementSync>>;

/** Compiled once for a connection. */
export function prepareStatements(database: DatabaseSync): Statements {
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Statements;
}

export class SqlitePool implements PoolStorage {
  readonly #name: string;
  readonly #sql: Statements;
  #record: PoolRecord | undefined;

  constructor(name: string, statements: Statements) {
    this.#name = name;
    this.#sql = statements;
  }

  readPool(): PoolRecord | undefined {
    const row = this.#sql.readPool.get(this.#name) as Row | undefined;
    this.#record = row && toPool(row);
    return this.#record;
  }

  writePool(pool: PoolRecord): void {
    const { id, serial, layout, former, quarantinedUntil, lostIds, maxWindow } = pool;
    const { customEpoch, bitReserve, bitTs, bitId, bitSeq } = layout;
    const widths = [customEpoch, bitReserve, bitTs, bitId, bitSeq];
    const lists = [JSON.stringify(former), quarantinedUntil, JSON.stringify(lostIds)];
    this.#sql.writePool.run(this.#name, id, serial, ...widths, ...lists, maxWindow);
    this.#record = pool;
  }

  firstSlot() {
    const { slot: last } = this.#sql.lastSlot.get(this.#name) as { slot: number | null };
    const unused = last === null ? 0 : last + 1;
    if (this.#record && unused < slotCount(this.#record.layout)) return { slot: unused, freeFrom: 0 };
    const row = this.#sql.firstSlot.get(this.#name) as { slot: number; free_from: number } | undefined;
    return row && { slot: row.slot, freeFrom: row.free_from };
  }

  freeFrom(slot: number): number {
    const row = this.#sql.freeFrom.get(this.#name, slot) as { free_from: number } | undefined;
    return row?.free_from ?? 0;
  }

  writeSlot(slot: number, freeFrom: number): void {
    this.#sql.writeSlot.run(this.#name, slot, freeFrom);
  }

  usedSlots(): [slot: number, freeFrom: number][] {
    const rows = this.#sql.usedSlots.all(this.#name) as { slot: number; free_from: number }[];
    return rows.map(({ slot, free_from }) => [slot, free_from]);
  }

  replaceSlots(slots: ReadonlyMap<number, number>): void {
    this.#sql.deleteSlots.run(this.#name);
    for (const [slot, freeFrom] of slots) this.writeSlot(slot, freeFrom);
  }

  leasesOf(id: number): LeaseRecord[] {
    return toLeases(this.#sql.leasesOf.all(this.#name, id));
  }

  allLeases(): LeaseRecord[] {
    return toLeases(this.#sql.allLeases.all(this.#name));
  }

  addLeases(leases: readonly LeaseRecord[]): void {
    const request = leases[0]?.request ?? null;
    if (request !== null) this.#sql.forgetAnswer.run(this.#name, request);
    leases.forEach((lease, position) => {
      const { id, bitSeq, bitId, serviceId, holder, secret, created, expired, fallbackUntil, account } =
        lease;
      this.#sql.writeLease.run(
        ...[this.#name, id, bitSeq, bitId, serviceId, JSON.stringify(holder), secret],
        ...[created, expired, fallbackUntil, account, lease.request, position],
      );
    });
  }

  removeLease({ id, bitSeq, request }: LeaseRecord): void {
    this.#sql.deleteLease.run(this.#name, id, bitSeq);
    if (request !== null) this.#sql.forgetAnswer.run(this.#name, request);
  }

  answerTo(request: string): LeaseRecord[] {
    return toLeases(this.#sql.answerTo.all(this.#name, request));
  }

  forgetAnswers(): void {
    this.#sql.forgetAnswers.run(this.#name);
  }

  held({ of, name }: Quota, now: number, limit: number) {
    const statement = of === 'service' ? this.#sql.heldByService : this.#sql.heldByAccount;
    const row = statement.get(this.#name, name, now, limit) as { count: number; first_end: number | null };
    return { count: row.count, firstEnd: row.first_end ?? Number.POSITIVE_INFINITY };
  }
}

function toPool(row: Row): PoolRecord {
  return {
    id: row.id as string,
    serial: row.serial as number,
    layout: {
      customEpoch: row.custom_epoch as number,
      bitReserve: row.bit_reserve as number,
      bitTs: row.bit_ts as number,
      bitId: row.bit_id as number,
      bitSeq: row.bit_seq as number,
    },
    former: JSON.parse(row.former as string),
    quarantinedUntil: row.quarantined_until as number,
    lostIds: JSON.parse(row.lost_ids as string),
    maxWindow: row.max_window as number,
  };
}

function toLeases(rows: readonly Row[]): LeaseRecord[] {
  return rows.map((row) => ({
    id: row.id as number,
    bitId: row.bit_id as number,
    bitSeq: row.bit_seq as number,
    serviceId: row.service as string,
    holder: JSON.parse(row.holder as string),
    secret: row.secret as string,
    created: row.created as number,
    expired: row.expired as number,
    fallbackUntil: row.fallback_until as number,
    request: row.request as string | null,
    account: row.account as string | null,
  }));
}
