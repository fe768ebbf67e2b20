// What commands write to: data on stdout, talk on stderr, colours where they are wanted, quiet on a closed pipe.
import { once } from 'node:events';
import { styleText } from 'node:util';

export type ColorChoice = 'auto' | 'always' | 'never';
type Style = Parameters<typeof styleText>[0];

/** DESIGN, section 9. */
export const EXIT = { fine: 0, invalid: 1, usage: 2, unreachable: 3, exhausted: 4 } as const;

/** Wrong usage: said on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}

export class Terminal {
  readonly isColored: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  readonly isTerminal: boolean;

  constructor(choice: ColorChoice) {
    this.isTerminal = process.stdout.isTTY === true;
    this.columns = process.stdout.columns ?? 80;
    const { NO_COLOR } = process.env;
    const isWanted = this.isTerminal && (NO_COLOR === undefined || NO_COLOR === '');
    this.isColored = choice === 'always' || (choice === 'auto' && isWanted);
  }

  /** The text in a style, where there are colours. */
  paint(style: Style, text: string): string {
    return this.isColored ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Writes data; resolves when there is room for more. */
  async write(text: string): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
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

/** The lines of stdin or of a file, as a stream. */
export async function* readLines(path: '-' | string): AsyncGenerator<string> {
  // Loaded here, for most commands read nothing.
  const [{ createReadStream }, { createInterface }] = await Promise.all([
    import('node:fs'),
    import('node:readline'),
  ]);
  const input = path === '-' ? process.stdin : createReadStream(path);
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** The arguments one by one; `-` stands for the lines of stdin. */
export async function* inputs(args: readonly string[]): AsyncGenerator<{ text: string; isStream: boolean }> {
  for (const arg of args) {
    if (arg === '-') {
      for await (const line of readLines('-')) if (line !== '') yield { text: line, isStream: true };
    } else {
      yield { text: arg, isStream: false };
    }
  }
}
