// The runtimes that run as a process here: where each one is, how it runs a script, and its version.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ProcessRuntime {
  /** What `--only` takes. */
  readonly id: string;
  readonly name: string;
  readonly executable: string;
  /** Stand before the script's path. */
  readonly flags: readonly string[];
  /** The npm package that brings it. */
  readonly from: string;
  /** How its version must start, so that no Node is taken for another. */
  readonly version: RegExp;
}

export type FoundRuntime =
  | { readonly version: string }
  | { readonly version: null; readonly missing: string; readonly install: string };

const windows = process.platform === 'win32';

function node(major: number, installed: string, from: string): ProcessRuntime {
  return {
    id: `node${major}`,
    name: 'Node',
    executable: windows ? join(installed, 'bin', 'node.exe') : join(installed, 'bin', 'node'),
    flags: ['--enable-source-maps'],
    from,
    version: new RegExp(`^${major}\\.`),
  };
}

const alias = (major: number) =>
  node(major, join(folder, 'node_modules', `node-v${major}`), `node-v${major} of tests/runtimes`);

export const processRuntimes: readonly ProcessRuntime[] = [
  alias(20),
  alias(22),
  node(24, join(root, 'node_modules', 'node'), 'node of the root'),
  alias(26),
  {
    id: 'bun',
    name: 'Bun',
    // The package names it so on every platform.
    executable: join(folder, 'node_modules', 'bun', 'bin', 'bun.exe'),
    flags: ['--no-install', 'run'],
    from: 'bun of tests/runtimes',
    version: /^1\./,
  },
  {
    id: 'deno',
    name: 'Deno',
    executable: join(folder, 'node_modules', 'deno', windows ? 'deno.exe' : 'deno'),
    // The library must need no permission; these variables are read by vitest's expect, for its colours.
    flags: [
      'run',
      '--allow-env=FORCE_TTY,NO_COLOR,FORCE_COLOR,TERM,CI',
      '--no-prompt',
      '--no-remote',
      '--no-npm',
      '--no-config',
      '--no-lock',
    ],
    from: 'deno of tests/runtimes',
    version: /^2\./,
  },
];

/** Nothing a runtime does here may reach the network or the user's home. */
export const runtimeEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  DENO_NO_UPDATE_CHECK: '1',
  DENO_DIR: join(root, 'tests', '.work', 'deno'),
  NO_COLOR: '1',
};

/** Installs the runtimes; where that fails, those that are there already can still run. */
export async function installRuntimes(): Promise<void> {
  // It is plain JavaScript, for a bare Node 20, so its type is told here.
  const bootstrap: { install(folder: string, what: string): void } = await import(
    new URL('../../scripts/bootstrap.mjs', import.meta.url).href
  );
  try {
    bootstrap.install(folder, 'the runtimes for the tests');
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
  }
}

/** Asks a runtime for its version; one that cannot respond is missing here. */
export function findRuntime({ name, id, executable, from, version }: ProcessRuntime): FoundRuntime {
  const ran = spawnSync(executable, ['--version'], { encoding: 'utf8', env: runtimeEnvironment });
  const found = ran.status === 0 ? /\d+\.\d+\.\d+/.exec(ran.stdout)?.[0] : undefined;
  if (found !== undefined && version.test(found)) return { version: found };
  const wanted = `${name} ${id.replace(/\D/g, '')}`.trim();
  return {
    version: null,
    missing: found ? `the npm package ${from} is ${found}` : `the npm package ${from} does not run here`,
    install: `npm packages for ${process.platform}-${process.arch} must bring ${wanted}; see tests/runtimes/package.json`,
  };
}
