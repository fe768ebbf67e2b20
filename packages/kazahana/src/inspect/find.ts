// IDs in running text, a log for example: UUIDs in every form, and numbers long enough to be 64-bit IDs. Other
// IDs cannot be told from words and are not looked for.

export interface FoundId {
  readonly text: string;
  /** Where it begins in the text. */
  readonly index: number;
}

const HEX = '[0-9a-fA-F]';
const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}|${HEX}{32}`;
/** Shorter numbers are counts, ports and times in seconds far more often than IDs. */
const NUMBER = '[0-9]{15,20}';
const NOT_WITHIN = '(?<![\\w-])';
const NOT_BEFORE = '(?![\\w-])';
const PATTERN = `\\{(?:${UUID})\\}|${NOT_WITHIN}(?:urn:uuid:(?:${UUID})|${UUID}|${NUMBER})${NOT_BEFORE}`;

/** The texts that look like IDs, in order; what they are, `inspectId` tells. */
export function* findIds(text: string): IterableIterator<FoundId> {
  for (const match of text.matchAll(new RegExp(PATTERN, 'gi'))) yield { text: match[0], index: match.index };
}
