// `kazahana <id>` means `kazahana inspect <id>`.
import { isDashedId } from './dashed-ids.js';

/** What a command could be called. Hardly an ID looks like this; one of lower-case letters alone is read by `inspect`. */
const COMMAND_LIKE = /^[a-z][a-z-]{0,19}$/;

/** The words of a command line; with `inspect` before them where the first that is no option cannot be a command. */
export function withInspect(words: readonly string[]): string[] {
  const first = words.find((word, i) => {
    const before = words[i - 1];
    return before === '--' || (isArgument(word) && before !== '--color');
  });
  return first === undefined || COMMAND_LIKE.test(first) ? [...words] : ['inspect', ...words];
}

const isArgument = (word: string) => word === '-' || !word.startsWith('-') || isDashedId(word);
