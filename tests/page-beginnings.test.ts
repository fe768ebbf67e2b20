// Every page of docs/ begins with what its reader came for: after the title stands a paragraph whose first words, in bold, say it. A
// page that grows long has several purposes: it becomes several pages.
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';
import { readFile } from './operations-page.ts';

/** The page at `/` is a set of fields, no text. */
const pages = globSync('docs/*.md', { cwd: root }).filter((path) => path !== 'docs/index.md');

const BEGINNING = /^# [^\n]+\n\n\*\*[^*\n]+(?:\n[^*\n]+)*\*\*/;

describe('a page of docs/', () => {
  it('is looked at', () => {
    expect(pages.length).toBeGreaterThan(40);
  });

  it.each(pages)('%s begins with what its reader came for', (path) => {
    expect(readFile(path).slice(0, 400)).toMatch(BEGINNING);
  });

  it.each(pages)('%s has at most 450 lines', (path) => {
    expect(readFile(path).split('\n').length).toBeLessThanOrEqual(450);
  });
});
