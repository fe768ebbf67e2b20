// The name of the schema that holds everything. It stands inside SQL text, where no parameter can stand, so only names
// that mean the same quoted and unquoted-in-case are let through.
import { InvalidArgumentError } from 'kazahana/lease';

/** PostgreSQL cuts longer names, and two would become one. */
const SCHEMA_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
/** PostgreSQL's own, and the one that all users share. */
const TAKEN = /^(pg_.*|information_schema|public)$/i;

const ALLOWED =
  'the name of a schema of its own: 1 to 63 of A-Z, a-z, 0-9 and _, not beginning with a digit or pg_, not public';

export function checkSchemaName(name: unknown = 'kazahana'): string {
  if (typeof name === 'string' && SCHEMA_NAME.test(name) && !TAKEN.test(name)) return name;
  throw new InvalidArgumentError('schema', ALLOWED, name);
}
