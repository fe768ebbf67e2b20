// UUIDs of every version and variant, as RFC 9562 draws them, in the forms that `kazahana/uuid` reads.
import { defineLayout, type FieldValue } from '../../layout/layout.js';
import { GREGORIAN_OFFSET_MS } from '../../uuid/gregorian.js';
import { readBytes, readUuid } from '../../uuid/read.js';
import { fieldValue, numberOf, type RoleField, random, roleLayout, sequence, zero } from '../bits.js';
import { bitFacts } from '../facts.js';
import { message } from '../messages.js';
import {
  BASE36,
  BASE57,
  BASE58,
  BASE64,
  BASE64URL,
  CROCKFORD,
  fromHex,
  hexOf,
  toBase64,
  toRadix,
} from '../radix.js';
import { inMilliseconds, inTicks, isoOf } from '../times.js';
import type { Context, Facts, Format, Match, OtherForm, ReadingField } from '../types.js';

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

const macText = (node: FieldValue) => hexOf(BigInt(node), 48).replace(/..\B/g, '$&:');
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
const v1Time = (values: Values) =>
  gregorian(
    TICKS.encode({
      high: part(values, 'timeHigh'),
      mid: part(values, 'timeMid'),
      low: part(values, 'timeLow'),
    }),
  );
const v6Time = (values: Values) =>
  gregorian(
    V6_TICKS.encode({
      high: part(values, 'timeHigh'),
      mid: part(values, 'timeMid'),
      low: part(values, 'timeLow'),
    }),
  );
/** A v2 keeps a local number where v1 has the low 32 bits of its time. */
const v2Time = (values: Values) => {
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
const valuesOf = (fields: readonly ReadingField[]): Values =>
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

const LAYOUTS = {
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
const WHOLE = roleLayout('UUID', [
  { name: 'whole', bits: 128, role: 'other', reading: (value) => hexOf(BigInt(value), 128) },
]);

/** The variants of before the RFC: what follows the variant is theirs. */
const OLD_VARIANT = {
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
const NCS_EPOCH_MS = Date.UTC(1980, 0, 1);
function ncsTime(count: bigint) {
  const time = inTicks(count * 40n, NCS_EPOCH_MS);
  return time && { ...time, precision: '4 µs' };
}

export type UuidName =
  | `uuid-v${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | 'uuid-nil'
  | 'uuid-max'
  | 'uuid-ncs'
  | 'uuid-microsoft';

export const ALL_ONES = 2n ** 128n - 1n;

export function uuidText(value: bigint): string {
  return hexOf(value, 128).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The 128 bits of a text in any form that `kazahana/uuid` accepts. */
export function uuidValue(text: string): bigint | undefined {
  return readUuid(text)
    ? fromHex(Array.from(readBytes, (byte) => hexOf(BigInt(byte), 8)).join(''))
    : undefined;
}

/** The texts that people write the same 128 bits as. */
export function uuidForms(value: bigint): OtherForm[] {
  const text = uuidText(value);
  const hex = hexOf(value, 128);
  return [
    { name: 'hex', text: hex },
    { name: 'upper', text: text.toUpperCase() },
    { name: 'braces', text: `{${text}}` },
    { name: 'urn', text: `urn:uuid:${text}` },
    { name: 'base64', text: `${toBase64(value, 128, BASE64)}==` },
    { name: 'base64url', text: toBase64(value, 128, BASE64URL) },
    { name: 'base58', text: toRadix(value, BASE58, 22) },
    { name: 'uuid25', text: toRadix(value, BASE36, 25) },
    { name: 'shortuuid', text: toRadix(value, BASE57, 22) },
    { name: 'ulid', text: toRadix(value, CROCKFORD, 26) },
    { name: 'decimal', text: String(value) },
    { name: '0x', text: `0x${hex}` },
    { name: 'csharp', text: csharpText(hex) },
  ];
}

/** What `Guid.ToString("X")` of .NET writes. */
function csharpText(hex: string): string {
  const bytes = hex.slice(16).match(/../g) ?? [];
  const numbers = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)].map((digits) => `0x${digits}`);
  return `{${numbers.join(',')},{${bytes.map((byte) => `0x${byte}`).join(',')}}}`;
}

/** What the two lowest bits of an address's first byte say (IEEE 802): for a group, and chosen by software. */
const nodeNote = (fields: readonly ReadingField[]) => {
  const kind = Number(`0x${macText(fieldValue(fields, 'node')).slice(0, 2)}`) % 4;
  return message(
    (['note-mac-node', 'note-random-node', 'note-local-node', 'note-random-node'] as const)[kind] ??
      'note-mac-node',
  );
};
const nodeMaker = (fields: readonly ReadingField[]) => ({
  field: 'node',
  text: macText(fieldValue(fields, 'node')),
});

const TELL: Readonly<Record<keyof typeof LAYOUTS, (fields: readonly ReadingField[]) => Partial<Facts>>> = {
  1: (fields) => ({ time: v1Time(valuesOf(fields)), maker: nodeMaker(fields), notes: [nodeNote(fields)] }),
  2: (fields) => ({
    time: v2Time(valuesOf(fields)),
    maker: nodeMaker(fields),
    notes: [message('note-dce-time'), nodeNote(fields)],
  }),
  3: () => ({ notes: [message('note-name-based')] }),
  4: () => ({ randomBits: 122 }),
  5: () => ({ notes: [message('note-name-based')] }),
  6: (fields) => ({
    time: v6Time(valuesOf(fields)),
    order: 'time',
    maker: nodeMaker(fields),
    notes: [nodeNote(fields)],
  }),
  7: (fields) => ({ time: inMilliseconds(numberOf(fields, 'unixMs')), order: 'time', randomBits: 74 }),
  8: () => ({ notes: [message('note-custom')] }),
};

const describeVersion = (number: keyof typeof LAYOUTS) => (value: bigint) => ({
  ...bitFacts(LAYOUTS[number], value, uuidText(value), TELL[number]),
  forms: uuidForms(value),
});
const describeWhole = (key: 'note-nil' | 'note-max') => (value: bigint) => ({
  ...bitFacts(WHOLE, value, uuidText(value), () => ({ randomBits: 0, notes: [message(key)] })),
  forms: uuidForms(value),
});

const DESCRIBE: Readonly<Record<UuidName, (value: bigint) => Facts>> = {
  'uuid-v1': describeVersion(1),
  'uuid-v2': describeVersion(2),
  'uuid-v3': describeVersion(3),
  'uuid-v4': describeVersion(4),
  'uuid-v5': describeVersion(5),
  'uuid-v6': describeVersion(6),
  'uuid-v7': describeVersion(7),
  'uuid-v8': describeVersion(8),
  'uuid-nil': describeWhole('note-nil'),
  'uuid-max': describeWhole('note-max'),
  'uuid-ncs': (value) => ({
    ...bitFacts(OLD_VARIANT.ncs, value, uuidText(value), (fields) => ({
      time: ncsTime(BigInt(fieldValue(fields, 'time'))),
      maker: { field: 'host', text: hexOf(BigInt(fieldValue(fields, 'host')), 56) },
      randomBits: 0,
      notes: [message('note-ncs')],
    })),
    forms: uuidForms(value),
  }),
  'uuid-microsoft': (value) => ({
    ...bitFacts(OLD_VARIANT.microsoft, value, uuidText(value), () => ({
      notes: [message('note-microsoft')],
    })),
    forms: uuidForms(value),
  }),
};

/** What kind of UUID 128 bits are; undefined for versions and variants that no RFC defines. */
export function uuidNameOf(value: bigint): UuidName | undefined {
  if (value === 0n) return 'uuid-nil';
  if (value === ALL_ONES) return 'uuid-max';
  const hex = hexOf(value, 128);
  const versionDigit = Number(`0x${hex[12]}`);
  const variantDigit = Number(`0x${hex[16]}`);
  if (variantDigit < 0b1000) return 'uuid-ncs';
  if (variantDigit < 0b1100) {
    return versionDigit > 0 && versionDigit < 9 ? (`uuid-v${versionDigit}` as UuidName) : undefined;
  }
  return variantDigit < 0b1110 ? 'uuid-microsoft' : undefined;
}

/** Facts of 128 bits as a UUID of that kind; without one, as bits of which nothing is known. */
export function describeUuid(name: UuidName | undefined, value: bigint): Facts {
  if (name !== undefined) return DESCRIBE[name](value);
  return { ...bitFacts(WHOLE, value, uuidText(value), () => ({})), forms: uuidForms(value) };
}

/** When RFC 4122's first draft was written; UUIDs with older times are older than their format. */
const V1_SINCE = Date.UTC(1988, 0, 1);
const SINCE: Partial<Record<UuidName, number>> = {
  'uuid-v1': V1_SINCE,
  'uuid-v2': V1_SINCE,
  'uuid-ncs': NCS_EPOCH_MS,
};

export const uuidSince = (name: UuidName) => SINCE[name];

/**
 * How telling the version digit of 128 bits is that carry no other mark of a UUID: in random bits a v4 is one of 64, and a v1,
 * v6 or v7 whose time can be right is far less.
 */
const TELLING_BITS: ReadonlySet<UuidName> = new Set([
  'uuid-v1',
  'uuid-v4',
  'uuid-v6',
  'uuid-v7',
  'uuid-nil',
  'uuid-max',
]);

export function strengthOfBits(name: UuidName): Match['strength'] {
  if (name === 'uuid-ncs' || name === 'uuid-microsoft') return 'weak';
  return TELLING_BITS.has(name) ? 'telling' : 'shared';
}

/** NCS and Microsoft made UUIDs before versions were; a version's digit there is most often a fault. */
function strengthOfText(name: UuidName, value: bigint, text: string): Match['strength'] {
  if (isBare(text)) return strengthOfBits(name);
  if (name === 'uuid-ncs') return 'telling';
  if (name === 'uuid-microsoft')
    return /^.{8}-.{4}-.{4}-c000-000000000046$/.test(uuidText(value)) ? 'certain' : 'weak';
  return 'certain';
}

const isBare = (text: string) => !text.includes('-') && !/^[{u]/i.test(text);

function recogniseAs(name: UuidName, text: string, { isForced }: Context): Match | undefined {
  const value = uuidValue(text);
  if (value === undefined) return undefined;
  if (uuidNameOf(value) !== name) return undefined;
  // 32 digits without any mark of a UUID are a hash.
  const isOld = name === 'uuid-ncs' || name === 'uuid-microsoft';
  if (isOld && isBare(text) && !isForced) return undefined;
  return { strength: strengthOfText(name, value, text), facts: DESCRIBE[name](value) };
}

const TITLES: Readonly<Record<UuidName, string>> = {
  'uuid-v7': 'UUID v7',
  'uuid-v4': 'UUID v4',
  'uuid-v1': 'UUID v1',
  'uuid-v6': 'UUID v6',
  'uuid-v5': 'UUID v5',
  'uuid-v3': 'UUID v3',
  'uuid-v8': 'UUID v8',
  'uuid-v2': 'UUID v2',
  'uuid-nil': 'Nil UUID',
  'uuid-max': 'Max UUID',
  'uuid-ncs': 'NCS UUID',
  'uuid-microsoft': 'Microsoft GUID',
};

const shape = { title: 'UUID', lengths: [36, 32], alphabet: /[0-9a-f-]/i };

export const uuidFormats: readonly Format<UuidName>[] = (Object.keys(TITLES) as UuidName[]).map((name) => {
  const since = uuidSince(name);
  return {
    name,
    title: TITLES[name],
    family: 'uuid',
    shape,
    ...(since !== undefined && { since }),
    recognise: (text, context) => recogniseAs(name, text, context),
    describe: (value) => DESCRIBE[name](value),
  };
});
