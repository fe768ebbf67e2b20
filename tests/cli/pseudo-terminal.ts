// Runs the command at a terminal, of 80 × 24 unless said: one of `script`, which gives it a real one and passes on what is typed.
import { spawn } from 'node:child_process';
import { ensureSystemPackage } from '../../scripts/system-packages.ts';
import { reportSkipped } from '../skipped.ts';
import { program, type RunOptions, type Sandbox } from './sandbox.ts';

const found = ensureSystemPackage({ commands: ['script'], debian: 'bsdutils' });
export const hasTerminal = found.path !== null;
if (found.path === null && !reportSkipped([{ name: 'tests at a terminal', ...found }]))
  throw new Error('script is missing');

const PATIENCE_MS = 30_000;

export interface Session {
  /** Everything that has come so far. */
  readonly output: string;
  /** Resolves when that has come; fails when the command ends first. */
  shows(pattern: RegExp): Promise<void>;
  type(text: string): void;
  /** Resolves when the command has ended, to its exit code. */
  readonly ended: Promise<number>;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs the arguments of the command, with what redirections the shell is told. */
export function atTerminal(
  { folder, environment }: Sandbox,
  args: readonly string[],
  options: RunOptions & {
    readonly redirection?: string;
    readonly columns?: number;
    /** Another program than the command. */
    readonly program?: string;
  } = {},
): Session {
  const line = [process.execPath, options.program ?? program, ...args].map(quote).join(' ');
  const command = `stty cols ${options.columns ?? 80} rows 24; exec ${line} ${options.redirection ?? ''}`;
  const child = spawn(found.path ?? 'script', ['-qefc', command, '/dev/null'], {
    cwd: folder,
    env: { ...environment, SHELL: '/bin/sh', ...options.environment },
  });
  let output = '';
  let isOver = false;
  const waiting = new Set<() => void>();
  const notice = () => {
    for (const look of waiting) look();
  };
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    notice();
  });
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code) => {
      isOver = true;
      notice();
      resolve(code ?? 128);
    });
  });
  return {
    get output() {
      return output;
    },
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => finish(new Error(`${pattern} never came; there is: ${output}`)),
          PATIENCE_MS,
        );
        const finish = (error?: Error) => {
          clearTimeout(timer);
          waiting.delete(look);
          if (error) reject(error);
          else resolve();
        };
        const look = () => {
          if (pattern.test(output)) finish();
          else if (isOver) finish(new Error(`${pattern} never came; it ended with: ${output}`));
        };
        waiting.add(look);
        look();
      }),
    type: (text) => child.stdin.write(text),
    ended,
  };
}
