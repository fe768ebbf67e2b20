// A server process that a test owns: started on a free port with its data in a temporary folder, stopped in order,
// killed as a crash would, and started again on the same data.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSystemPackage, type SystemPackage } from '../../scripts/system-packages.ts';

const READY_TIMEOUT_MS = 40_000;
const STOP_TIMEOUT_MS = 10_000;

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Below the ports that systems give to outgoing connections: one of those could take the port of a server between two
 * starts of it.
 */
const PORTS = { from: 10_000, to: 32_000 };
/** Never the same twice in a process; that two processes choose the same in the same moment is unlikely. */
const chosen = new Set<number>();

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

/** The path of a server program; fails with what to install. */
export function programPath(wanted: SystemPackage): string {
  const found = ensureSystemPackage(wanted);
  if (found.path === null) throw new Error(`${found.missing}; ${found.install}`);
  return found.path;
}

/** A folder of its own for the data of a server. */
export function dataFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `kazahana-${name}-`));
}

export interface ServiceDefinition {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Resolves to true when the server responds. */
  readonly isReady: () => Promise<boolean>;
  /** The signal that ends it in order. */
  readonly stopSignal?: NodeJS.Signals;
}

/** Processes that are still running when the tests end, however they end. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class Service {
  readonly #definition: ServiceDefinition;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(definition: ServiceDefinition) {
    this.#definition = definition;
  }

  get port(): number {
    return this.#definition.port;
  }

  get folder(): string {
    return this.#definition.folder;
  }

  /** Starts it, or starts it again on the same data; resolves when it responds. */
  async start(): Promise<this> {
    const { name, command, args, environment, isReady } = this.#definition;
    const child = spawn(command, args, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    running.add(child);
    child.on('exit', () => running.delete(child));
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = Date.now() + READY_TIMEOUT_MS;
    while (!(await isReady().catch(() => false))) {
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`${name} did not start:\n${this.#output}`);
      await pause(20);
    }
    return this;
  }

  /** Ends it in order, or by another signal. */
  stop(signal: NodeJS.Signals = this.#definition.stopSignal ?? 'SIGTERM'): Promise<void> {
    return this.#end(signal);
  }

  /** Ends it as a crash would. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Stops it in its tracks, as a machine that hangs; SIGCONT goes on. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it and removes its data. */
  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }
}
