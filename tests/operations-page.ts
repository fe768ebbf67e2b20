// The pages on running a server and on using a client, as the tests read them: their tables, each named by a comment before it, and their
// pieces of code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/run.ts';
import { findSnippets } from './documents/snippets.ts';

export const readFile = (path: string): string => readFileSync(join(root, path), 'utf8');

const PAGES = [
  'operations',
  'configuration',
  'securing',
  'sizing',
  'kubernetes',
  'monitoring',
  'metrics',
  'upgrades',
  'disaster',
  'scale',
  'ids',
  'observing',
].map((name) => ({ path: `docs/${name}.md`, text: readFile(`docs/${name}.md`) }));

export const snippets = PAGES.flatMap(({ path, text }) => findSnippets(path, text));

/** The cells of the table that stands below such a comment, on one of the pages. */
export function table(name: string): string[][] {
  const comment = `<!-- table: ${name} -->\n`;
  const [page, ...others] = PAGES.filter(({ text }) => text.includes(comment));
  if (page === undefined || others.length > 0) throw new Error(`one page must have the table ${name}`);
  const [, after = ''] = page.text.split(comment);
  const rows = after.slice(0, after.indexOf('\n\n')).split('\n').slice(2);
  if (rows.length === 0) throw new Error(`${page.path}: the table ${name} is empty`);
  return rows.map((row) => row.split('|').slice(1, -1));
}

/** What stands in backticks in such a column. */
export function coded(rows: readonly (readonly string[])[], column: number): string[] {
  return rows.flatMap((row) => [...(row[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

/** Each once, in an order that does not depend on where they came from. */
export const sorted = (values: Iterable<unknown>): string[] => [...new Set(values)].map(String).sort();
