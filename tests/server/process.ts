// A server in a process of its own: `kazahana serve`, or a server over any store. Its log can be read, signals can be
// sent to it, and it can be killed and started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/run.ts';
import type { LogLine } from './log.ts';
import type { ServerProcessOptions } from './server-process.ts';

const CLI = join(root, 'packages', 'cli', 'bin', 'kazahana.cjs');
const SERVER = fileURLToPath(new URL('server-process.ts', import.meta.url));

const running = new Set<ChildProcess>();

/** Ends what a test that failed has left running; for `afterAll` of every file that starts servers. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL');
}
process.on('exit', killServers);

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly lines: LogLine[] = [];
  /** What it said that was not its log. */
  talk = '';
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #waiting = new Set<() => void>();

  private constructor(args: readonly string[], environment: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, args, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = this.#child;
    if (!stdout || !stderr) throw new Error('a piped process has its outputs');
    running.add(this.#child);
    createInterface({ input: stdout }).on('line', (line) => {
      if (line.startsWith('{')) this.lines.push({ ...(JSON.parse(line) as LogLine), arrivedAt: Date.now() });
      else this.talk += `${line}\n`;
      this.#look();
    });
    stderr.on('data', (chunk) => {
      this.talk += chunk;
    });
    this.exited = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        running.delete(this.#child);
        resolve({ code, signal });
        this.#look();
      });
    });
  }

  /** `kazahana serve` with these flags. */
  static serve(flags: readonly string[], environment: Readonly<Record<string, string>> = {}): ServerProcess {
    return new ServerProcess([CLI, 'serve', ...flags], environment);
  }

  /** A server over a store of the tests. */
  static over(options: ServerProcessOptions): ServerProcess {
    return new ServerProcess([SERVER, JSON.stringify(options)], {});
  }

  /** The address, once it listens. */
  async url(): Promise<string> {
    return String((await this.line('listening')).url);
  }

  /** The nth line of the log with these words; fails when the process ends without it. */
  line(words: string, nth = 1): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      let isEnded = false;
      void this.exited.then(() => {
        isEnded = true;
      });
      const check = () => {
        const line = this.lines.filter(({ msg }) => msg === words)[nth - 1];
        if (!line && !isEnded && this.#child.exitCode === null && this.#child.signalCode === null) return;
        this.#waiting.delete(check);
        if (line) resolve(line);
        else reject(new Error(`the server ended without ${JSON.stringify(words)}:\n${this.talk}`));
      };
      this.#waiting.add(check);
      check();
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As a crash would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  #look(): void {
    for (const check of this.#waiting) check();
  }
}
