// Every link of a Markdown file leads to a file that is there, and to a heading of it where it names one; also the links to the
// repository by its address. Pages that are read elsewhere (npm shows the README and the changelog of a package) have no relative links.
import { existsSync, globSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';
import { slugify } from '../website/headings.ts';
import { readFile } from './operations-page.ts';

const { repository } = JSON.parse(readFile('packages/kazahana/package.json')) as {
  repository: { url: string };
};
const REPOSITORY = repository.url.replace(/^git\+(.*)\.git$/, '$1');

const READ_ELSEWHERE = globSync(['packages/*/{README,CHANGELOG}.md', '.changeset/*.md'], { cwd: root });
const documents = [
  ...READ_ELSEWHERE,
  ...globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  }),
];

const withoutCode = (text: string) => text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');

function linksOf(path: string): string[] {
  return [...withoutCode(readFile(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

function headingsOf(path: string): string[] {
  const text = readFile(path).replace(/^```.*?^```$/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    slugify(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
  );
}

/** The file of the repository that a link leads to, or nothing when it leads elsewhere. */
function inRepository(
  target: string,
  from: string,
): { file: string; heading: string | undefined } | undefined {
  const [address = '', heading] = target.split('#');
  if (target.startsWith(`${REPOSITORY}/`)) {
    const [, file] = /^\/(?:blob|tree)\/main\/(.*)$/.exec(address.slice(REPOSITORY.length)) ?? [];
    return file === undefined ? undefined : { file, heading };
  }
  if (/^[a-z]+:/i.test(target)) return undefined;
  return { file: address === '' ? from : posix.join(dirname(from), address), heading };
}

describe('links of documents', () => {
  it('are looked at', () => {
    expect(REPOSITORY).toMatch(/^https:\/\/github\.com\//);
    expect(documents.flatMap(linksOf).length).toBeGreaterThan(200);
  });

  it.each(documents)('%s: lead to files and headings that are there', (path) => {
    const dead = linksOf(path).filter((target) => {
      const found = inRepository(target, path);
      if (found === undefined) return false;
      if (!existsSync(join(root, found.file))) return true;
      return (
        found.heading !== undefined &&
        found.file.endsWith('.md') &&
        !headingsOf(found.file).includes(found.heading)
      );
    });
    expect(dead).toEqual([]);
  });

  it.each(READ_ELSEWHERE)('%s: work outside the repository', (path) => {
    expect(linksOf(path).filter((target) => !/^(https?:|#)/.test(target))).toEqual([]);
  });
});
