// The packages of others whose code is inside ours: their licences must allow that, and their texts must come along.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/run.ts';

const ALLOWED = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'];

interface Bundled {
  readonly name: string;
  readonly license: string;
  readonly text: string;
}

const OWN = /^(kazahana|@kazahana\/.*)$/;

/** What `scripts/bundle-cli.ts` put into the files of the command. */
function inCommand(): Bundled[] {
  const dist = join(root, 'packages/cli/dist');
  const files = globSync('**/*.js', { cwd: dist }).map((path) => readFileSync(join(dist, path), 'utf8'));
  const comments = files.flatMap((code) => [
    ...code.matchAll(/\/\* This file contains (\S+):\n([\s\S]*?)\*\//g),
  ]);
  return comments.map(([, name = '', text = '']) => {
    const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
    return { name, text, license: (JSON.parse(manifest) as { license?: string }).license ?? 'unknown' };
  });
}

/** What vite put into the page. */
function inPage(): Bundled[] {
  const list = readFileSync(join(root, 'packages/web/dist/site/licenses.md'), 'utf8');
  return list
    .split(/^## /m)
    .slice(1)
    .map((entry) => {
      const [, name = '', license = 'unknown', text = ''] =
        /^(\S+) - \S+ \((.*)\)\n([\s\S]*)$/.exec(entry) ?? [];
      return { name, license, text };
    });
}

/** Fails for a licence that is not allowed, and for one whose text is missing; resolves to all of them. */
export async function checkLicenses(): Promise<string> {
  const [command, page] = [inCommand(), inPage()];
  if (command.length === 0 || page.length === 0)
    throw new Error('no bundled package was found: is all built?');
  const others = [...command, ...page].filter(({ name }) => !OWN.test(name));
  for (const { name, license, text } of others) {
    if (!ALLOWED.includes(license))
      throw new Error(`${name} has the licence ${license}; allowed: ${ALLOWED.join(', ')}`);
    if (!/copyright/i.test(text)) throw new Error(`the text of the licence of ${name} is missing`);
  }
  return [...new Set(others.map(({ name, license }) => `${name} (${license})`))].join(', ');
}
