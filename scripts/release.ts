// `npm run release -- --dry-run [--skip-tests]`: all that a release does, in a copy, but the publishing: versions and changelogs by
// changesets, every test, every package packed and tried together on each Node, and a list of what would be published.
// Without --dry-run the same, and then `npm publish` with provenance; a workflow does that (.github/workflows/release.yml).
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Packed, pack, packageFolders } from './pack.ts';
import { root, runOrFail } from './run.ts';
import { packageVersion, stateVersion } from './stated-version.ts';

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    'skip-tests': { type: 'boolean', default: false },
  },
});

const work = join(root, 'tests', '.work', 'release');
const copy = join(work, 'repository');
const tarballs = join(work, 'tarballs');

/** Runs a command in the copy and shows what it prints. */
function show(command: string, ...args: string[]): void {
  console.log(`\n$ ${command} ${args.join(' ')}`);
  const { status } = spawnSync(command, args, {
    cwd: copy,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed; nothing was published`);
}

/** What the changelog says of a version, for users. */
function changesOf(version: string): string {
  const changelog = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8');
  const section = changelog.split(/^(?=## )/m).find((text) => text.startsWith(`## ${version}\n`));
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section "## ${version}": say what changes for users`);
  return section;
}

const uncommitted = await runOrFail('git', ['-C', root, 'status', '--porcelain']);
if (uncommitted !== '')
  throw new Error(`a release is made of what is committed; not committed:\n${uncommitted}`);

rmSync(work, { recursive: true, force: true });
mkdirSync(tarballs, { recursive: true });
await runOrFail('git', ['clone', '--quiet', '--local', root, copy]);
const before = packageVersion(copy);
// The copy has nothing installed yet: its first npm script installs what the new lockfile says.
show(process.execPath, join(root, 'node_modules', '@changesets', 'cli', 'bin.js'), 'version');
const version = packageVersion(copy);
stateVersion(copy, before, version);
show('npm', 'install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error');
const changes = changesOf(version);
show('npm', 'run', 'build');
// Without the long tests still what a package must be: its names and types, its size, its contents, licences and metadata.
show('npm', 'test', ...(values['skip-tests'] ? ['--', 'api', 'sizes', 'package'] : []));

const packed: Packed[] = [];
for (const folder of packageFolders(copy)) packed.push(await pack(folder, tarballs));
show('node', 'scripts/bootstrap.mjs', 'tests/package/smoke.ts', ...packed.map(({ path }) => path));

console.log('\npackage              version   files   packed  unpacked');
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
for (const { name, version, files, size, unpackedSize } of packed) {
  const sizes = `${String(files.length).padStart(5)}  ${kilobytes(size).padStart(7)}  ${kilobytes(unpackedSize).padStart(8)}`;
  console.log(`${name.padEnd(20)} ${version.padEnd(8)} ${sizes}`);
}
console.log(`\n${changes}`);
if (values['dry-run']) console.log('A dry run: nothing was published.');
else for (const { path } of packed) show('npm', 'publish', path, '--provenance', '--access', 'public');
