// Runs what documents and help show, line by line, in a sandbox with a lease server.
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { LeaseServer } from './lease-server.ts';
import { FIXED_CLOCK, type Sandbox, shell } from './sandbox.ts';
import { patternOf, type Step, withOutput } from './transcript.ts';

const DOCUMENTED_URL = 'http://127.0.0.1:7420';

/** Those that end only by a signal. */
const isEndless = (command: string) => /^kazahana serve(?!.*--check)|^tail -f/.test(command);

export interface Stage {
  readonly sandbox: Sandbox;
  readonly server: LeaseServer;
}

/** Runs a step after one with that exit code; returns its own. */
export async function runStep({ sandbox, server }: Stage, step: Step, previous: number): Promise<number> {
  const clock = /\bkazahana inspect\b/.test(step.command) ? FIXED_CLOCK : {};
  const environment = { KAZAHANA_URL: server.url, ...clock };
  const command = step.command.replaceAll(DOCUMENTED_URL, server.url);
  const isDone = (printed: string) => patternOf(step).test(printed);
  const show = (printed: string) => printed.replaceAll(server.url, DOCUMENTED_URL);
  if (isEndless(step.command)) {
    const printed = await runUntil(sandbox, command, environment, (text) => isDone(show(text)));
    compare(step, show(printed));
    return 0;
  }
  const line = command === 'echo $?' ? `(exit ${previous}); ${command}` : command;
  // As on a terminal, where both are seen.
  const { code, stdout } = await shell(sandbox, `{ ${line}\n} 2>&1`, { environment });
  // A body ends without a line break.
  compare(step, show(command.startsWith('curl ') ? `${stdout}\n` : stdout));
  return code;
}

function compare(step: Step, printed: string): void {
  if (!patternOf(step).test(printed)) expect(withOutput(step, printed)).toEqual(step);
}

const PATIENCE_MS = 20_000;

/** Runs a command in a process group of its own until it has printed enough, then ends all of it. */
async function runUntil(
  { folder, environment }: Sandbox,
  command: string,
  more: Readonly<Record<string, string>>,
  isEnough: (printed: string) => boolean,
): Promise<string> {
  // As on a terminal, where both are seen, in their order.
  const child = spawn('bash', ['-c', `exec 2>&1; ${command}`], {
    cwd: folder,
    // The port of its own is for others.
    env: { ...environment, ...more, KAZAHANA_PORT: '0' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = new Promise((resolve) => child.on('close', resolve));
  const enough = new Promise<void>((resolve) => {
    const take = (chunk: Buffer) => {
      printed += chunk.toString();
      if (isEnough(printed)) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    setTimeout(resolve, PATIENCE_MS).unref();
  });
  await Promise.race([enough, ended]);
  const shown = printed;
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  await ended;
  return shown;
}
