// An ID is a bit layout plus a source of values. This is the layout half: the only code that packs and
// unpacks fields, for generators, decoders, the inspector and every drawing of bits.
import type { ErrorCode } from '../error-codes.js';
import { checkBigint, InvalidArgumentError, OutOfRangeError } from '../errors.js';

/** The value of a field or an ID: a `number` up to 53 bits, a `bigint` beyond. */
export type FieldValue = number | bigint;

export interface FieldDefinition {
  readonly name: string;
  readonly bits: number;
  /** The lowest value allowed; 0 when left out. */
  readonly min?: FieldValue;
  /** The highest value allowed; all bits set when left out. */
  readonly max?: FieldValue;
  /** What the value means to a person; `values` are the other fields, for readings that need them. */
  readonly reading?: (value: FieldValue, values: Readonly<Record<string, FieldValue>>) => string;
}

export interface LayoutDefinition<Fields extends readonly FieldDefinition[]> {
  readonly name: string;
  /** The width of the whole ID, 1 to 512; the fields must fill it exactly. */
  readonly bits: number;
  /** From the most significant bits to the least. */
  readonly fields: Fields;
}

/** A field with its place and its limits worked out. */
export interface Field {
  readonly name: string;
  /** How many bits stand before it, counted from the most significant. */
  readonly offset: number;
  readonly bits: number;
  readonly min: FieldValue;
  readonly max: FieldValue;
}

/** One field of one ID, ready to be drawn. */
export interface FieldDescription extends Field {
  readonly value: FieldValue;
  readonly reading: string;
  /** False when the bits hold a value that the layout does not allow; `decode` refuses such an ID. */
  readonly inRange: boolean;
}

// biome-ignore format: one row reads better than fifty-three
type SafeBits = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 38 | 39 | 40 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 48 | 49 | 50 | 51 | 52 | 53;

/** `number` for a width known to fit a double, `bigint` for one known not to, either when unknown. */
type ValueOfBits<Bits extends number> = number extends Bits
  ? FieldValue
  : Bits extends SafeBits
    ? number
    : bigint;

/** Fields that allow a single value need not be given. */
type IsFixed<F extends FieldDefinition> = F extends { min: infer Min; max: infer Max }
  ? number extends Min
    ? false
    : [Min, Max] extends [Max, Min]
      ? true
      : false
  : false;

type ValuesOf<Fields extends readonly FieldDefinition[]> = {
  readonly [F in Fields[number] as F['name']]: ValueOfBits<F['bits']>;
};

type InputOf<Fields extends readonly FieldDefinition[]> = {
  readonly [F in Fields[number] as IsFixed<F> extends true ? never : F['name']]: ValueOfBits<F['bits']>;
} & {
  readonly [F in Fields[number] as IsFixed<F> extends true ? F['name'] : never]?: ValueOfBits<F['bits']>;
};

export interface Layout<
  Fields extends readonly FieldDefinition[] = readonly FieldDefinition[],
  Bits extends number = number,
> {
  readonly name: string;
  readonly bits: number;
  readonly fields: readonly Field[];
  /** Packs field values into an ID; a field that allows one value only may be left out. */
  encode(values: InputOf<Fields>): ValueOfBits<Bits>;
  /** Unpacks an ID; refuses one that `encode` cannot make. */
  decode(id: ValueOfBits<Bits>): ValuesOf<Fields>;
  /** Every field with its place, value and meaning; for any pattern of bits, allowed or not. */
  describe(id: ValueOfBits<Bits>): readonly FieldDescription[];
}

/** A layout whose fields leave bits out, overlap, repeat a name, or have impossible limits. */
export class LayoutDefinitionError extends Error {
  override readonly name = 'LayoutDefinitionError';
  readonly code = 'INVALID_LAYOUT' satisfies ErrorCode;

  constructor(
    readonly layout: string,
    problem: string,
  ) {
    super(`layout ${JSON.stringify(layout)}: ${problem}`);
  }
}

/** As wide as the widest digest that the inspector draws. */
const MAX_BITS = 512;
const MAX_NUMBER_BITS = 53;

/** All `bits` bits set, as the kind of value that so many bits make. */
function allOnes(bits: number): FieldValue {
  return bits <= MAX_NUMBER_BITS ? 2 ** bits - 1 : (1n << BigInt(bits)) - 1n;
}

function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Whether a value is of the kind that so many bits make, and between the limits. */
function fits(value: unknown, bits: number, min: FieldValue, max: FieldValue): value is FieldValue {
  const rightKind = bits <= MAX_NUMBER_BITS ? Number.isInteger(value) : typeof value === 'bigint';
  return rightKind && (value as FieldValue) >= min && (value as FieldValue) <= max;
}

function resolveFields(
  layout: string,
  bits: number,
  definitions: readonly FieldDefinition[],
): readonly Field[] {
  const refuse = (problem: string): never => {
    throw new LayoutDefinitionError(layout, problem);
  };
  if (!Number.isInteger(bits) || bits < 1 || bits > MAX_BITS) {
    refuse(`bits must be an integer from 1 to ${MAX_BITS}, got ${bits}`);
  }
  const names = new Set<string>();
  const fields: Field[] = [];
  let offset = 0;
  for (const definition of definitions) {
    const { name, bits: width } = definition;
    const label = `field ${JSON.stringify(name)}`;
    if (typeof name !== 'string' || name === '') refuse('every field needs a name');
    // An object of fields cannot hold this key as an own property.
    if (name === '__proto__') refuse(`${label} is not a usable name`);
    if (names.has(name)) refuse(`${label} stands twice`);
    if (!Number.isInteger(width) || width < 1) refuse(`${label} must be at least 1 bit wide, got ${width}`);
    if (offset + width > bits) {
      refuse(`${label} ends at bit ${offset + width}, beyond the layout's ${bits}: the fields overlap`);
    }
    const top = allOnes(width);
    const min = definition.min ?? (typeof top === 'bigint' ? 0n : 0);
    const max = definition.max ?? top;
    if (!fits(min, width, 0, top) || !fits(max, width, 0, top) || min > max) {
      refuse(`${label} of ${width} bits cannot range from ${min} to ${max}`);
    }
    names.add(name);
    fields.push(Object.freeze({ name, offset, bits: width, min, max }));
    offset += width;
  }
  if (offset !== bits) refuse(`the fields fill ${offset} of ${bits} bits: ${bits - offset} are missing`);
  return Object.freeze(fields);
}

/** Appends a value below the bits gathered so far. Doubles are exact up to 53 bits, and much faster. */
function append(id: FieldValue, bits: number, value: FieldValue): FieldValue {
  return typeof id === 'number' ? id * 2 ** bits + Number(value) : (id << BigInt(bits)) | BigInt(value);
}

/** The bits of one field, read out of an ID of the given width. */
function unpack(id: FieldValue, bits: number, field: Field): FieldValue {
  const below = bits - field.offset - field.bits;
  if (typeof id === 'number') return Math.floor(id / 2 ** below) % 2 ** field.bits;
  const value = BigInt.asUintN(field.bits, id >> BigInt(below));
  return field.bits <= MAX_NUMBER_BITS ? Number(value) : value;
}

/**
 * Describes an ID as named bit fields, from the most significant bit to the least.
 *
 * ```ts
 * const ticket = defineLayout({ name: 'ticket', bits: 16, fields: [
 *   { name: 'shop', bits: 6 },
 *   { name: 'number', bits: 10, min: 1 },
 * ] });
 * ticket.encode({ shop: 3, number: 7 }); // → 3079
 * ticket.decode(3079);                   // → { shop: 3, number: 7 }
 * ```
 */
export function defineLayout<
  const Fields extends readonly FieldDefinition[],
  const Bits extends number,
>(definition: { readonly name: string; readonly bits: Bits; readonly fields: Fields }): Layout<Fields, Bits> {
  if (typeof definition?.name !== 'string' || !Array.isArray(definition.fields)) {
    throw new InvalidArgumentError('a layout', 'an object with name, bits and fields', definition);
  }
  const { name, bits } = definition;
  const fields = resolveFields(name, bits, definition.fields);
  const known = new Set(fields.map((field) => field.name));
  const top = allOnes(bits);

  const checkId = (id: unknown): FieldValue => {
    if (typeof top === 'bigint') checkBigint(name, id);
    if (!fits(id, bits, 0, top)) throw new OutOfRangeError(name, 0, top, id);
    // -0 passes for 0 in every comparison, and must not come out as a field's value.
    return id === 0 ? 0 : id;
  };

  const valueToPack = (field: Field, given: unknown): FieldValue => {
    const value = given === undefined && field.min === field.max ? field.min : given;
    if (!fits(value, field.bits, field.min, field.max)) {
      throw new OutOfRangeError(`${name}.${field.name}`, field.min, field.max, given);
    }
    return value;
  };

  const unpackAll = (id: unknown): Record<string, FieldValue> => {
    const checked = checkId(id);
    return Object.fromEntries(fields.map((field) => [field.name, unpack(checked, bits, field)]));
  };

  const layout = {
    name,
    bits,
    fields,

    encode(values: Readonly<Record<string, unknown>>): FieldValue {
      if (typeof values !== 'object' || values === null) {
        throw new InvalidArgumentError(name, `an object with the fields ${[...known].join(', ')}`, values);
      }
      for (const key of Object.keys(values)) {
        if (!known.has(key)) {
          throw new InvalidArgumentError(`${name}: a field`, `one of ${[...known].join(', ')}`, key);
        }
      }
      return fields.reduce<FieldValue>(
        // Own fields only: every object has `toString`, and it is no value.
        (id, field) => append(id, field.bits, valueToPack(field, own(values, field.name))),
        bits <= MAX_NUMBER_BITS ? 0 : 0n,
      );
    },

    decode(id: unknown): Record<string, FieldValue> {
      const values = unpackAll(id);
      for (const field of fields) valueToPack(field, values[field.name]);
      return values;
    },

    describe(id: unknown): readonly FieldDescription[] {
      const values = unpackAll(id);
      return fields.map((field, i) => {
        const value = values[field.name] ?? 0;
        const inRange = value >= field.min && value <= field.max;
        return {
          ...field,
          value,
          inRange,
          reading: definition.fields[i]?.reading?.(value, values) ?? String(value),
        };
      });
    },
  };
  // The checks above hold at run time what the type says at compile time; TypeScript cannot see that they agree.
  return Object.freeze(layout) as unknown as Layout<Fields, Bits>;
}
