// The README in four languages is one document: the same code, the same tables, the same links in the same order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';
import { findSnippets } from './documents/snippets.ts';

const LANGUAGES = ['ko', 'ja', 'zh'];
const path = (language?: string) => (language === undefined ? 'README.md' : `README.${language}.md`);
const read = (language?: string) => readFileSync(join(root, path(language)), 'utf8');

const code = (text: string) => findSnippets('', text).map((snippet) => [snippet.language, snippet.code]);
/** How many rows and columns each table has, and the code in its cells. */
const tables = (text: string) =>
  [...text.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .map((row) => [row.split('|').length, ...[...row.matchAll(/`[^`]+`/g)].map(([cell]) => cell)]),
  );
/** Where links lead; each README links to the three others, which differ. */
const links = (text: string) =>
  [...text.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, target = '']) =>
    /^README\.?\w*\.md$/.test(target) ? [] : target,
  );
const headings = (text: string) => [...text.matchAll(/^#+ /gm)].map(([mark]) => mark);

/** What a screen shows of a README, about: a picture, the code, the promises, and where to read on. */
const LINES_OF_A_SCREEN = 48;

it.each([undefined, ...LANGUAGES].map(path))('%s stays on one screen', (file) => {
  const lines = readFileSync(join(root, file), 'utf8').trim().split('\n');
  expect(lines.length).toBeLessThanOrEqual(LINES_OF_A_SCREEN);
});

describe.each(LANGUAGES)('README.%s.md', (language) => {
  it.each([
    ['code', code],
    ['tables', tables],
    ['links', links],
    ['headings', headings],
  ])('has the %s of README.md', (_, part) => {
    expect(part(read())).not.toEqual([]);
    expect(part(read(language))).toEqual(part(read()));
  });

  it('is linked from the others', () => {
    for (const other of [undefined, ...LANGUAGES.filter((name) => name !== language)]) {
      expect(read(other)).toContain(`(${path(language)})`);
    }
  });
});
