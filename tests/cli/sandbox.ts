// A place where the command is tried: a folder with the files that examples speak of, the command on the PATH, and an
// environment that is the same on every machine.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../../scripts/run.ts';
import { dataFolder } from '../services/process.ts';

export const program = join(root, 'packages/cli/bin/kazahana.cjs');

const FILES: Readonly<Record<string, string>> = {
  'app.log':
    'GET /users/01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa 200\n' +
    'nothing to see here\n' +
    'order=115005299097601287 paid by {c232ab00-9414-11ec-b3c8-9f6bdeced846}\n',
  'uuids.txt': '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa\n919108f7-52d1-4320-9bac-f847db4148a8\n',
  'secret.txt': 'a secret of ours\n',
  'keys.json': '{"current":"b","secrets":{"a":"the first secret of ours","b":"the second secret of ours"}}',
  'ids.txt': '175928847299117063\n175928847299117064\n1212092628029698048\n175928847299117063\n',
};

export interface Sandbox {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  dispose(): void;
}

export const FIXED_NOW = Date.UTC(2026, 10, 16, 12);

/** Time stands still for commands with this, so that what is said of the past stays true. */
export const FIXED_CLOCK = {
  NODE_OPTIONS: `--import ${new URL('./fixed-clock.ts', import.meta.url).href}`,
  FIXED_NOW: String(FIXED_NOW),
};

export async function createSandbox(more: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const folder = await dataFolder('cli');
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  const command = join(bin, 'kazahana');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(command, 0o755);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const { PATH = '' } = process.env;
  return {
    folder,
    environment: {
      PATH: [bin, PATH].join(delimiter),
      HOME: folder,
      // A temporary folder of its own, in which nothing may be left behind.
      TMPDIR: folder,
      TZ: 'Europe/Berlin',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      NODE_COMPILE_CACHE: join(root, 'tests/.work/compile-cache'),
      ...more,
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

function finish(child: ReturnType<typeof spawn>, input: string | undefined): Promise<Finished> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 128 : 1), stdout, stderr }));
    // Who does not read its input has no use for it.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}

/** Runs the command with arguments. */
export function kazahana(
  { folder, environment }: Sandbox,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...environment, ...options.environment },
  });
  return finish(child, options.input);
}

/** Runs a line as a shell would. */
export function shell(
  { folder, environment }: Sandbox,
  line: string,
  options: RunOptions = {},
): Promise<Finished> {
  const child = spawn('bash', ['-c', line], { cwd: folder, env: { ...environment, ...options.environment } });
  return finish(child, options.input);
}
