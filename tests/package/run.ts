// Proves that the packed library works for a stranger: what is in the tarball, its metadata and types, and
// every entry point on Node (`import` and `require`), for TypeScript, and bundled in a browser.
// The library must be built. The exit code tells.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { type Packed, pack, packageFolders } from '../../scripts/pack.ts';
import { findChromium, withBrowserPage } from '../browser.ts';
import { findRuntime, installRuntimes, processRuntimes } from '../runtimes/runtimes.ts';
import { reportSkipped, type Skipped } from '../skipped.ts';
import { type Consumer, createConsumer, TSCONFIGS } from './consumer.ts';
import {
  checkTypesOfProjects,
  createProjects,
  dependenciesOfProjects,
  missingServers,
  testProjects,
} from './created.ts';
import { entryPointChecks, isPlainFile } from './entry-points.ts';
import { checkLicenses } from './licenses.ts';
import { useTogether, withInstalled } from './together.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const library = join(root, 'packages', 'kazahana');
const work = join(root, 'tests', '.work');
const npmOptions = { shell: process.platform === 'win32' };

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

let failed = 0;

/** Runs one check and prints its line; what it resolves to stands on the line. */
async function check(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  try {
    const remark = await work();
    console.log(`  ${name.padEnd(22)} ok   ${seconds().padStart(6)}   ${remark}`.trimEnd());
  } catch (error) {
    failed += 1;
    console.log(`  ${name.padEnd(22)} FAILED`);
    // The message of a program that failed holds its standard error only; compilers complain on the other.
    const { stdout = '', message = String(error) } = error as { stdout?: string; message?: string };
    console.log(`\n${message}\n${stdout}`);
  }
}

/** Compiler state, tests and sources have no place in what people download. */
async function checkContents({ files, size }: Packed): Promise<string> {
  const wanted =
    /^(package\.json|README\.md|LICENSE|bin\/[\w-]+\.c?js|templates\/.*|dist\/(site\/.*|.*\.(c?js|d\.c?ts)))$/;
  const stray = files.filter((file) => !wanted.test(file) || /^dist.*\.test\./.test(file));
  if (stray.length > 0) throw new Error(`these files should not be packed: ${stray.join(', ')}`);
  const missing = ['README.md', 'LICENSE'].filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`these files are missing in the package: ${missing.join(', ')}`);
  return `${files.length} files, ${(size / 1000).toFixed(1)} kB`;
}

async function checkEntryPointsKnown(entries: readonly string[]): Promise<string> {
  const unknown = entries.filter((entry) => entryPointChecks[entry] === undefined);
  const gone = Object.keys(entryPointChecks).filter((entry) => !entries.includes(entry));
  if (unknown.length + gone.length === 0) return entries.join(' ');
  throw new Error(
    `tests/package/entry-points.ts and the exports of the package differ: ` +
      `without a check: ${unknown.join(', ') || 'none'}; no longer exported: ${gone.join(', ') || 'none'}`,
  );
}

async function checkPublint({ path }: Packed): Promise<string> {
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  // Suggestions count too: there is none that we want to leave open.
  if (messages.length > 0) {
    throw new Error(messages.map((message) => formatMessage(message, pkg, { color: false })).join('\n'));
  }
  return '';
}

async function checkAttw({ path }: Packed): Promise<string> {
  const cli = join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const args = ['--profile', 'strict', '--no-definitely-typed', '--no-color', '--no-emoji'];
  await execute(process.execPath, [cli, path, ...args, '--format', 'ascii']);
  return '';
}

async function checkTypes({ folder }: Consumer, config: string): Promise<string> {
  // TypeScript 7 no longer knows the old way.
  const typescript = /^node1\d$/.test(config) ? 'typescript-5' : 'typescript';
  const compiler = join(root, 'node_modules', typescript, 'bin', 'tsc');
  await execute(process.execPath, [compiler, '-p', `tsconfig.${config}.json`], { cwd: folder });
  return '';
}

async function checkInBrowser({ folder, programs }: Consumer, executable: string): Promise<string> {
  const scripts = new Map<string, string>();
  for (const name of programs) {
    const { outputFiles } = await build({
      entryPoints: [join(folder, `${name}.mjs`)],
      absWorkingDir: folder,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      write: false,
      logLevel: 'silent',
    });
    scripts.set(`/${name}.mjs`, outputFiles[0]?.text ?? '');
  }
  const imported = await withBrowserPage(executable, scripts, ({ page }) =>
    page.evaluate(
      async (paths) => {
        for (const path of paths) await import(path);
        return paths.length;
      },
      [...scripts.keys()],
    ),
  );
  if (imported !== programs.length) throw new Error(`only ${imported} programs ran`);
  return `${imported} entry points, bundled`;
}

/** The library and the peers of its integrations, in the versions that this repository has. */
async function checkConsumer(
  consumer: Consumer,
  { path }: Packed,
  peers: readonly string[],
): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = [];
  const args = ['install', path, ...peers, '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await check('npm install', async () => {
    await execute('npm', args, { ...npmOptions, cwd: consumer.folder });
    return '';
  });
  for (const config of Object.keys(TSCONFIGS)) {
    await check(`types, ${config}`, () => checkTypes(consumer, config));
  }
  for (const runtime of processRuntimes.filter(({ name }) => name === 'Node')) {
    const found = findRuntime(runtime);
    if (found.version === null) {
      skipped.push({ name: runtime.id, ...found });
      continue;
    }
    for (const [how, program] of [
      ['import', 'all.mjs'],
      ['require', 'all.cjs'],
    ] as const) {
      await check(`Node ${found.version} ${how}`, async () => {
        await execute(runtime.executable, [program], { cwd: consumer.folder });
        return `${consumer.programs.length} entry points`;
      });
    }
  }
  const chromium = findChromium();
  if (chromium.path === null) skipped.push({ name: 'chromium', ...chromium });
  else {
    const { path: executable } = chromium;
    await check('Chromium', () => checkInBrowser(consumer, executable));
  }
  return skipped;
}

async function peersOf({ peerDependencies = {} }: Manifest): Promise<string[]> {
  const versions = Object.keys(peerDependencies).map(async (name) => {
    const installed = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8');
    return `${name}@${(JSON.parse(installed) as { version: string }).version}`;
  });
  return Promise.all(versions);
}

/** A package that is only a command has nothing to import. */
async function hasEntryPoint(folder: string): Promise<boolean> {
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  return Object.hasOwn(exports, '.');
}

if (!existsSync(join(library, 'dist', 'index.js'))) {
  console.error('packages/kazahana/dist is missing: build the library first (npm run build)');
  process.exit(1);
}
await installRuntimes();
const manifest: Manifest = JSON.parse(await readFile(join(library, 'package.json'), 'utf8'));
const entries = Object.keys(manifest.exports).filter((entry) => !isPlainFile(entry));
const tarball = await pack(library, work);
await check('contents', () => checkContents(tarball));
await check('publint', () => checkPublint(tarball));
await check('are the types wrong', () => checkAttw(tarball));
await check('entry points', () => checkEntryPointsKnown(entries));
const consumer = await createConsumer(
  manifest.name,
  entries.filter((entry) => entryPointChecks[entry] !== undefined),
);
let skipped: readonly Skipped[] = [];
try {
  skipped = await checkConsumer(consumer, tarball, await peersOf(manifest));
} finally {
  await consumer.remove();
}

// The others are for Node only, and are installed together, as a server has them.
const tarballs = [tarball];
for (const folder of packageFolders().filter((folder) => folder !== library)) {
  const name = basename(folder);
  const packed = await pack(folder, work);
  tarballs.push(packed);
  await check(`${name}: contents`, () => checkContents(packed));
  await check(`${name}: publint`, () => checkPublint(packed));
  if (await hasEntryPoint(folder)) await check(`${name}: types`, () => checkAttw(packed));
}
await check('licences of bundles', checkLicenses);
const missing = missingServers();
await check('all installed together', () =>
  withInstalled(
    [...tarballs.map(({ path }) => path), ...dependenciesOfProjects()],
    npmOptions,
    async (folder) => {
      await check('together: used', () => useTogether(folder));
      const created = await createProjects(folder);
      await check('projects: types', () => checkTypesOfProjects(folder, created));
      if (missing.length === 0) await check('projects: tests', () => testProjects(folder, created));
      return `${created.length} projects created`;
    },
  ),
);
process.exitCode = reportSkipped([...skipped, ...missing]) && failed === 0 ? 0 : 1;
