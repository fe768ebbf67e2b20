import fc from 'fast-check';
import { decodeId, type IdLayout } from 'kazahana';
import { describeBits, type FormatName, type PresetName } from 'kazahana/inspect';
import { parseUuid, UuidV7Generator } from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { chosenLayout } from '../layout-flags.js';
import { idTimesOf, v7TimeOf } from './id-times.js';

const wordsOf = (value: bigint, count: number) =>
  Uint32Array.from({ length: count }, (_, i) =>
    Number((value >> BigInt(32 * (count - 1 - i))) & 0xffffffffn),
  );

describe('the time and the half of an ID', () => {
  const layouts: Partial<IdLayout>[] = [
    {},
    { customEpoch: 0 },
    { bitReserve: 1, bitTs: 41, bitId: 10, bitSeq: 12 },
    { bitReserve: 10, bitTs: 52, bitId: 1, bitSeq: 1 },
    { bitReserve: 1, bitTs: 32, bitId: 1, bitSeq: 30 },
    { bitReserve: 1, bitTs: 32, bitId: 30, bitSeq: 1 },
  ];
  for (const layout of layouts) {
    it(`are those of decodeId: ${JSON.stringify(layout)}`, () => {
      const { unixMsOf, isFallback } = idTimesOf({ preset: 'kazahana', pool: layout });
      const bits = BigInt(64 - (layout.bitReserve ?? 1));
      fc.assert(
        fc.property(fc.bigInt(0n, 2n ** bits - 1n), (id) => {
          const { unixMs, fallback } = decodeId(id, layout);
          expect([unixMsOf(wordsOf(id, 2)), isFallback(wordsOf(id, 2))]).toEqual([unixMs, fallback]);
        }),
      );
    });
  }

  const formats: Record<PresetName, FormatName> = {
    kazahana: 'kazahana-id',
    twitter: 'twitter-snowflake',
    discord: 'discord-snowflake',
    instagram: 'instagram-id',
    unix: 'kazahana-id',
  };
  for (const [preset, format] of Object.entries(formats)) {
    const options = { now: 0, layout: preset === 'unix' ? { customEpoch: 0 } : {} };
    it(`are those of the inspector: --epoch ${preset}`, () => {
      const { unixMsOf, isFallback } = idTimesOf(chosenLayout({ epoch: preset }));
      fc.assert(
        fc.property(fc.bigInt(0n, 2n ** 63n - 1n), (id) => {
          const facts = describeBits(format, id, options);
          expect([unixMsOf(wordsOf(id, 2)), isFallback(wordsOf(id, 2))]).toEqual([
            facts?.time?.unixMs,
            facts?.fallback,
          ]);
        }),
      );
    });
  }

  it('of a UUID are there for v7 only', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 48 - 1), (unixMs) => {
        const uuid = new UuidV7Generator().nextAt(unixMs);
        expect(parseUuid(uuid).timestamp?.getTime()).toBe(unixMs);
        expect(v7TimeOf(wordsOf(BigInt(`0x${uuid.replaceAll('-', '')}`), 4))).toBe(unixMs);
      }),
    );
    expect(v7TimeOf(wordsOf(0xc232ab00941411ecb3c89f6bdeced846n, 4))).toBeUndefined();
  });
});
