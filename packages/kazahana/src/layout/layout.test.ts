import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineLayout, type FieldDefinition, LayoutDefinitionError } from './layout.js';

const ticket = defineLayout({
  name: 'ticket',
  bits: 16,
  fields: [
    { name: 'shop', bits: 6, max: 40, reading: (value) => `shop no. ${value}` },
    { name: 'number', bits: 10, min: 1 },
  ],
});

const wide = defineLayout({
  name: 'wide',
  bits: 128,
  fields: [
    { name: 'head', bits: 54 },
    { name: 'mark', bits: 4, min: 7, max: 7 },
    { name: 'tail', bits: 70 },
  ],
});

describe('a layout', () => {
  it('packs fields from the most significant bit to the least', () => {
    expect(ticket.encode({ shop: 3, number: 7 })).toBe(3 * 1024 + 7);
    expect(ticket.decode(3079)).toEqual({ shop: 3, number: 7 });
  });

  it('gives numbers up to 53 bits and bigints beyond', () => {
    const id = wide.encode({ head: 1n, mark: 7, tail: 2n });
    expect(id).toBe((1n << 74n) | (7n << 70n) | 2n);
    expect(wide.decode(id)).toEqual({ head: 1n, mark: 7, tail: 2n });
    const whole = defineLayout({ name: 'whole', bits: 53, fields: [{ name: 'all', bits: 53 }] });
    expect(whole.encode({ all: Number.MAX_SAFE_INTEGER })).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('lets a field that has one possible value be left out', () => {
    expect(wide.encode({ head: 0n, tail: 0n })).toBe(7n << 70n);
    expect(() => wide.encode({ head: 0n, tail: 0n, mark: 6 })).toThrow(
      'wide.mark must be an integer from 7 to 7, got 6',
    );
  });

  it('describes every field for a drawing', () => {
    expect(ticket.describe(3079)).toEqual([
      { name: 'shop', offset: 0, bits: 6, min: 0, max: 40, value: 3, reading: 'shop no. 3', inRange: true },
      { name: 'number', offset: 6, bits: 10, min: 1, max: 1023, value: 7, reading: '7', inRange: true },
    ]);
  });

  it('describes bits that decode refuses, and marks them', () => {
    expect(() => ticket.decode(0xffff)).toThrow('ticket.shop must be an integer from 0 to 40, got 63');
    expect(ticket.describe(0xfc00).map((field) => field.inRange)).toEqual([false, false]);
  });

  it('cannot be changed after its definition', () => {
    expect(
      Object.isFrozen(ticket) && Object.isFrozen(ticket.fields) && ticket.fields.every(Object.isFrozen),
    ).toBe(true);
  });
});

describe('encode refuses', () => {
  const rows: [title: string, values: unknown, message: string][] = [
    [
      'a value above the range',
      { shop: 41, number: 1 },
      'ticket.shop must be an integer from 0 to 40, got 41',
    ],
    [
      'a value below the range',
      { shop: 0, number: 0 },
      'ticket.number must be an integer from 1 to 1023, got 0',
    ],
    ['a fraction', { shop: 0.5, number: 1 }, 'ticket.shop must be an integer from 0 to 40, got 0.5'],
    ['NaN', { shop: Number.NaN, number: 1 }, 'got NaN'],
    ['a numeric string', { shop: '3', number: 1 }, 'got "3"'],
    ['a bigint where a number belongs', { shop: 3n, number: 1 }, 'got 3n'],
    ['a missing field', { shop: 3 }, 'ticket.number must be an integer from 1 to 1023, got undefined'],
    [
      'an unknown field',
      { shop: 3, number: 1, till: 2 },
      'ticket: a field must be one of shop, number, got "till"',
    ],
    ['no object', null, 'ticket must be an object with the fields shop, number, got null'],
  ];
  for (const [title, values, message] of rows) {
    it(title, () => {
      expect(() => ticket.encode(values as { shop: number; number: number })).toThrow(message);
    });
  }

  it('a number where a bigint belongs', () => {
    expect(() => wide.encode({ head: 1 as unknown as bigint, tail: 0n })).toThrow(
      'wide.head must be an integer',
    );
  });
});

it('takes no value from a prototype', () => {
  expect(() => ticket.encode(Object.create({ shop: 3, number: 7 }))).toThrow('got undefined');
});

it('reads -0 as 0', () => {
  const plain = defineLayout({ name: 'plain', bits: 8, fields: [{ name: 'all', bits: 8 }] });
  expect(Object.is(plain.decode(-0).all, 0)).toBe(true);
});

describe('decode refuses', () => {
  for (const id of [-1, 65536, 1.5, Number.NaN, 1n, '3079', null, undefined, {}]) {
    it(`${typeof id} ${String(id)}`, () => {
      expect(() => ticket.decode(id as number)).toThrow(/^ticket must be an integer from 0 to 65535, got /);
      expect(() => ticket.describe(id as number)).toThrow(RangeError);
    });
  }
});

describe('a definition is refused when', () => {
  const field = (name: string, bits: number, limits: Partial<FieldDefinition> = {}) => ({
    name,
    bits,
    ...limits,
  });
  const rows: [title: string, bits: number, fields: FieldDefinition[], message: string][] = [
    ['bits are missing', 8, [field('a', 7)], 'the fields fill 7 of 8 bits: 1 are missing'],
    ['there are no fields', 8, [], 'the fields fill 0 of 8 bits: 8 are missing'],
    ['fields overlap', 8, [field('a', 5), field('b', 4)], 'field "b" ends at bit 9, beyond the layout\'s 8'],
    ['a name stands twice', 8, [field('a', 4), field('a', 4)], 'field "a" stands twice'],
    ['a name is empty', 8, [field('', 8)], 'every field needs a name'],
    ['a name cannot be a key', 8, [field('__proto__', 8)], 'not a usable name'],
    ['a width is no integer', 8, [field('a', 7.5), field('b', 0.5)], 'at least 1 bit wide, got 7.5'],
    ['a width is zero', 8, [field('a', 0), field('b', 8)], 'at least 1 bit wide, got 0'],
    ['the layout is too wide', 513, [field('a', 513)], 'an integer from 1 to 512, got 513'],
    ['a limit does not fit', 8, [field('a', 8, { max: 256 })], 'of 8 bits cannot range from 0 to 256'],
    ['limits cross', 8, [field('a', 8, { min: 5, max: 4 })], 'cannot range from 5 to 4'],
    ['a limit is of the wrong kind', 64, [field('a', 64, { min: 1 })], 'cannot range from 1 to'],
  ];
  for (const [title, bits, fields, message] of rows) {
    it(title, () => {
      const define = () => defineLayout({ name: 'wrong', bits, fields });
      expect(define).toThrow(LayoutDefinitionError);
      expect(define).toThrow(message);
    });
  }
});

for (const definition of [null, undefined, {}, { name: 'x', bits: 8 }, { bits: 8, fields: [] }]) {
  it(`a definition is refused when it is ${JSON.stringify(definition)}`, () => {
    expect(() => defineLayout(definition as never)).toThrow(
      'a layout must be an object with name, bits and fields',
    );
  });
}

/** Any layout of up to 512 bits, with values for its fields. */
const layoutWithValues = fc
  .array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 8 })
  .filter((widths) => widths.reduce((sum, width) => sum + width, 0) <= 512)
  .chain((widths) =>
    fc.tuple(
      fc.constant(widths),
      fc.tuple(
        ...widths.map((width) =>
          width <= 53
            ? fc.maxSafeNat().map((n) => n % 2 ** width)
            : fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }),
        ),
      ),
    ),
  );

describe('for every layout and every value', () => {
  const define = (widths: number[]) =>
    defineLayout({
      name: 'any',
      bits: widths.reduce((sum, width) => sum + width, 0) as number,
      fields: widths.map((bits, i) => ({ name: `f${i}`, bits })),
    });

  it('decode undoes encode, and describe shows the same values', () => {
    fc.assert(
      fc.property(layoutWithValues, ([widths, values]) => {
        const layout = define(widths);
        const input = Object.fromEntries(values.map((value, i) => [`f${i}`, value]));
        const id = layout.encode(input);
        expect(layout.decode(id)).toEqual(input);
        expect(layout.describe(id).map((field) => field.value)).toEqual(values);
      }),
    );
  });

  it('the bits of the ID are the bits of its fields, side by side', () => {
    fc.assert(
      fc.property(layoutWithValues, ([widths, values]) => {
        const layout = define(widths);
        const id = layout.encode(Object.fromEntries(values.map((value, i) => [`f${i}`, value])));
        const sideBySide = values.map((value, i) => value.toString(2).padStart(widths[i] ?? 0, '0')).join('');
        expect(id.toString(2).padStart(layout.bits, '0')).toBe(sideBySide);
      }),
    );
  });
});
