// Notes in PostgreSQL, with 64-bit integers as their keys. pg sends a bigint as text, so that no digit is lost.
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// A migration would do this.
await pool.query('CREATE TABLE IF NOT EXISTS notes (id bigint PRIMARY KEY, text text NOT NULL)');

export async function saveNote(id: bigint, text: string): Promise<void> {
  await pool.query('INSERT INTO notes (id, text) VALUES ($1, $2)', [id, text]);
}

export async function findNote(id: bigint): Promise<string | undefined> {
  const { rows } = await pool.query<{ text: string }>('SELECT text FROM notes WHERE id = $1', [id]);
  return rows[0]?.text;
}

export async function closeNotes(): Promise<void> {
  await pool.end();
}
