// Names and texts on their way to PostgreSQL. Names may be any JavaScript string of any length, so rows are found by
// keys: 128 bits of a name's hash. Texts stay as JSON, since PostgreSQL keeps no NUL character and no half of a surrogate
// pair. They travel as hexadecimal digits: these need no escaping, whatever the server's settings for strings are.
import { createHash } from 'node:crypto';

/** The key of what has these names, as digits of a uuid. */
export function keyOf(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32);
}

/** An SQL expression for a value that only TypeScript reads. */
export function toSqlJson(value: unknown): string {
  const hex = Buffer.from(JSON.stringify(value), 'utf8').toString('hex');
  return `convert_from(decode('${hex}', 'hex'), 'UTF8')::json`;
}
