// Child processes for the scripts: quiet while all is well, everything when it is not.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const tool = (name: string): string => join(root, 'node_modules', '.bin', name);

export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Runs a command to its end, or for so many milliseconds, and gathers what it printed. */
export function run(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  cwd: string = root,
  timeout?: number,
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
    const child = spawn(command, args, { cwd, timeout, env: { ...process.env, PATH, ...environment } });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a command and fails with its output when it does. */
export async function runOrFail(command: string, args: readonly string[]): Promise<string> {
  const { code, output } = await run(command, args);
  if (code !== 0) {
    process.stderr.write(output);
    throw new Error(`${command} ${args.join(' ')} failed`);
  }
  return output;
}
