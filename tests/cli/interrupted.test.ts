// What a command has taken it gives back, however it ends: by Ctrl-C, SIGTERM or a reader that has seen enough. Real processes, a
// real server.
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeaseServer, startLeaseServer } from './lease-server.ts';
import { createSandbox, kazahana, program, type Sandbox, shell } from './sandbox.ts';

let sandbox: Sandbox;
let server: LeaseServer;
beforeAll(async () => {
  [sandbox, server] = await Promise.all([createSandbox(), startLeaseServer()]);
});
afterAll(async () => {
  await server.dispose();
  sandbox.dispose();
});

interface Pool {
  readonly held: number;
  readonly serial: number;
}

async function pool(source: readonly string[]): Promise<Pool> {
  const { stdout } = await kazahana(sandbox, ['pool', 'status', '--json', ...source]);
  return JSON.parse(stdout) as Pool;
}

const SOURCES: [name: string, source: () => string[]][] = [
  ['a server', () => ['--url', server.url]],
  ['a store', () => ['--store', 'sqlite:./interrupted.db']],
];

describe.each(SOURCES)('kazahana next with leases of %s gives them back', (_name, source) => {
  /** Runs it until it has printed something, and then ends it so. */
  const end = (args: readonly string[], stop: (child: ReturnType<typeof spawn>) => void) => {
    const child = spawn(process.execPath, [program, 'next', '-n', '100000000', ...args], {
      cwd: sandbox.folder,
      env: sandbox.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.once('data', () => stop(child));
    child.stdout?.on('error', () => {});
    child.stdout?.resume();
    return new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.on('exit', (code, signal) => resolve({ code, signal })),
    );
  };

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after %s, with exit code %i', async (signal, code) => {
    const before = await pool([...source()]).catch(() => ({ serial: 0 }));
    expect(await end(source(), (child) => child.kill(signal))).toEqual({ code, signal: null });
    const after = await pool(source());
    expect(after.held).toBe(0);
    expect(after.serial).toBeGreaterThan(before.serial);
  });

  it('after a closed pipe, with exit code 0', async () => {
    const line = `{ kazahana next -n 1000000 ${source().join(' ')}; echo "code $?" >&2; } | head -1`;
    const { stdout, stderr } = await shell(sandbox, line);
    expect(stdout).toMatch(/^\d+\n$/);
    expect(stderr).toBe('code 0\n');
    expect((await pool(source())).held).toBe(0);
  });
});

it('Ctrl-C ends it also while its reader does not read', async () => {
  const child = spawn(process.execPath, [program, 'next', '-n', '100000000', '--url', server.url], {
    env: sandbox.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('readable', resolve));
  // More than a pipe holds has been made by now: the command waits for room.
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect((await pool(['--url', server.url])).held).toBe(0);
});
