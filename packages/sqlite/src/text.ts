// Texts on their way to SQLite and back. A text of SQLite ends at a NUL character and has no half of a surrogate pair,
// while names may be any JavaScript string: so they stay as the inside of a JSON string. Quotation marks need no
// escape there, so that ordinary names, and JSON, look as they are.

export function toStored(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
}

export function fromStored(stored: string): string {
  return JSON.parse(`"${stored.replaceAll('"', '\\"')}"`);
}
