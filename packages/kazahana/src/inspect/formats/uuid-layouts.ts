// The bits of every version and variant of UUID, as RFC 9562 draws them, and the times that they carry.
import { defineLayout, type FieldValue } from '../../layout/layout.js';
import { GREGORIAN_OFFSET_MS } from '../../uuid/gregorian.js';
import { type RoleField, random, roleLayout, sequence, zero } from '../bits.js';
import { hexOf } from '../radix.js';
import { inMilliseconds, inTicks, isoOf } from '../times.js';
import type { ReadingField } from '../types.js';

const version = (number: number): RoleField => ({
  name: 'version',
  bits: 4,
  role: 'version',
  min: number,
  max: number,
  reading: () => `UUID v${number}`,
});
const variant: RoleField = {
  name: 'variant',
  bits: 2,
  role: 'version',
  min: 0b10,
  max: 0b10,
  meaning: 'field-variant',
};

export const macText = (node: FieldValue) => hexOf(BigInt(node), 48).replace(/..\B/g, '$&:');
const node: RoleField = { name: 'node', bits: 48, role: 'machine', reading: macText };
const clockSeq = sequence('clockSeq', 14);

/** The 60-bit time of v1 and v6, which each keeps in an order of its own. */
const TICKS = defineLayout({
  name: 'ticks',
  bits: 60,
  fields: [
    { name: 'high', bits: 12 },
    { name: 'mid', bits: 16 },
    { name: 'low', bits: 32 },
  ],
});
const V6_TICKS = defineLayout({
  name: 'ticks of v6',
  bits: 60,
  fields: [
    { name: 'high', bits: 32 },
    { name: 'mid', bits: 16 },
    { name: 'low', bits: 12 },
  ],
});

type Values = Readonly<Record<string, FieldValue>>;
const part = (values: Values, name: string) => Number(values[name]);
const gregorian = (ticks: bigint) => inTicks(ticks, -GREGORIAN_OFFSET_MS);
export const v1Time = (values: Values) =>
  gregorian(
    TICKS.encode({
      high: part(values, 'timeHigh'),
      mid: part(values, 'timeMid'),
      low: part(values, 'timeLow'),
    }),
  );
export const v6Time = (values: Values) =>
  gregorian(
    V6_TICKS.encode({
      high: part(values, 'timeHigh'),
      mid: part(values, 'timeMid'),
      low: part(values, 'timeLow'),
    }),
  );
/** A v2 keeps a local number where v1 has the low 32 bits of its time. */
export const v2Time = (values: Values) => {
  const time = gregorian(
    TICKS.encode({ high: part(values, 'timeHigh'), mid: part(values, 'timeMid'), low: 0 }),
  );
  return time && { ...time, precision: '430 s' };
};

const timePart = (
  name: string,
  bits: number,
  time: (values: Values) => ReturnType<typeof v1Time>,
): RoleField => ({
  name,
  bits,
  role: 'time',
  reading: (_, values) => isoOf(time(values)),
});
export const valuesOf = (fields: readonly ReadingField[]): Values =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]));

const hash = (name: string, bits: number): RoleField => ({
  name,
  bits,
  role: 'other',
  meaning: 'field-hash',
});
const custom = (name: string, bits: number): RoleField => ({
  name,
  bits,
  role: 'other',
  meaning: 'field-custom',
});

export const UUID_LAYOUTS = {
  1: roleLayout('UUID v1', [
    timePart('timeLow', 32, v1Time),
    timePart('timeMid', 16, v1Time),
    version(1),
    timePart('timeHigh', 12, v1Time),
    variant,
    clockSeq,
    node,
  ]),
  2: roleLayout('UUID v2', [
    { name: 'localId', bits: 32, role: 'other' },
    timePart('timeMid', 16, v2Time),
    version(2),
    timePart('timeHigh', 12, v2Time),
    variant,
    sequence('clockSeq', 6),
    { name: 'localDomain', bits: 8, role: 'other', reading: domainText },
    node,
  ]),
  3: roleLayout('UUID v3', [
    hash('md5High', 48),
    version(3),
    hash('md5Mid', 12),
    variant,
    hash('md5Low', 62),
  ]),
  4: roleLayout('UUID v4', [
    random('randomA', 48),
    version(4),
    random('randomB', 12),
    variant,
    random('randomC', 62),
  ]),
  5: roleLayout('UUID v5', [
    hash('sha1High', 48),
    version(5),
    hash('sha1Mid', 12),
    variant,
    hash('sha1Low', 62),
  ]),
  6: roleLayout('UUID v6', [
    timePart('timeHigh', 32, v6Time),
    timePart('timeMid', 16, v6Time),
    version(6),
    timePart('timeLow', 12, v6Time),
    variant,
    clockSeq,
    node,
  ]),
  7: roleLayout('UUID v7', [
    { name: 'unixMs', bits: 48, role: 'time', reading: (value) => isoOf(inMilliseconds(value)) },
    version(7),
    { name: 'randA', bits: 12, role: 'sequence', meaning: 'field-rand-a' },
    variant,
    random('randB', 62),
  ]),
  8: roleLayout('UUID v8', [
    custom('customA', 48),
    version(8),
    custom('customB', 12),
    variant,
    custom('customC', 62),
  ]),
} as const;

/** DCE 1.1: whose number a v2 carries. */
function domainText(value: FieldValue): string {
  return ['person', 'group', 'organisation'][Number(value)] ?? String(value);
}

/** All 128 bits as one field, for the two UUIDs that have no others. */
export const WHOLE_UUID = roleLayout('UUID', [
  { name: 'whole', bits: 128, role: 'other', reading: (value) => hexOf(BigInt(value), 128) },
]);

/** The variants of before the RFC: what follows the variant is theirs. */
export const OLD_VARIANTS = {
  ncs: roleLayout('NCS UUID', [
    { name: 'time', bits: 48, role: 'time', reading: (value) => isoOf(ncsTime(BigInt(value))) },
    zero('reserved', 16),
    { name: 'variant', bits: 1, role: 'version', max: 0, reading: () => 'NCS' },
    { name: 'addressFamily', bits: 7, role: 'other' },
    { name: 'host', bits: 56, role: 'machine', reading: (value) => hexOf(BigInt(value), 56) },
  ]),
  microsoft: roleLayout('Microsoft GUID', [
    { name: 'data1', bits: 32, role: 'other' },
    { name: 'data2', bits: 16, role: 'other' },
    { name: 'data3', bits: 16, role: 'other' },
    { name: 'variant', bits: 3, role: 'version', min: 6, max: 6, reading: () => 'Microsoft' },
    { name: 'data4', bits: 61, role: 'other' },
  ]),
};

/** NCS counts 4 µs since 1980. */
export const NCS_EPOCH_MS = Date.UTC(1980, 0, 1);
export function ncsTime(count: bigint) {
  const time = inTicks(count * 40n, NCS_EPOCH_MS);
  return time && { ...time, precision: '4 µs' };
}
