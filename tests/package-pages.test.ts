// The README of a package is its first page on npm: what it is, how to install it, a few lines that run, where to read on. That its
// links work outside the repository is in links.test.ts; that its code runs, in tests/documents, tests/stores and tests/cli.
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';
import { findSnippets } from './documents/snippets.ts';
import { readFile } from './operations-page.ts';

describe.each(globSync('packages/*/README.md', { cwd: root }))('%s', (path) => {
  const text = readFile(path);
  const manifest = JSON.parse(readFile(`${dirname(path)}/package.json`)) as { name: string; bin?: object };

  it('begins with the name of the package and says what it is', () => {
    const [title, , sentence = ''] = text.split('\n');
    expect(title).toBe(`# ${manifest.name}`);
    expect(sentence.length).toBeGreaterThan(40);
  });

  it('says how to install or run it', () => {
    const short = manifest.name.replace(/^create-/, '');
    expect(text).toMatch(new RegExp(`npm (install .*${manifest.name}|create ${short})`));
  });

  it('shows a few lines to begin with', () => {
    const shown = findSnippets(path, text).filter(({ language }) =>
      ['ts', 'console', 'sh'].includes(language),
    );
    expect(shown.length).toBeGreaterThan(1);
  });

  it('ends with where to read on, and the licence', () => {
    const [, links = ''] = /\n## Read on\n\n((?:(?:- | {2}).*\n)+)\nMIT\n$/.exec(text) ?? [];
    expect(links.match(/\]\(https:/g)?.length).toBeGreaterThan(2);
  });
});
