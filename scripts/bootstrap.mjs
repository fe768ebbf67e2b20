// Runs a script of this repository with the repository's own Node, after installing what is missing.
// This is what every npm script starts with, so it must run on a bare Node 20 and use built-ins only.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs the locked dependencies of a folder, unless the same lockfile is already installed there. */
export function install(folder, what) {
  const stamp = join(folder, 'node_modules', '.installed-lockfile');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const started = Date.now();
  process.stderr.write(`Installing ${what} (about a minute, once) …\n`);
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) throw new Error(`npm ci failed in ${folder}`);
  writeFileSync(stamp, lock);
  process.stderr.write(`Installed in ${Math.round((Date.now() - started) / 1000)} s.\n`);
}

function run(script, args) {
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const child = spawn(node, [join(root, script), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) throw new Error('usage: node scripts/bootstrap.mjs <script> [arguments]');
  install(root, 'dependencies');
  run(script, args);
}
