// docs/operations.md as the tests read it: its tables, each named by a comment before it, and its pieces of code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/run.ts';
import { findSnippets } from './documents/snippets.ts';

export const readFile = (path: string): string => readFileSync(join(root, path), 'utf8');

export const page = readFile('docs/operations.md');
export const snippets = findSnippets('docs/operations.md', page);

/** The cells of the table that stands below such a comment. */
export function table(name: string): string[][] {
  const [, after = ''] = page.split(`<!-- table: ${name} -->\n`);
  const rows = after.slice(0, after.indexOf('\n\n')).split('\n').slice(2);
  if (rows.length === 0) throw new Error(`docs/operations.md has no table ${name}`);
  return rows.map((row) => row.split('|').slice(1, -1));
}

/** What stands in backticks in such a column. */
export function coded(rows: readonly (readonly string[])[], column: number): string[] {
  return rows.flatMap((row) => [...(row[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

/** Each once, in an order that does not depend on where they came from. */
export const sorted = (values: Iterable<unknown>): string[] => [...new Set(values)].map(String).sort();
