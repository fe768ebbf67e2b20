// Notes in an SQLite file, with 64-bit integers as their keys.
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.env.DATABASE_FILE ?? 'notes.db');
database.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
const insert = database.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
const select = database.prepare('SELECT text FROM notes WHERE id = ?');

export async function saveNote(id: bigint, text: string): Promise<void> {
  insert.run(id, text);
}

export async function findNote(id: bigint): Promise<string | undefined> {
  return select.get(id)?.text as string | undefined;
}

export async function closeNotes(): Promise<void> {
  database.close();
}
