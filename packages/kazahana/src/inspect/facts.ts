// The facts of an ID from what a format knows of it; what is left out is "nothing" or "not known".
import type { BitLayout } from './bits.js';
import { BASE64URL, hexOf, toBase64 } from './radix.js';
import type { Facts, Format, Match, OtherForm, ReadingField, Role, Segment, Strength } from './types.js';

const NOTHING: Omit<Facts, 'text'> = {
  bits: 0,
  value: 0n,
  fields: [],
  segments: [],
  time: null,
  order: 'none',
  randomBits: null,
  maker: null,
  contains: null,
  fallback: false,
  notes: [],
  forms: [],
};

export type SomeFacts = Partial<Facts> & Pick<Facts, 'text'>;

/** Facts of a text that is not made of bits. */
export const textFacts = (facts: SomeFacts): Facts => ({ ...NOTHING, ...facts });

/** The forms that any bits can be written in, except the one that is the usual text. */
export function bitForms(value: bigint, bits: number, text: string): OtherForm[] {
  const forms = [
    { name: 'hex', text: hexOf(value, bits) },
    { name: 'decimal', text: String(value) },
    ...(bits % 8 === 0 ? [{ name: 'base64url', text: toBase64(value, bits, BASE64URL) }] : []),
  ];
  return forms.filter((form) => form.text !== text);
}

/** Facts of bits under a layout; `tell` says what the fields mean together. */
export function bitFacts(
  layout: BitLayout,
  value: bigint,
  text: string,
  tell: (fields: readonly ReadingField[]) => Partial<Facts>,
): Facts {
  const { bits } = layout;
  const fields = layout.describe(value);
  return { ...NOTHING, text, bits, value, fields, forms: bitForms(value, bits, text), ...tell(fields) };
}

/** A text cut into parts of known lengths; what is left over is the last part's. */
export function cut(
  text: string,
  ...parts: readonly (readonly [name: string, role: Role, length?: number])[]
): Segment[] {
  let at = 0;
  return parts.map(([name, role, length = text.length]) => {
    const part = text.slice(at, at + length);
    at += length;
    return { text: part, name, role };
  });
}

/** Where in hexadecimal text each field stands. A digit that two fields share is the one's that has more of it, or comes later. */
export function hexSegments(text: string, fields: readonly ReadingField[]): Segment[] {
  const fieldAt = (bit: number) => fields.find(({ offset, bits }) => bit >= offset && bit < offset + bits);
  const segments: { text: string; name: string; role: Role }[] = [];
  let digit = 0;
  for (const character of text) {
    const field = /[0-9a-f]/i.test(character) ? fieldAt(4 * digit++ + 2) : undefined;
    const last = segments.at(-1);
    // Hyphens belong to what stands before them.
    if (last && (!field || field.name === last.name)) last.text += character;
    else if (field) segments.push({ text: character, name: field.name, role: field.role });
  }
  return segments;
}

export interface BitFormat<Name extends string> extends Omit<Format<Name>, 'recognise' | 'describe'> {
  readonly layout: BitLayout;
  /** The bits of a text; undefined when it is not of this format. */
  parse(text: string): bigint | undefined;
  /** The usual text of bits. */
  write(value: bigint): string;
  readonly strength: Strength | ((value: bigint, text: string) => Strength);
  tell(fields: readonly ReadingField[], value: bigint): Partial<Facts>;
}

/** A format that is a layout and a way to write its bits. */
export function bitFormat<const Name extends string>(definition: BitFormat<Name>): Format<Name> {
  const { layout, parse, write, strength, tell, ...format } = definition;
  const describe = (value: bigint) => bitFacts(layout, value, write(value), (fields) => tell(fields, value));
  return {
    ...format,
    describe,
    recognise(text): Match | undefined {
      const value = parse(text);
      // A text of the right length may stand for more bits than there are.
      if (value === undefined || value >= 2n ** BigInt(layout.bits)) return undefined;
      return {
        strength: typeof strength === 'function' ? strength(value, text) : strength,
        facts: describe(value),
      };
    },
  };
}
