// Rows of a name and a text, as `inspect` shows them; wrapped where the terminal is narrow.
import type { Terminal } from '../terminal.js';
import { wrap } from '../text-width.js';

const NAME = 8;
const BEFORE = 2 + NAME + 1;

/** What does not go to a terminal need not fit into one. */
const roomOf = ({ isTerminal, columns }: Terminal) => (isTerminal ? Math.max(20, columns - BEFORE) : 120);

export function row(name: string, text: string, terminal: Terminal): string[] {
  const [first = '', ...more] = wrap(text, roomOf(terminal));
  return [`  ${name.padEnd(NAME)} ${first}`, ...more.map((line) => ' '.repeat(BEFORE) + line)].map((line) =>
    line.trimEnd(),
  );
}
