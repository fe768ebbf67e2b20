import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_ID_LAYOUT,
  decodeId,
  type IdLayout,
  idFromBytes,
  idToBytes,
  kazahanaIdLayout,
  LIB_DEFAULT_EPOCH,
  maxIdAt,
  minIdAt,
  TimestampOverflowError,
} from './index.js';

const MAX_SIGNED = 2n ** 63n - 1n;

/** Any layout that holds together. */
const anyLayout: fc.Arbitrary<IdLayout> = fc
  .record({
    customEpoch: fc.nat(2 ** 41),
    bitId: fc.integer({ min: 1, max: 15 }),
    bitSeq: fc.integer({ min: 1, max: 16 }),
    bitTs: fc.integer({ min: 1, max: 52 }),
  })
  .map((layout) => ({ ...layout, bitReserve: 64 - layout.bitTs - layout.bitId - layout.bitSeq }))
  .filter(({ bitReserve }) => bitReserve >= 1 && bitReserve <= 32);

describe('decodeId', () => {
  it('reads time, machine ID and sequence', () => {
    const id = (5n << 22n) | (3n << 8n) | 7n;
    expect(decodeId(id)).toEqual({
      timestamp: new Date(LIB_DEFAULT_EPOCH + 5),
      unixMs: LIB_DEFAULT_EPOCH + 5,
      machineId: 3,
      sequence: 7,
      fallback: false,
    });
  });

  it('tells the fallback half of the machine IDs', () => {
    expect(decodeId(8191n << 8n)).toMatchObject({ machineId: 8191, fallback: false });
    expect(decodeId(8192n << 8n)).toMatchObject({ machineId: 8192, fallback: true });
  });

  it('reads the last ID of 41 bits: positive as a signed integer, in 2095', () => {
    expect(decodeId(MAX_SIGNED).timestamp.toISOString()).toBe('2095-09-07T15:47:35.551Z');
  });

  it('reads 53-bit IDs that JavaScript numbers can hold', () => {
    const safe = { bitReserve: 11, bitTs: 41, bitId: 6, bitSeq: 6 };
    expect(maxIdAt(LIB_DEFAULT_EPOCH + 2 ** 41 - 1, safe)).toBe(BigInt(Number.MAX_SAFE_INTEGER));
    expect(decodeId(BigInt(Number.MAX_SAFE_INTEGER), safe)).toMatchObject({ machineId: 63, sequence: 63 });
  });

  for (const id of [2n ** 63n, 2n ** 64n, -1n]) {
    it(`refuses ${id}`, () => expect(() => decodeId(id)).toThrow(RangeError));
  }

  for (const id of [5, '5', null, undefined]) {
    it(`refuses ${typeof id} ${String(id)}`, () => expect(() => decodeId(id as never)).toThrow(TypeError));
  }

  it('undoes the bounds of a time, for every layout', () => {
    fc.assert(
      fc.property(anyLayout, fc.nat(2 ** 52), (layout, offset) => {
        const unixMs = layout.customEpoch + (offset % 2 ** layout.bitTs);
        const [low, high] = [minIdAt(unixMs, layout), maxIdAt(new Date(unixMs), layout)];
        expect(decodeId(low, layout)).toMatchObject({ unixMs, machineId: 0, sequence: 0, fallback: false });
        expect(decodeId(high, layout)).toMatchObject({
          unixMs,
          machineId: 2 ** layout.bitId - 1,
          sequence: 2 ** layout.bitSeq - 1,
          fallback: true,
        });
        expect(high - low).toBe(2n ** BigInt(layout.bitId + layout.bitSeq) - 1n);
        expect(high).toBeLessThanOrEqual(MAX_SIGNED);
      }),
    );
  });
});

describe('minIdAt and maxIdAt', () => {
  it('leave no gap between one millisecond and the next', () => {
    const time = new Date('2026-11-16T00:00:00Z');
    expect(maxIdAt(time) + 1n).toBe(minIdAt(time.getTime() + 1));
  });

  it('refuse a time before the epoch and one past the bits', () => {
    const end = LIB_DEFAULT_EPOCH + 2 ** 41;
    const textOf = (unixMs: number) => new Date(unixMs).toISOString();
    expect(() => minIdAt(LIB_DEFAULT_EPOCH - 1)).toThrow(TimestampOverflowError);
    expect(() => minIdAt(LIB_DEFAULT_EPOCH - 1)).toThrow(
      `the time ${textOf(LIB_DEFAULT_EPOCH - 1)} is before the epoch of this layout, ${textOf(LIB_DEFAULT_EPOCH)}: check`,
    );
    expect(new TimestampOverflowError(0, 1, 2)).toMatchObject({
      name: 'TimestampOverflowError',
      code: 'TIMESTAMP_OVERFLOW',
    });
    // A `Date` holds no more than the first of these.
    expect(() => minIdAt(8.64e15)).toThrow('got +275760-09-13T00:00:00.000Z');
    expect(() => minIdAt(8.64e15 + 1)).toThrow('got 8640000000000001 ms');
    expect(() => maxIdAt(end)).toThrow(
      `carries times from ${textOf(LIB_DEFAULT_EPOCH)} to ${textOf(end - 1)}, got ${textOf(end)}`,
    );
    expect(maxIdAt(end - 1)).toBe(MAX_SIGNED);
  });

  for (const time of [new Date(Number.NaN), 1.5, Number.NaN, '2026-01-01', null, undefined]) {
    it(`refuse ${typeof time} ${String(time)} as a time`, () => {
      expect(() => minIdAt(time as number)).toThrow('time must be a valid Date or whole Unix milliseconds');
    });
  }
});

describe('a layout is refused when', () => {
  const rows: [title: string, layout: unknown, message: string][] = [
    [
      'its widths do not sum to 64',
      { bitTs: 40 },
      'bitReserve + bitTs + bitId + bitSeq must be an integer from 64 to 64, got 63',
    ],
    ['it has no reserve bit', { bitReserve: 0, bitTs: 42 }, 'bitReserve must be an integer from 1'],
    ['a width is no integer', { bitTs: 40.5, bitReserve: 1.5 }, 'bitReserve must be an integer'],
    ['a width is text', { bitTs: '41' }, 'bitTs must be an integer from 1 to 52, got "41"'],
    ['it has no machine IDs', { bitId: 0, bitSeq: 22 }, 'bitId must be an integer from 1'],
    [
      'its suffix is too wide',
      { bitTs: 31, bitId: 16, bitSeq: 16 },
      'bitId + bitSeq must be an integer from 2 to 31',
    ],
    ['its epoch is no integer', { customEpoch: 0.5 }, 'customEpoch must be an integer from 0'],
    ['its times would end after the last date', { customEpoch: 8.64e15 }, 'customEpoch must be an integer'],
    ['it has a part that does not exist', { bitID: 14 }, 'a part of layout must be one of customEpoch,'],
    ['it is no object', 5, 'layout must be an object, got 5'],
  ];
  for (const [title, layout, message] of rows) {
    it(title, () => expect(() => decodeId(0n, layout as Partial<IdLayout>)).toThrow(message));
  }
});

describe('kazahanaIdLayout', () => {
  it('describes the bits of an ID', () => {
    const fields = kazahanaIdLayout().describe((5n << 22n) | (8195n << 8n) | 7n);
    expect(fields.map(({ name, offset, bits, reading }) => [name, offset, bits, reading])).toEqual([
      ['reserve', 0, 1, 'always 0'],
      ['timestamp', 1, 41, '2026-01-01T00:00:00.005Z'],
      ['machineId', 42, 14, 'fallback (slot 3, or random)'],
      ['sequence', 56, 8, '7'],
    ]);
  });

  it('does not mix up layouts that are used in turn', () => {
    const other = { ...DEFAULT_ID_LAYOUT, bitId: 12, bitSeq: 10 };
    for (let i = 0; i < 3; i++) {
      expect(decodeId(1024n)).toMatchObject({ machineId: 4, sequence: 0 });
      expect(decodeId(1024n, other)).toMatchObject({ machineId: 1, sequence: 0 });
      expect(decodeId(0n, { customEpoch: 1000 + i }).unixMs).toBe(1000 + i);
    }
  });
});

describe('idToBytes and idFromBytes', () => {
  it('are big-endian, and undo each other', () => {
    expect(idToBytes(0x0123456789abcdefn)).toEqual(
      Uint8Array.of(1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => idFromBytes(idToBytes(id)) === id),
    );
  });

  it('read from the middle of a larger buffer', () => {
    expect(idFromBytes(new Uint8Array([9, 9, 0, 0, 0, 0, 0, 0, 0, 7, 9]).subarray(2, 10))).toBe(7n);
  });

  it('refuse what is no ID and what is not eight bytes', () => {
    for (const id of [-1n, 2n ** 64n]) expect(() => idToBytes(id)).toThrow(RangeError);
    for (const id of [5, null]) expect(() => idToBytes(id as never)).toThrow(TypeError);
    for (const bytes of [new Uint8Array(7), new Uint8Array(9), [1, 2, 3, 4, 5, 6, 7, 8], null]) {
      expect(() => idFromBytes(bytes as Uint8Array)).toThrow('bytes must be a Uint8Array of 8 bytes');
    }
  });
});
