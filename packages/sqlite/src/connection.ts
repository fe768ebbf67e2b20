// A connection to the file at a path, for as long as that file is there.
import { realpathSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ensureFile, identify } from './file.js';
import { prepareStatements, type Statements } from './records.js';
import { isBlank, SCHEMA } from './schema.js';

export class Connection {
  readonly database: DatabaseSync;
  readonly statements: Statements;
  /** Which file this is (rule R7). */
  readonly identity: string | undefined;
  readonly #path: string;
  /** The write-ahead log and its index, and which files these are. */
  readonly #companions: readonly (readonly [path: string, identity: string | undefined])[] = [];

  constructor(path: string) {
    this.#path = path;
    ensureFile(path);
    this.identity = identify(path);
    // SQLite puts the companions beside the file that a link points to.
    const file = realpathSync(path);
    this.database = new DatabaseSync(file, { timeout: 0 });
    try {
      // A lease must survive a loss of power: a commit returns when the disk has it, on macOS too.
      this.database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
      if (isBlank(this.database, path)) fill(this.database, path, file);
      // The companions are made by the first look into the file.
      this.database.exec('PRAGMA journal_mode = WAL; PRAGMA user_version');
      this.statements = prepareStatements(this.database);
      const companions = [`${file}-wal`, `${file}-shm`].map((name) => [name, identify(name)] as const);
      this.#companions = this.isCurrent() ? companions : [];
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** Whether this file and its companions are still those at the path. A commit to a log that is gone keeps nothing. */
  readonly isCurrent = (): boolean =>
    identify(this.#path) === this.identity &&
    this.#companions.every(([name, identity]) => identify(name) === identity);

  /**
   * Ends a connection whose file was removed or replaced. Its companions go too, for SQLite would take them for those
   * of the next file. The caller has the lock of the old file, so no other process does this at the same time.
   */
  leave(): void {
    const own = this.#companions.filter(([name, identity]) => identify(name) === identity);
    for (const [name] of own) rmSync(name, { force: true });
    this.database.close();
  }
}

/** Writes the schema into a new file. */
function fill(database: DatabaseSync, path: string, file: string): void {
  database.exec('BEGIN EXCLUSIVE');
  // Another process may have been first.
  if (isBlank(database, path)) {
    // What lies beside an empty file is of one that was removed: no process uses it for this one, which is locked.
    if (statSync(file).size === 0) rmSync(`${file}-shm`, { force: true });
    database.exec(SCHEMA);
  }
  database.exec('COMMIT');
}
