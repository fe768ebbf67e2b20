import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUuid, parseUuid, UnsupportedUuidVersionError, UuidFormatError } from './index.js';
import { uuidLayouts, uuidV1Layout, uuidV4Layout, uuidV7Layout } from './layouts.js';

describe('parseUuid', () => {
  it("reads RFC 9562's v1", () => {
    expect(parseUuid('C232AB00-9414-11EC-B3C8-9F6BDECED846')).toEqual({
      version: 'v1',
      timestamp: new Date('2022-02-22T19:22:22.000Z'),
      clockSeq: 0x33c8,
      node: '9f:6b:de:ce:d8:46',
    });
  });

  it("reads RFC 9562's v4", () => {
    // 919108F752D1 + 320 + 1BACF847DB4148A8 side by side: 48 + 12 + 62 bits.
    const random = (0x919108f752d1n << 74n) | (0x320n << 62n) | 0x1bacf847db4148a8n;
    expect(parseUuid('919108f7-52d1-4320-9bac-f847db4148a8')).toEqual({
      version: 'v4',
      randomBits: random.toString(16).padStart(31, '0'),
    });
  });

  it("reads RFC 9562's v7", () => {
    expect(parseUuid('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')).toEqual({
      version: 'v7',
      timestamp: new Date('2022-02-22T19:22:22.000Z'),
      clockSeq: 0xcc3,
      randomBits: '18c4dc0c0c07398f',
    });
  });

  it('keeps leading zeros of random bits', () => {
    expect(parseUuid('00000000-0000-4000-8000-000000000001').randomBits).toBe('1'.padStart(31, '0'));
    expect(parseUuid('00000000-0000-7000-8000-000000000001').randomBits).toBe('1'.padStart(16, '0'));
  });

  it('reads the first and the last moments there are', () => {
    expect(parseUuid('00000000-0000-1000-8000-000000000000').timestamp?.toISOString()).toBe(
      '1582-10-15T00:00:00.000Z',
    );
    // One tick before and one at the beginning of Unix time: rounded down, not toward zero.
    expect(parseUuid('13813fff-1dd2-11b2-8000-000000000000').timestamp?.getTime()).toBe(-1);
    expect(parseUuid('13814000-1dd2-11b2-8000-000000000000').timestamp?.getTime()).toBe(0);
    expect(parseUuid('ffffffff-ffff-7fff-bfff-ffffffffffff').timestamp?.getTime()).toBe(2 ** 48 - 1);
  });

  it('reads any accepted form', () => {
    expect(parseUuid('{01941f297c007aaaaaaaaaaaaaaaaaaa}').timestamp?.toISOString()).toBe(
      '2025-01-01T00:00:00.000Z',
    );
  });

  it('refuses what is no valid UUID, with its faults', () => {
    try {
      parseUuid('24688438-40e1-70d0-d97e-084cfc8992c7');
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UuidFormatError);
      expect(error).toMatchObject({
        code: 'UUID_FORMAT',
        errors: [{ code: 'INVALID_VARIANT', position: 19 }],
      });
    }
    for (const input of ['', '00000000-0000-0000-0000-000000000000', null, 5, {}]) {
      expect(() => parseUuid(input as string)).toThrow(UuidFormatError);
    }
  });

  for (const digit of [2, 3, 5, 6, 8]) {
    it(`says that v${digit} is not supported`, () => {
      const parse = () => parseUuid(`550e8400-e29b-${digit}1d4-a716-446655440000`);
      expect(parse).toThrow(UnsupportedUuidVersionError);
      expect(parse).toThrow(`UUID version must be one of v1, v4, v7, got "v${digit}"`);
    });
  }
});

describe('the layouts', () => {
  it('describe a v7 field by field', () => {
    const fields = uuidV7Layout.describe(0x01941f297c007aaaaaaaaaaaaaaaaaaan);
    expect(fields.map(({ name, offset, bits, reading }) => [name, offset, bits, reading])).toEqual([
      ['unixMs', 0, 48, '2025-01-01T00:00:00.000Z'],
      ['version', 48, 4, 'UUID v7'],
      ['counter', 52, 12, '2730'],
      ['variant', 64, 2, 'RFC 4122'],
      ['random', 66, 62, 'random'],
    ]);
  });

  it('describe the spread time of a v1 as one', () => {
    const readings = uuidV1Layout.describe(0xc232ab00941411ecb3c89f6bdeced846n).map(({ reading }) => reading);
    expect(readings).toEqual([
      'part of 2022-02-22T19:22:22.000Z',
      'part of 2022-02-22T19:22:22.000Z',
      'UUID v1',
      'part of 2022-02-22T19:22:22.000Z',
      'RFC 4122',
      '13256',
      '9f:6b:de:ce:d8:46',
    ]);
  });

  it('refuse the bits of another version', () => {
    expect(() => uuidLayouts.v4.decode(0x01941f297c007aaaaaaaaaaaaaaaaaaan)).toThrow('UUID v4.version');
  });

  it('agree with what parseUuid cuts out of the text, for every v1, v4 and v7', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.constantFrom(1, 4, 7),
        (bytes, version) => {
          bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
          bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
          const uuid = formatUuid(bytes);
          const id = BigInt(`0x${uuid.replaceAll('-', '')}`);
          const { timestamp, clockSeq, node, randomBits } = parseUuid(uuid);
          if (version === 1) {
            const fields = uuidV1Layout.describe(id);
            expect(fields[0]?.reading).toBe(`part of ${timestamp?.toISOString()}`);
            expect([fields[5]?.value, fields[6]?.reading]).toEqual([clockSeq, node]);
          }
          if (version === 4) {
            const { randomA, randomB, randomC } = uuidV4Layout.decode(id);
            expect(BigInt(`0x${randomBits}`)).toBe(
              ((BigInt(randomA) * 4096n + BigInt(randomB)) << 62n) + randomC,
            );
          }
          if (version === 7) {
            const { unixMs, counter, random } = uuidV7Layout.decode(id);
            expect([timestamp?.getTime(), clockSeq, BigInt(`0x${randomBits}`)]).toEqual([
              unixMs,
              counter,
              random,
            ]);
          }
        },
      ),
    );
  });
});
