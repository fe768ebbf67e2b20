import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toExternalId } from '../external/index.js';
import { minIdAt } from '../id/index.js';
import { formatUuid } from '../uuid/index.js';
import { CERTAINTIES, describeBits, FORMATS, inspectId, type Reading } from './index.js';

const NOW = Date.UTC(2026, 10, 16);
const inspect = (text: string) => inspectId(text, { now: NOW });
const first = (text: string) => inspect(text).readings[0] as Reading;
const idOf = (unixMs: number) => minIdAt(unixMs) + 5n * 256n + 7n;

describe('inspectId', () => {
  it('reads the time of a v6, which RFC 9562 A.5 gives', () => {
    expect(first('1EC9414C-232A-6B00-B3C8-9F6BDECED846')).toMatchObject({
      format: 'uuid-v6',
      certainty: 'likely',
      time: { unixMs: Date.UTC(2022, 1, 22, 19, 22, 22), precision: '100 ns' },
      maker: { field: 'node', text: '9f:6b:de:ce:d8:46' },
    });
  });

  it('never claims a Unix time as a kazahana ID', () => {
    for (const text of ['1735689600', '1735689600000', '1735689600000000', '1735689600000000000']) {
      const { readings } = inspect(text);
      expect(readings[0]?.family).toBe('time');
      expect(readings[0]?.certainty).toBe('likely');
      expect(readings.find(({ format }) => format === 'kazahana-id')?.certainty).toBe('unlikely');
    }
  });

  it('reads a kazahana ID with its machine ID, and says which half that is in', () => {
    expect(first(String(idOf(NOW - 5000)))).toMatchObject({
      format: 'kazahana-id',
      time: { unixMs: NOW - 5000 },
      maker: { field: 'machineId', text: '5' },
      fallback: false,
    });
    const fallback = first(String(minIdAt(NOW - 5000) + (8192n << 8n)));
    expect(fallback).toMatchObject({ fallback: true, maker: null });
    expect(fallback.notes.map(({ key }) => key)).toContain('note-fallback');
  });

  it('reads an external ID with its secret only', () => {
    const id = idOf(NOW - 5000);
    expect(first(toExternalId(id))).toMatchObject({ format: 'external-id', certainty: 'likely', value: id });
    const text = toExternalId(id, { secret: 'a secret' });
    const { readings } = inspectId(text, { now: NOW, externalId: { secret: 'a secret' } });
    expect(readings[0]).toMatchObject({ format: 'external-id', certainty: 'likely', value: id });
    expect(inspect(text).readings.find(({ format }) => format === 'external-id')?.certainty).toBe('unlikely');
  });

  it('reads an external ID with a prefix and rotated keys as the options say', () => {
    const id = idOf(NOW - 5000);
    const externalId = { prefix: 'user', secrets: { a: 'an old secret', b: 'a new secret' }, current: 'b' };
    const text = toExternalId(id, externalId);
    const { readings } = inspectId(text, { now: NOW, externalId });
    expect(readings[0]).toMatchObject({ format: 'external-id', certainty: 'likely', value: id, text });
    expect(readings[0]?.notes.map(({ key }) => key)).toEqual(['note-internal']);
    expect(inspect(text).readings.map(({ format }) => format)).not.toContain('external-id');
    expect(() => inspectId(text, { now: NOW, externalId: { secret: '' } })).toThrow('secret');
  });

  it('reads the IDs of a pool under its layout', () => {
    const layout = { customEpoch: Date.UTC(2026, 10, 1), bitReserve: 11, bitTs: 41, bitId: 6, bitSeq: 6 };
    const id = minIdAt(NOW - 5000, layout) + 5n * 64n + 7n;
    const { readings } = inspectId(String(id), { now: NOW, layout });
    expect(readings.find(({ format }) => format === 'kazahana-id')).toMatchObject({
      certainty: 'likely',
      time: { unixMs: NOW - 5000 },
      maker: { text: '5' },
    });
  });

  it('reads a text as the format that is chosen, or not at all', () => {
    const forced = inspectId('1735689600000', { now: NOW, as: 'kazahana-id' });
    expect(forced.readings).toHaveLength(1);
    expect(forced.readings[0]).toMatchObject({ format: 'kazahana-id', reason: { key: 'reason-chosen' } });
    expect(inspectId('1735689600000', { now: NOW, as: 'uuid-v4' }).readings).toEqual([]);
    expect(() => inspectId('1', { now: NOW, as: 'uuid-v9' as never })).toThrow('as must be one of');
    expect(() => inspectId('1', { now: Number.NaN })).toThrow('now must be Unix milliseconds');
    expect(() => inspectId(1 as never, { now: NOW })).toThrow('text must be a string');
  });

  it('warns of a secret key', () => {
    // Put together here, so that no scanner of secrets takes it for one.
    const key = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
    expect(first(key)).toMatchObject({ format: 'stripe-id', notes: [{ key: 'note-secret-key' }] });
  });

  it('believes the address of a site before the number', () => {
    const { readings, takenOff } = inspect('https://www.tiktok.com/@billnye/video/6854717870488702213');
    expect(readings[0]).toMatchObject({
      format: 'tiktok-id',
      certainty: 'likely',
      alike: [],
      reason: { key: 'reason-host' },
    });
    expect(takenOff[0]?.text).toBe('It was found in an address of TikTok.');
    // Another site's number is what its bits say.
    expect(inspect('https://example.com/6854717870488702213').readings[0]?.certainty).toBe('possible');
  });

  it('has fields that put together give the value again, whatever the bits', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 160n - 1n), (bits) => {
        for (const { name, hasBits } of FORMATS) {
          if (!hasBits) continue;
          const width = describeBits(name, 0n, { now: NOW })?.bits ?? 0;
          const value = BigInt.asUintN(width, bits);
          const facts = describeBits(name, value, { now: NOW });
          const digits = facts?.fields.map((field) =>
            BigInt(field.value).toString(2).padStart(field.bits, '0'),
          );
          expect(digits?.join('').length).toBe(width);
          expect(BigInt(`0b${digits?.join('')}`)).toBe(value);
          expect(facts?.value).toBe(value);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('reads every UUID in every form of it as the same 128 bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const [best] = inspect(formatUuid(bytes)).readings;
        for (const { name, text } of best?.forms ?? []) {
          if (name !== 'hex' && name !== 'upper' && name !== 'braces' && name !== 'urn') continue;
          expect(inspect(text).readings.map(({ value }) => value)).toContain(best?.value);
        }
      }),
    );
  });

  it('lists the surest first', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (value) => {
        const levels = inspect(String(value)).readings.map(({ certainty }) => CERTAINTIES.indexOf(certainty));
        expect(levels).toEqual(levels.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('a text of more bits than its format has', () => {
  it('is not of that format: base58 of 11 characters can be above 2^64', () => {
    const { readings } = inspectId('no2fXhV1111', { now: 1_800_000_000_000 });
    expect(readings.map(({ format }) => format)).not.toContain('frostflake');
  });
});

describe('a number that was made just now', () => {
  const now = Date.UTC(2026, 10, 18);
  const first = (text: string) => inspectId(text, { now }).readings[0]?.format;

  it('is a kazahana ID before it is a Discord snowflake of 2015', () => {
    // Machine IDs and sequences that are not low: a standalone client's are random.
    for (const suffix of [0n, 7n, 2_097_152n, 3_999_999n]) {
      const [reading] = inspectId(String(minIdAt(now - 5000) + suffix), { now }).readings;
      expect(reading).toMatchObject({ format: 'kazahana-id', certainty: 'possible' });
      expect(reading?.alike).toContain('discord-snowflake');
    }
  });

  it('is of the format that was in use then, if it was made long ago', () => {
    expect(first('80351110224678912')).toBe('discord-snowflake');
  });
});
