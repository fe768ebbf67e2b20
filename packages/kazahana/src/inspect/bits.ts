// Layouts whose fields know what they are for: the layout engine takes the bits apart, this adds roles and meanings.
import { defineLayout, type FieldDescription, type FieldValue } from '../layout/layout.js';
import { type Message, type MessageKey, message } from './messages.js';
import type { ReadingField, Role } from './types.js';

export interface RoleField {
  readonly name: string;
  readonly bits: number;
  readonly role: Role;
  readonly min?: FieldValue;
  readonly max?: FieldValue;
  /** The value as people write it: a time, an address. */
  readonly reading?: (value: FieldValue, values: Readonly<Record<string, FieldValue>>) => string;
  /** What the value means, in words. */
  readonly meaning?: MessageKey;
}

/** What the inspector needs of a layout. */
interface AnyLayout {
  readonly bits: number;
  describe(id: never): readonly FieldDescription[];
}

export interface BitLayout {
  readonly bits: number;
  describe(value: bigint): readonly ReadingField[];
}

/** The layout engine takes numbers up to 53 bits and bigints beyond. */
const idOf = (value: bigint, bits: number) => (bits <= 53 ? Number(value) : value) as never;

/** A layout of another room, with what its fields are for. */
export function withRoles(
  layout: AnyLayout,
  roles: Readonly<Record<string, Role>>,
  meaningOf: (field: FieldDescription) => Message | null = () => null,
): BitLayout {
  return {
    bits: layout.bits,
    describe: (value) =>
      layout.describe(idOf(value, layout.bits)).map((field) => {
        const meaning = meaningOf(field);
        return {
          ...field,
          role: roles[field.name] ?? 'other',
          meaning,
          reading: meaning?.text ?? field.reading,
        };
      }),
  };
}

/** A layout of fields with roles, from the most significant bits to the least. */
export function roleLayout(name: string, fields: readonly RoleField[]): BitLayout {
  const bits = fields.reduce((sum, field) => sum + field.bits, 0);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const definitions = fields.map(({ name: fieldName, bits: width, min, max, reading }) => ({
    name: fieldName,
    bits: width,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(reading && { reading }),
  }));
  const layout = defineLayout({ name, bits, fields: definitions });
  const roles = Object.fromEntries(fields.map((field) => [field.name, field.role]));
  return withRoles(layout, roles, (field) => {
    const key = byName.get(field.name)?.meaning;
    return key === undefined ? null : message(key);
  });
}

/** The value of a field; 0 when there is none of that name. */
export function fieldValue(fields: readonly ReadingField[], name: string): FieldValue {
  return fields.find((field) => field.name === name)?.value ?? 0;
}

export const numberOf = (fields: readonly ReadingField[], name: string) => Number(fieldValue(fields, name));

// Fields that many layouts have.
export const zero = (name: string, bits: number): RoleField => ({
  name,
  bits,
  role: 'other',
  min: bits <= 53 ? 0 : 0n,
  max: bits <= 53 ? 0 : 0n,
  meaning: 'field-always-zero',
});
export const random = (name: string, bits: number): RoleField => ({
  name,
  bits,
  role: 'random',
  meaning: 'field-random',
});
export const machine = (name: string, bits: number): RoleField => ({ name, bits, role: 'machine' });
export const sequence = (name: string, bits: number): RoleField => ({ name, bits, role: 'sequence' });
