// Finds programs that tests need and npm cannot bring (a browser, a database server). Where one is missing
// and this machine allows it, its Debian package is installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface SystemPackage {
  /** The executable's names on the PATH, the preferred one first. */
  readonly commands: readonly string[];
  /** Where it may stand outside the PATH. */
  readonly paths?: readonly string[];
  /** The environment variable by which a user names the executable; when set, nothing else is tried. */
  readonly override?: string;
  /** The Debian package that brings it. */
  readonly debian: string;
}

export type FoundProgram =
  | { readonly path: string }
  | { readonly path: null; readonly missing: string; readonly install: string };

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function find({ commands, paths = [] }: SystemPackage): string | undefined {
  const { PATH = '' } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...paths].find(isExecutable);
}

/** How to become root without a question, or null where that cannot be done. */
function rootPrefix(): readonly string[] | null {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : null;
}

/** Runs apt-get; returns what it complained about, or null when it was content. */
function aptGet(prefix: readonly string[], ...args: string[]): string | null {
  // Two test processes may want a package at once; the second waits for the first.
  const waiting = ['-o', 'DPkg::Lock::Timeout=300'];
  const line = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...waiting, ...args];
  const [command = '', ...rest] = line;
  const start = () => spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  let run = start();
  // That option is not for the lock of the package lists, which `update` takes.
  for (let tries = 0; tries < 300 && run.stderr?.includes('Could not get lock'); tries++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    run = start();
  }
  if (run.status === 0) return null;
  const complaint =
    run.stderr?.trim().split('\n').at(-1) || (run.error?.message ?? `exit code ${run.status}`);
  return `apt-get ${args[0]} failed: ${complaint}`;
}

let updateComplaint: string | null | undefined;

/** Installs a Debian package; returns why it could not, or null. */
function installDebian(name: string): string | null {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return 'this system has no apt-get';
  const prefix = rootPrefix();
  if (prefix === null) return 'installing needs root or a sudo that asks no password';
  process.stderr.write(`Installing the Debian package ${name} (once) …\n`);
  // The package lists of one run need fetching only once, and stale lists may do when that fails.
  if (updateComplaint === undefined) updateComplaint = aptGet(prefix, 'update');
  const complaint = aptGet(prefix, 'install', '-y', '--no-install-recommends', name);
  return complaint === null ? null : [updateComplaint, complaint].filter((text) => text !== null).join('; ');
}

/** The program's path, installed first where it must and can be; else why not, and what a person can do. */
export function ensureSystemPackage(wanted: SystemPackage): FoundProgram {
  const { override, debian } = wanted;
  const [command = debian] = wanted.commands;
  const orOverride = override === undefined ? '' : ` or set ${override} to its path`;
  const install = `install ${command} (Debian package: ${debian})${orOverride}`;

  const named = override === undefined ? undefined : process.env[override];
  if (override !== undefined && named) {
    return isExecutable(named)
      ? { path: named }
      : { path: null, missing: `${override}=${named} is not an executable file`, install };
  }

  const present = find(wanted);
  if (present !== undefined) return { path: present };
  const complaint = installDebian(debian);
  const path = find(wanted);
  if (path !== undefined) return { path };
  return {
    path: null,
    missing: `${command} was not found; ${complaint ?? `the package ${debian} does not bring it`}`,
    install,
  };
}
