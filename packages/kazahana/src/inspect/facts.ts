// The facts of an ID from what a format knows of it; what is left out is "nothing" or "not known".
import type { BitLayout } from './bits.js';
import { BASE64URL, hexOf, toBase64 } from './radix.js';
import type { Facts, OtherForm, ReadingField } from './types.js';

const NOTHING: Omit<Facts, 'text'> = {
  bits: 0,
  value: 0n,
  fields: [],
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
