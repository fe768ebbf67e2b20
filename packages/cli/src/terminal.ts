// What commands write to: data on stdout, talk on stderr, colours where they are wanted, quiet on a closed pipe.
import { once } from 'node:events';

export type ColorChoice = 'auto' | 'always' | 'never';
type Style = Parameters<typeof import('node:util')['styleText']>[0];

/** What each code means is in docs/cli.md. */
export const EXIT = { fine: 0, invalid: 1, usage: 2, unreachable: 3, exhausted: 4 } as const;

/** Wrong usage: said on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}

/** Where nothing says how wide it is. */
const DEFAULT_COLUMNS = 80;

export class Terminal {
  readonly isColored: boolean;
  readonly isTerminal: boolean;

  constructor(choice: ColorChoice) {
    this.isTerminal = process.stdout.isTTY === true;
    const { NO_COLOR, TERM } = process.env;
    const isWanted = this.isTerminal && TERM !== 'dumb' && (NO_COLOR === undefined || NO_COLOR === '');
    this.isColored = choice === 'always' || (choice === 'auto' && isWanted);
  }

  /** Columns of the terminal, which may change; 80 where there is none. */
  get columns(): number {
    return process.stdout.columns || DEFAULT_COLUMNS;
  }

  /** The text in a style, where there are colours. */
  paint(style: Style, text: string): string {
    if (!this.isColored) return text;
    // Not imported: its face for ESM loads all that `node:util` would load lazily, six milliseconds for every command.
    return process.getBuiltinModule('node:util').styleText(style, text, { validateStream: false });
  }

  /** Writes data; resolves when there is room for more. */
  async write(text: string): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
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
    return this.line(JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part)));
  }

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }
}

/** A reader that has seen enough is no failure. */
export function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.fine);
    throw error;
  });
}
