import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toExternalId } from '../external/index.js';
import { minIdAt } from '../id/index.js';
import { formatUuid, isUuid, uuidToBytes } from '../uuid/index.js';
import { diagnoseId, type OldReading as Reading, readId } from './index.js';

const NOW = Date.UTC(2026, 10, 16);
const read = (text: string) => readId(text, { now: NOW });
const first = (text: string) => read(text)[0] as Reading;
const idOf = (unixMs: number) => minIdAt(unixMs) + 5n * 256n + 7n;

describe('a text is read as', () => {
  const rows: [text: string, title: string, time: string | null][] = [
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', 'UUID v7', '2025-01-01T00:00:00.000Z'],
    ['{01941F29-7C00-7AAA-AAAA-AAAAAAAAAAAA}', 'UUID v7', '2025-01-01T00:00:00.000Z'],
    ['c232ab00-9414-11ec-b3c8-9f6bdeced846', 'UUID v1', '2022-02-22T19:22:22.000Z'],
    ['919108f7-52d1-4320-9bac-f847db4148a8', 'UUID v4', null],
    ['2ed6657d-e927-568b-95e1-2665a8aea6a2', 'UUID v5', null],
    ['00000000-0000-0000-0000-000000000000', 'Nil UUID', null],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'Max UUID', null],
    [String(idOf(NOW - 5000)), 'kazahana ID', new Date(NOW - 5000).toISOString()],
    ['1212092628029698048', 'Twitter snowflake', '2019-12-31T19:26:16.771Z'],
    ['175928847299117063', 'Discord snowflake', '2016-04-30T11:18:25.796Z'],
    ['8786953', 'Estelle conversation', null],
    ['3', 'Estelle pylon', null],
    [toExternalId(idOf(NOW - 5000)), 'public ID', new Date(NOW - 5000).toISOString()],
  ];
  for (const [text, title, time] of rows) {
    it(`${text}: ${title}`, () => {
      const readings = read(text);
      // Twitter's and Discord's numbers are alike; both readings are there, whichever is first.
      const reading = readings.find((candidate) => candidate.title === title) as Reading;
      expect(reading).toBeDefined();
      expect(reading.unixMs === null ? null : new Date(reading.unixMs).toISOString()).toBe(time);
    });
  }

  it('what is most plausible first', () => {
    expect(first(String(idOf(NOW - 5000))).as).toBe('kazahana');
    expect(first('8786953').as).toBe('conversation');
    expect(first('3').as).toBe('pylon');
    expect(first('1212092628029698048').plausibility).toBeGreaterThan(0.5);
    const plausibilities = read('1212092628029698048').map(({ plausibility }) => plausibility);
    expect(plausibilities).toEqual(plausibilities.toSorted((a, b) => b - a));
  });

  it('a fallback ID, with both readings in words', () => {
    const reading = first(String(minIdAt(NOW - 5000) + (8192n << 8n)));
    expect(reading.fallback).toBe(true);
    expect(reading.notes.join(' ')).toContain('fenced');
    expect(reading.notes.join(' ')).toContain('random');
  });

  it('a public ID with its secret only', () => {
    const id = idOf(NOW - 5000);
    const text = toExternalId(id, { secret: 'a secret' });
    const reading = readId(text, { now: NOW, externalId: { secret: 'a secret' } })[0] as Reading;
    expect(reading.value).toBe(id);
    expect(first(text).value).not.toBe(id);
  });

  it('a number in hexadecimal like the same in decimal', () => {
    const id = idOf(NOW);
    expect(first(`0x${id.toString(16)}`)).toEqual(first(String(id)));
  });

  for (const text of [
    '',
    ' ',
    'a text',
    '18446744073709551616',
    '-1',
    '1.5',
    '0x',
    'x'.repeat(11).slice(0, 10),
  ]) {
    it(`nothing: ${JSON.stringify(text)}`, () => expect(read(text)).toEqual([]));
  }

  it('bits that put together give the value again, whatever the text', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (value) => {
        for (const { fields, bits, value: whole } of read(String(value))) {
          const text = fields
            .map((field) => BigInt(field.value).toString(2).padStart(field.bits, '0'))
            .join('');
          expect(text.length).toBe(bits);
          expect(BigInt(`0b${text}`)).toBe(whole);
        }
      }),
    );
  });

  it('a UUID whenever it is one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const text = formatUuid(bytes);
        const reading = read(text)[0];
        expect(reading?.as === 'uuid').toBe(isUuid(text));
        if (reading) expect(uuidToBytes(reading.text)).toEqual(bytes);
      }),
    );
  });
});

describe('diagnoseId', () => {
  const rows: [text: string, kind: string, code: string, position: number | undefined][] = [
    ['24688438-40e1-70d0-d97e-084cfc8992c7', 'uuid', 'INVALID_VARIANT', 19],
    ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaag', 'uuid', 'INVALID_HEX', 35],
    ['{01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', 'uuid', 'INVALID_FORMAT', 37],
    ['18446744073709551616', 'number', 'OUT_OF_RANGE', undefined],
    ['ASNFZ4mrze!', 'external', 'EXTERNAL_ID_FORMAT', 10],
    ['a text', 'unknown', 'UNKNOWN_ID', undefined],
  ];
  for (const [text, kind, code, position] of rows) {
    it(`${text}: ${code}`, () => {
      const diagnosis = diagnoseId(text);
      expect({ kind: diagnosis.kind, code: diagnosis.code }).toEqual({ kind, code });
      if (position !== undefined) expect(diagnosis.position).toBe(position);
    });
  }
});
