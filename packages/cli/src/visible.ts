// Text that others wrote (an argument, a line, a file, what a server sends), as a terminal may show it: no character in it
// steers the terminal, hides, or turns the direction of writing. Each of those is written as an escape.

/**
 * Controls (C0, C1, DEL), characters without a shape of their own (zero width, direction, tags, variation), lone surrogates,
 * separators of lines, and marks that pile up on one letter.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=\p{M}{8})\p{M}/gu;

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** As in a string of JavaScript: `\u001b`, `\u{e0041}`. */
function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return SHORT[character] ?? (code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`);
}

/** The text as it can be shown; linear in its length. */
export const visible = (text: string) => text.replaceAll(UNSHOWN, escapeOf);

/** Lines of our own that quote others. */
export const visibleLines = (text: string) => text.split('\n').map(visible).join('\n');

/** JSON escapes by units of UTF-16. */
const escapeInJson = (character: string) =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

/** One line of JSON that means the same to a parser and can be shown; 64-bit numbers as text. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part));
  return text.replaceAll(UNSHOWN, escapeInJson);
}

/** Of a text of others, so much is quoted in an error. */
const QUOTED = 60;

/** A text of others in an error, in quotes and not too long. */
export const quoted = (text: string) =>
  visibleJson(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
