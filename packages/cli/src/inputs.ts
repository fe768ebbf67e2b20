// What commands read: their arguments; where `-` stands among them, or where there are none and something is piped in, the
// lines of stdin as a stream.
import { createInterface } from 'node:readline';
import { unshield } from './dashed-ids.js';
import { UsageError } from './terminal.js';

export interface Input {
  readonly text: string;
  /** The number of the line of stdin that it is; undefined for an argument. */
  readonly line: number | undefined;
}

/** Nothing to read is a mistake, not an empty result; an explicit `-` may well be empty. */
export async function* inputs(args: readonly string[], what: string): AsyncGenerator<Input> {
  if (args.length > 0) {
    for (const arg of args) {
      if (arg === '-') yield* linesOfStdin();
      else yield { text: unshield(arg), line: undefined };
    }
    return;
  }
  let isEmpty = true;
  if (!process.stdin.isTTY) {
    for await (const input of linesOfStdin()) {
      isEmpty = false;
      yield input;
    }
  }
  if (isEmpty) throw new UsageError(`no ${what}: name some, or pipe them in, one a line`);
}

async function* linesOfStdin(): AsyncGenerator<Input> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text !== '') yield { text, line };
  }
}
