// Notes in memory: they are gone when the program ends. A database goes here.
const notes = new Map<bigint, string>();

export async function saveNote(id: bigint, text: string): Promise<void> {
  notes.set(id, text);
}

export async function findNote(id: bigint): Promise<string | undefined> {
  return notes.get(id);
}

export async function closeNotes(): Promise<void> {}
