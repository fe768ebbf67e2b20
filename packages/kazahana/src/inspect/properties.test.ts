// What holds for every text: nothing throws, the cost grows with the length only, and what is said of an ID can be pasted again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CORPUS } from './corpus.js';
import {
  CERTAINTIES,
  compareIds,
  FORMATS,
  inspectId,
  MESSAGES,
  type MessageKey,
  type Reading,
  ROLES,
} from './index.js';

const NOW = Date.UTC(2026, 10, 18);
const inspect = (text: string) => inspectId(text, { now: NOW });

/** Texts near to what people paste: samples, cut, put together and sprinkled with what breaks parsers. */
const odd = fc.constantFrom(
  '"',
  "'",
  '{',
  '}',
  '(',
  '::',
  '=',
  ':',
  '/',
  '?',
  '\\',
  '\n',
  ' ',
  'é',
  '\u0000',
  '\ud800',
  '0x',
  'n',
  '_',
);
const anySample = fc.constantFrom(...CORPUS.map(({ text }) => text));
const nearText = fc
  .tuple(
    fc.array(fc.oneof(odd, anySample, fc.string({ maxLength: 8 })), { maxLength: 5 }),
    fc.nat(60),
    fc.nat(200),
  )
  .map(([parts, from, to]) => parts.join('').slice(from % 3 === 0 ? from : 0, from + to));

/** Any code units, halves of pairs included. */
const anyCharacters = fc
  .array(fc.nat(0xffff), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes));

/** The places for values in the English of a message. */
const placesOf = (key: MessageKey) => [...MESSAGES[key].matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

function checkReading({
  text,
  fields,
  bits,
  value,
  segments,
  time,
  notes,
  reason,
  sentence,
  certainty,
}: Reading) {
  expect(CERTAINTIES).toContain(certainty);
  expect(sentence).toMatch(/\.$/);
  expect(sentence).not.toMatch(/made (?:undefined|null)|: undefined|up to (?:NaN|null)/);
  for (const note of [...notes, reason]) {
    expect(MESSAGES[note.key]).toBeDefined();
    expect(Object.keys(note.values)).toEqual(placesOf(note.key));
  }
  if (bits > 0) expect(fields.reduce((sum, field) => sum + field.bits, 0)).toBe(bits);
  if (bits > 0) expect(value).toBeLessThan(2n ** BigInt(bits));
  for (const { role } of fields) expect(ROLES).toContain(role);
  if (segments.length > 0) expect(segments.map((segment) => segment.text).join('')).toBe(text);
  if (time) expect(Math.floor(Date.parse(time.iso.replace(/(\.\d{3})\d*Z/, '$1Z')))).toBe(time.unixMs);
}

describe('inspectId', () => {
  it('never throws, and says nothing half', () => {
    fc.assert(
      fc.property(fc.oneof(nearText, anyCharacters), (text) => {
        const { readings, near, takenOff } = inspect(text);
        for (const reading of readings) checkReading(reading);
        for (const { key, values } of [...takenOff, ...near.map(({ problem }) => problem)]) {
          expect(Object.keys(values)).toEqual(placesOf(key));
        }
        if (readings.length > 0) expect(near).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('reads each of the corpus without anything half', () => {
    for (const { text } of CORPUS) for (const reading of inspect(text).readings) checkReading(reading);
  });

  it('never throws when a format is chosen, and then reads that or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(nearText, anySample), fc.constantFrom(...FORMATS), (text, { name }) => {
        for (const reading of inspectId(text, { now: NOW, as: name }).readings) {
          expect(reading.format).toBe(name);
          expect(reading.reason.key).toBe('reason-chosen');
          checkReading(reading);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads the usual text of a reading as that reading again', () => {
    for (const { text } of CORPUS) {
      for (const { format, text: usual, value } of inspect(text).readings) {
        const again = inspectId(usual, { now: NOW, as: format }).readings[0];
        expect([format, again?.text, again?.value]).toEqual([format, usual, value]);
      }
    }
  });

  it('reads every other form of 128 bits that are a UUID as those bits', () => {
    for (const { text, first } of CORPUS) {
      const [reading] = inspect(text).readings;
      if (reading?.family !== 'uuid' || first === 'uuid-ncs' || first === 'uuid-microsoft') continue;
      // Of Nil, the shorter forms are a row of zeros.
      if (first === 'uuid-nil') continue;
      for (const { name, text: form } of reading.forms) {
        const values = inspect(form).readings.map(({ value }) => value);
        expect([name, values.includes(reading.value)]).toEqual([name, true]);
      }
    }
  });

  it('takes time in proportion to the length of a text', () => {
    const hostile = [
      '"',
      '(',
      '{',
      ' ',
      'a=',
      'a:',
      '::',
      '-',
      '0',
      'f',
      'x',
      '/',
      'https://a/',
      '\\"',
      '[{"a":',
      '1.',
      'é',
      'CAST(',
      ' as ',
    ];
    for (const part of hostile) {
      const text = part.repeat(Math.ceil(1_000_000 / part.length));
      expect(inspect(text).readings).toEqual([]);
      // As long as what is still looked through.
      expect(inspect(text.slice(0, 4000)).readings).toEqual([]);
    }
  });
});

describe('compareIds', () => {
  const compare = (a: string, b: string) => compareIds(a, b, { now: NOW });

  it('says of b and a the opposite of what it says of a and b', () => {
    fc.assert(
      fc.property(anySample, anySample, (a, b) => {
        const [there, back] = [compare(a, b), compare(b, a)];
        expect(back.msBetween).toBe(there.msBetween === null ? null : 0 - there.msBetween);
        expect(back.order).toBe(there.order === null ? null : 0 - there.order);
        for (const name of ['isSameFormat', 'differingBits', 'equalFirstBits', 'maker'] as const) {
          expect(back[name]).toBe(there[name]);
        }
        expect(back.readings?.toReversed()).toEqual(there.readings);
      }),
      { numRuns: 300 },
    );
  });

  it('finds nothing between an ID and itself', () => {
    for (const { text, first } of CORPUS) {
      const { readings, msBetween, differingBits, order } = compare(text, text);
      expect(readings === undefined).toBe(first === null);
      if (readings?.[0].time) expect(msBetween).toBe(0);
      if (readings && readings[0].bits > 0) expect([differingBits, order]).toEqual([0, 0]);
    }
  });
});
