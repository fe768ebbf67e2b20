// The formats that a text comes closest to, when none recognises it: nearly the right length, nearly all characters right.
import { type Message, message } from './messages.js';
import type { FormatName } from './registry.js';
import type { Format } from './types.js';

export interface NearFormat {
  readonly format: FormatName;
  readonly title: string;
  /** What keeps the text from being one. */
  readonly problem: Message;
}

const MOST = 3;
/** How far a length may be off, and how many characters may be wrong. */
const TOLERANCE = 2;
/** A shorter text is near to nothing in particular. */
const SHORTEST = 8;

interface Miss extends NearFormat {
  readonly distance: number;
  /** How many characters the alphabet has: a text that nearly fits a small one says more. */
  readonly characters: number;
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

function missOf(text: string, { name, title, shape }: Format<FormatName>): Miss | undefined {
  if (!shape) return undefined;
  const [length] = shape.lengths.toSorted((a, b) => Math.abs(a - text.length) - Math.abs(b - text.length));
  if (length === undefined) return undefined;
  const wrong = [...text].flatMap((character, position) =>
    shape.alphabet.test(character) ? [] : [{ character, position }],
  );
  const off = Math.abs(length - text.length);
  const distance = off + wrong.length;
  if (distance === 0 || off > TOLERANCE || wrong.length > TOLERANCE) return undefined;
  const [first] = wrong;
  const problem = first
    ? message('near-character', {
        character: JSON.stringify(first.character),
        position: String(first.position),
      })
    : message('near-length', { expected: String(length), found: String(text.length) });
  const characters = ASCII.filter((character) => shape.alphabet.test(character)).length;
  return { format: name, title: shape.title ?? title, problem, distance, characters };
}

export function nearFormats(text: string, formats: readonly Format<FormatName>[]): NearFormat[] {
  if (text.length < SHORTEST || text.length > 64 || /\s|^[a-z]+$/i.test(text)) return [];
  const oneOfEachShape = new Map(formats.map((format) => [format.shape, format] as const).toReversed());
  return [...oneOfEachShape.values()]
    .flatMap((format) => missOf(text, format) ?? [])
    .toSorted((a, b) => a.distance - b.distance || a.characters - b.characters)
    .slice(0, MOST)
    .map(({ format, title, problem }) => ({ format, title, problem }));
}
