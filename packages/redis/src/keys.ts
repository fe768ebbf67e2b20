// The names of what a pool keeps in Redis. All keys share one hash tag, so that a Cluster keeps them on one node and one
// script may touch them all; and every script is told the keys that it touches, so that a Cluster lets it.
import { InvalidArgumentError, type SlotKey } from 'kazahana/lease';

/** A brace would begin or end the hash tag, a space or a colon end a word; a percent sign is how they are written. */
const RESERVED = /[{}%\s:]/g;
const escaped = (found: string) => `%${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
const unescaped = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));

/** Any string as one word that UTF-8 carries without loss: what is between the quotes of its JSON. */
export const toWord = (text: string): string => JSON.stringify(text).slice(1, -1).replace(RESERVED, escaped);
const fromWord = (word: string): string => JSON.parse(`"${word.replace(/%(....)/g, unescaped)}"`);

/** Slots have so many digits that their order as text is their order as numbers: 2^29 is the highest number of slots. */
const SLOT_DIGITS = 9;

export const toField = ({ generation, slot }: SlotKey): string =>
  `${toWord(generation)}:${String(slot).padStart(SLOT_DIGITS, '0')}`;

export function fromField(field: string): SlotKey {
  const [generation = '', slot] = field.split(':');
  return { generation: fromWord(generation), slot: Number(slot) };
}

export function checkPrefix(prefix: unknown): string {
  if (typeof prefix === 'string' && /^[^{}\s]{1,100}$/.test(prefix)) return prefix;
  throw new InvalidArgumentError('prefix', '1 to 100 characters without braces and spaces', prefix);
}

export type PoolKeys = ReturnType<typeof poolKeys>;

export function poolKeys(prefix: string, pool: string) {
  const tag = `{${prefix}:${toWord(pool)}}`;
  return {
    /** Hash: `data` and `version` of the pool's record, `serial`, and `life`: which server wrote last, and when. */
    pool: `${tag}:pool`,
    /** Hash: the slots, by their field. */
    slots: `${tag}:slots`,
    /** Hash: the responses, by their request. */
    responses: `${tag}:responses`,
    /** Sorted set: runs of numbers that were never written. The score is where a run begins, the member where it ends. */
    gaps: (generation: string) => `${tag}:gaps:${toWord(generation)}`,
    /** Sorted set: the slots of a generation that were written, by `freeFrom`. */
    order: (generation: string) => `${tag}:order:${toWord(generation)}`,
    /** Sorted set: the slots that a quota counts, by `freeFrom`. */
    quota: (name: string) => `${tag}:quota:${toWord(name)}`,
  };
}
