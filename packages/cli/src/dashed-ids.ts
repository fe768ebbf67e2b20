// External IDs and Nano IDs may begin with a hyphen, push IDs of Firebase always do, and would be taken for options. They are
// shielded before the line is parsed, by a character that no argument can have, so that they stay where they stand.

const SHIELD = '\0';
const EXTERNAL_ID = /^-[\w-]{10}$/;
/** As long as an external ID, and none. */
const OPTIONS = ['--algorithm', '--log-level', '--unordered'];
/** A push ID, a Nano ID: with characters that no option has. */
const LONGER_ID = /^-[\w-]{11,63}$/;
const OPTION = /^--[a-z]+(?:-[a-z]+)*$/;

export const isDashedId = (word: string) =>
  (EXTERNAL_ID.test(word) && !OPTIONS.includes(word)) || (LONGER_ID.test(word) && !OPTION.test(word));

/** The words of a command line, with such IDs no longer looking like options. */
export function shieldDashedIds(words: readonly string[]): string[] {
  const [command, verb] = words;
  const readsIds = command === 'inspect' || (command === 'external' && verb === 'decode');
  if (!readsIds) return [...words];
  return words.map((word) => (isDashedId(word) ? SHIELD + word : word));
}

/** The word as it was typed. */
export function unshield(word: string): string {
  return word.startsWith(SHIELD) ? word.slice(SHIELD.length) : word;
}
