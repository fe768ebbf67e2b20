// What commands read: their arguments, or the lines of stdin as a stream where `-` stands for them.
import { createInterface } from 'node:readline';
import { unshield } from './dashed-ids.js';

export interface Input {
  readonly text: string;
  /** It is a line of stdin. */
  readonly isStream: boolean;
}

export async function* inputs(args: readonly string[]): AsyncGenerator<Input> {
  for (const arg of args) {
    if (arg !== '-') {
      yield { text: unshield(arg), isStream: false };
      continue;
    }
    const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) if (line !== '') yield { text: line, isStream: true };
  }
}
