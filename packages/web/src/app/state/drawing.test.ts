import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawAs, drawMalformed, flip, fromDigits, textAs, toDigits } from './drawing.js';

const wide = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });

describe('the drawn bits', () => {
  it('are the input, whatever it is', () => {
    fc.assert(fc.property(wide, (value) => fromDigits(toDigits(value, 128)) === value));
  });

  it('flipped twice are what they were', () => {
    fc.assert(
      fc.property(wide, fc.nat(127), (value, index) => {
        const once = flip(value, 128, index);
        return once !== value && flip(once, 128, index) === value;
      }),
    );
  });

  it('count from the most significant', () => expect(flip(0n, 64, 63)).toBe(1n));

  it('are covered by fields without a gap, for every kind and any value', () => {
    const kinds = ['uuid', 'kazahana', 'twitter', 'discord', 'instagram', 'unix', 'external'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (as, value) => {
        const { bits, fields } = drawAs(as, value);
        let end = 0;
        for (const field of fields) {
          expect(field.offset).toBe(end);
          end += field.bits;
        }
        expect(end).toBe(bits);
      }),
    );
  });
});

describe('a drawing', () => {
  it('of a wrong variant says which field is wrong', () => {
    const drawing = drawMalformed('24688438-40e1-70d0-d97e-084cfc8992c7');
    expect(drawing?.fields.filter(({ inRange }) => !inRange).map(({ name }) => name)).toEqual(['variant']);
  });

  it('is not made of what has no 128 bits', () => {
    for (const text of ['', '24688438', '24688438-40e1-70d0-d97e-084cfc8992cg', 'x'.repeat(1e6)]) {
      expect(drawMalformed(text)).toBeUndefined();
    }
  });

  it('of an Estelle number outside its ranges can still be drawn', () => {
    expect(drawAs('conversation', 2n ** 24n - 1n).fields.some(({ inRange }) => !inRange)).toBe(true);
  });
});

describe('the text of a value', () => {
  it('has its usual form', () => {
    expect(textAs('uuid', 0x01941f297c007aaaaaaaaaaaaaaaaaaan)).toBe('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa');
    expect(textAs('kazahana', 2n ** 63n - 1n)).toBe('9223372036854775807');
    expect(textAs('external', 42n)).toMatch(/^[\w-]{11}$/);
  });
});
