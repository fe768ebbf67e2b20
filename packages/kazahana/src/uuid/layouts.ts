// The bits of the UUID versions that can be taken apart, as RFC 9562 draws them.
import { defineLayout, type FieldValue } from '../layout/layout.js';
import { GREGORIAN_OFFSET_MS, TICKS_PER_MS } from './gregorian.js';
import type { SupportedUuidVersion } from './types.js';

const version = (number: number) =>
  ({ name: 'version', bits: 4, min: number, max: number, reading: () => `UUID v${number}` }) as const;
const variant = { name: 'variant', bits: 2, min: 0b10, max: 0b10, reading: () => 'RFC 4122' } as const;

function nodeText(node: FieldValue): string {
  return node.toString(16).padStart(12, '0').replace(/..\B/g, '$&:');
}

/** The 60-bit time of a v1, which the UUID holds in another order. */
const V1_TICKS = defineLayout({
  name: 'ticks',
  bits: 60,
  fields: [
    { name: 'high', bits: 12 },
    { name: 'mid', bits: 16 },
    { name: 'low', bits: 32 },
  ],
});

/** The moment that all three parts of a v1's time make together. */
function wholeTime(_: FieldValue, values: Readonly<Record<string, FieldValue>>): string {
  const part = (name: string) => Number(values[name]);
  const ticks = V1_TICKS.encode({ high: part('timeHigh'), mid: part('timeMid'), low: part('timeLow') });
  const date = new Date(Number(ticks / BigInt(TICKS_PER_MS)) - GREGORIAN_OFFSET_MS);
  return `part of ${date.toISOString()}`;
}

export const uuidV1Layout = defineLayout({
  name: 'UUID v1',
  bits: 128,
  fields: [
    { name: 'timeLow', bits: 32, reading: wholeTime },
    { name: 'timeMid', bits: 16, reading: wholeTime },
    version(1),
    { name: 'timeHigh', bits: 12, reading: wholeTime },
    variant,
    { name: 'clockSeq', bits: 14 },
    { name: 'node', bits: 48, reading: nodeText },
  ],
});

export const uuidV4Layout = defineLayout({
  name: 'UUID v4',
  bits: 128,
  fields: [
    { name: 'randomA', bits: 48, reading: () => 'random' },
    version(4),
    { name: 'randomB', bits: 12, reading: () => 'random' },
    variant,
    { name: 'randomC', bits: 62, reading: () => 'random' },
  ],
});

export const uuidV7Layout = defineLayout({
  name: 'UUID v7',
  bits: 128,
  fields: [
    { name: 'unixMs', bits: 48, reading: (value) => new Date(Number(value)).toISOString() },
    version(7),
    { name: 'counter', bits: 12 },
    variant,
    { name: 'random', bits: 62, reading: () => 'random' },
  ],
});

/** The layout of each version that can be taken apart. */
export const uuidLayouts: Readonly<
  Record<SupportedUuidVersion, typeof uuidV1Layout | typeof uuidV4Layout | typeof uuidV7Layout>
> = { v1: uuidV1Layout, v4: uuidV4Layout, v7: uuidV7Layout };
