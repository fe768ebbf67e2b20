// What commands write to: data on stdout, talk on stderr, colours where they are wanted, quiet on a closed pipe.
import { once } from 'node:events';
import { visibleJson } from './visible.js';

export type ColorChoice = 'auto' | 'always' | 'never';
export type Style = Parameters<typeof import('node:util')['styleText']>[0];

/** What each code means is in docs/cli.md. */
export const EXIT = { fine: 0, invalid: 1, usage: 2, unreachable: 3, exhausted: 4 } as const;

/** Wrong usage: said on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}

/** Where nothing says how wide and high it is. */
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** Whether a stream gets colours (https://no-color.org). */
export function wantsColors(choice: ColorChoice, stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, TERM } = process.env;
  const isWanted = stream.isTTY === true && TERM !== 'dumb' && (NO_COLOR === undefined || NO_COLOR === '');
  return choice === 'always' || (choice === 'auto' && isWanted);
}

/** The text in a style. */
export function styled(style: Style, text: string): string {
  // Not imported: its face for ESM loads all that `node:util` would load lazily, six milliseconds for every command.
  return process.getBuiltinModule('node:util').styleText(style, text, { validateStream: false });
}

export class Terminal {
  readonly isColored: boolean;
  readonly isTerminal: boolean;

  constructor(choice: ColorChoice) {
    this.isTerminal = process.stdout.isTTY === true;
    this.isColored = wantsColors(choice, process.stdout);
  }

  /** Columns of the terminal, which may change; 80 where there is none. */
  get columns(): number {
    return process.stdout.columns || DEFAULT_COLUMNS;
  }

  get rows(): number {
    return process.stdout.rows || DEFAULT_ROWS;
  }

  /** The text in a style, where there are colours. */
  paint(style: Style, text: string): string {
    return this.isColored ? styled(style, text) : text;
  }

  /** Writes data; resolves when there is room for more, and rejects when the signal comes first. */
  async write(text: string, signal?: AbortSignal): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain', signal && { signal });
  }

  /** Writes data; resolves when the array may be used for something else. */
  writeBytes(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      // What goes wrong is an event of stdout's as well.
      process.stdout.write(bytes, () => resolve());
    });
  }

  line(text = ''): Promise<void> {
    return this.write(`${text}\n`);
  }

  /** One JSON object a line; 64-bit numbers as text. */
  json(value: unknown): Promise<void> {
    return this.line(visibleJson(value));
  }

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }
}

/** Where lines that go well into 80 columns have to be folded. */
export const isNarrow = ({ columns }: Terminal): boolean => columns < 60;

/** What a shell reports of a process that such a signal has ended. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * A reader that has seen enough is no failure. Commands that have something to give back first hear of it as other programs do,
 * by SIGPIPE, which Node does not let happen.
 */
export function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!process.emit('SIGPIPE', 'SIGPIPE')) process.exit(EXIT.fine);
  });
}

export interface Interruption {
  /** Aborted when the user, or the reader of stdout, has had enough. */
  readonly signal: AbortSignal;
  /** For the exit of an interrupted command. */
  readonly code: number;
}

/** For commands that have something to give back before they end. A second signal does not wait for that. */
export function catchInterruption(): Interruption {
  const controller = new AbortController();
  let code: number = EXIT.fine;
  const interrupt = (exitCode: number) => {
    code = exitCode;
    controller.abort();
  };
  for (const [name, exitCode] of Object.entries(SIGNALS)) process.once(name, () => interrupt(exitCode));
  process.on('SIGPIPE', () => interrupt(EXIT.fine));
  return {
    signal: controller.signal,
    get code() {
      return code;
    },
  };
}
