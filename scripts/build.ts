// Builds every package, in the order of their references, and the page; what has not changed is skipped, and what has no
// source any more is removed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCli } from './bundle-cli.ts';
import { writeCommonJsEntries } from './commonjs-entries.ts';
import { root, runOrFail, tool } from './run.ts';
import { removeStaleOutputs } from './stale-outputs.ts';

const web = join(root, 'packages', 'web');
/** What the page is made of. */
const PAGE_INPUTS = [
  join(web, 'index.html'),
  join(web, 'package.json'),
  join(web, 'vite.config.ts'),
  join(web, 'public'),
  join(web, 'src', 'app'),
  join(root, 'packages', 'kazahana', 'dist'),
  join(root, 'package-lock.json'),
];

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  const names = readdirSync(path, { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function hashOfInputs(): string {
  const hash = createHash('sha256');
  const files = PAGE_INPUTS.flatMap((path) => (/\.\w+$/.test(path) ? [path] : filesOf(path)));
  for (const file of files.sort()) {
    if (!file.endsWith('.test.ts') && !file.endsWith('.tsbuildinfo'))
      hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** The page is bundled, which takes seconds: only when something that it is made of has changed. */
async function buildPage(): Promise<void> {
  const stamp = join(web, 'dist', 'site.inputs');
  const hash = hashOfInputs();
  const isBuilt = existsSync(join(web, 'dist', 'site', 'index.html')) && existsSync(stamp);
  if (isBuilt && readFileSync(stamp, 'utf8') === hash) return;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runOrFail(process.execPath, [
    vite,
    'build',
    '--config',
    join(web, 'vite.config.ts'),
    '--logLevel',
    'warn',
  ]);
  writeFileSync(stamp, hash);
}

export async function build(): Promise<void> {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  await runOrFail(tool('tsc'), [
    '-b',
    ...folders.filter((folder) => existsSync(join(folder, 'tsconfig.json'))),
  ]);
  for (const folder of folders) removeStaleOutputs(folder);
  await writeCommonJsEntries();
  await bundleCli();
  await buildPage();
}

if (import.meta.main) await build();
