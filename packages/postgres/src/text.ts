// Texts on their way to PostgreSQL and back. PostgreSQL keeps no NUL character and no half of a surrogate pair, while
// names and metadata may be any JavaScript string: so they travel and stay as the inside of a JSON string, which for
// ordinary names is the name itself. And arguments travel as hexadecimal digits: there is nothing in them to escape,
// whatever the server's settings for strings are.

export function toStored(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromStored(stored: string): string {
  return JSON.parse(`"${stored}"`);
}

/** An SQL expression for a JSON value. */
export function toSqlJson(value: unknown): string {
  const hex = Buffer.from(JSON.stringify(value), 'utf8').toString('hex');
  return `convert_from(decode('${hex}', 'hex'), 'UTF8')::jsonb`;
}
