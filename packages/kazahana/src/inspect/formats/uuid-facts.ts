// What 128 bits are as a UUID: which kind, its fields, time and maker, and the texts that the same bits are written as.
import { readBytes, readUuid } from '../../uuid/read.js';
import { type BitLayout, fieldValue, numberOf } from '../bits.js';
import { bitFacts, hexSegments } from '../facts.js';
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
import { inMilliseconds } from '../times.js';
import type { Facts, OtherForm, ReadingField } from '../types.js';
import {
  macText,
  ncsTime,
  OLD_VARIANTS,
  UUID_LAYOUTS,
  v1Time,
  v2Time,
  v6Time,
  valuesOf,
  WHOLE_UUID,
} from './uuid-layouts.js';

export type UuidName =
  | `uuid-v${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | 'uuid-nil'
  | 'uuid-max'
  | 'uuid-ncs'
  | 'uuid-microsoft';

const ALL_ONES = 2n ** 128n - 1n;

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

const TELL: Readonly<Record<keyof typeof UUID_LAYOUTS, (fields: readonly ReadingField[]) => Partial<Facts>>> =
  {
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

/** Facts of bits under a layout, with the text in its parts and in its other forms. */
function uuidBitFacts(
  layout: BitLayout,
  value: bigint,
  tell: (fields: readonly ReadingField[]) => Partial<Facts>,
): Facts {
  const text = uuidText(value);
  return bitFacts(layout, value, text, (fields) => ({
    segments: hexSegments(text, fields),
    forms: uuidForms(value),
    ...tell(fields),
  }));
}

const describeVersion = (number: keyof typeof UUID_LAYOUTS) => (value: bigint) =>
  uuidBitFacts(UUID_LAYOUTS[number], value, TELL[number]);
const describeWhole = (key: 'note-nil' | 'note-max') => (value: bigint) =>
  uuidBitFacts(WHOLE_UUID, value, () => ({ randomBits: 0, notes: [message(key)] }));

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
  'uuid-ncs': (value) =>
    uuidBitFacts(OLD_VARIANTS.ncs, value, (fields) => ({
      time: ncsTime(BigInt(fieldValue(fields, 'time'))),
      maker: { field: 'host', text: hexOf(BigInt(fieldValue(fields, 'host')), 56) },
      randomBits: 0,
      notes: [message('note-ncs')],
    })),
  'uuid-microsoft': (value) =>
    uuidBitFacts(OLD_VARIANTS.microsoft, value, () => ({ notes: [message('note-microsoft')] })),
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
  return uuidBitFacts(WHOLE_UUID, value, () => ({}));
}
