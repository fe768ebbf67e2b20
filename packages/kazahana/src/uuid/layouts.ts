// The bits of the UUID versions that can be taken apart, as RFC 9562 draws them.
import { defineLayout, type FieldValue } from '../layout/layout.js';
import { GREGORIAN_OFFSET_MS, TICKS_PER_MS } from './gregorian.js';
import type { SupportedUuidVersion } from './types.js';

const version = (number: number) =>
  ({ name: 'version', bits: 4, min: number, max: number, reading: () => `UUID v${number}` }) as const;
const variant = { name: 'variant', bits: 2, min: 0b10, max: 0b10, reading: () => 'RFC 4122' } as const;

/** The digits of a value that is so many bits wide. */
export function hexDigits(value: FieldValue, bits: number): string {
  return value.toString(16).padStart(Math.ceil(bits / 4), '0');
}

export function nodeText(node: FieldValue): string {
  return hexDigits(node, 48).replace(/..\B/g, '$&:');
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

export interface V1Time {
  readonly timeLow: number;
  readonly timeMid: number;
  readonly timeHigh: number;
}

/** The moment of a v1, rounded down to the millisecond. */
export function v1Date({ timeLow, timeMid, timeHigh }: V1Time): Date {
  const ticks = V1_TICKS.encode({ high: timeHigh, mid: timeMid, low: timeLow });
  return new Date(Number(ticks / BigInt(TICKS_PER_MS)) - GREGORIAN_OFFSET_MS);
}

const wholeTime = (_: FieldValue, values: Readonly<Record<string, FieldValue>>) => {
  const part = (name: keyof V1Time) => Number(values[name]);
  const date = v1Date({ timeLow: part('timeLow'), timeMid: part('timeMid'), timeHigh: part('timeHigh') });
  return `part of ${date.toISOString()}`;
};

export const UUID_V1_LAYOUT = defineLayout({
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

export const UUID_V4_LAYOUT = defineLayout({
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

export const UUID_V7_LAYOUT = defineLayout({
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

/** The 122 random bits of a v4, without the version and variant between them. */
export const V4_RANDOM = defineLayout({
  name: 'UUID v4 random',
  bits: 122,
  fields: [
    { name: 'randomA', bits: 48 },
    { name: 'randomB', bits: 12 },
    { name: 'randomC', bits: 62 },
  ],
});

/** The layout of each version that can be taken apart. */
export const UUID_LAYOUTS: Readonly<
  Record<SupportedUuidVersion, typeof UUID_V1_LAYOUT | typeof UUID_V4_LAYOUT | typeof UUID_V7_LAYOUT>
> = { v1: UUID_V1_LAYOUT, v4: UUID_V4_LAYOUT, v7: UUID_V7_LAYOUT };
