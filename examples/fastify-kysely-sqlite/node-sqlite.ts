// Kysely on Node's own SQLite, which needs no native build. Integers are read as bigint: a number would lose digits.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';

export function openDatabase(path: string): SqliteDatabase {
  const database = new DatabaseSync(path, { readBigInts: true });
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        // Whether it returns rows.
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
      };
    },
  };
}
