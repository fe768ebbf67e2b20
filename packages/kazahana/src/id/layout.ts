// What the bits of a kazahana ID mean: reserve, time since an epoch, machine ID, sequence. Epoch and
// widths are a pool's own (rule R4 of docs/uniqueness.md); the defaults are those of a pool that does not say otherwise.
import type { Branded } from '../branded.js';
import { checkInteger, InvalidArgumentError } from '../errors.js';
import { defineLayout } from '../layout/layout.js';
import { oneOf } from '../options.js';

export const LIB_DEFAULT_EPOCH = Date.parse('2026-01-01T00:00:00Z');
export const DEFAULT_BIT_RESERVE = 1;
export const DEFAULT_BIT_TS = 41;
export const DEFAULT_BIT_ID = 14;
export const DEFAULT_BIT_SEQ = 8;

export const ID_BITS = 64;
/** JavaScript dates end here; no ID may carry a later time. */
const MAX_UNIX_MS = 8_640_000_000_000_000;

/** A 64-bit ID: a bigint that came from a client, or from a function that reads or bounds IDs. */
export type KazahanaId = Branded<bigint, 'KazahanaId'>;

export interface IdLayout {
  /** The Unix time in milliseconds from which timestamps count. */
  readonly customEpoch: number;
  /** Bits at the top that are always 0; at least 1, so that IDs stay positive in signed 64-bit columns. */
  readonly bitReserve: number;
  readonly bitTs: number;
  readonly bitId: number;
  readonly bitSeq: number;
}

export const DEFAULT_ID_LAYOUT: IdLayout = Object.freeze({
  customEpoch: LIB_DEFAULT_EPOCH,
  bitReserve: DEFAULT_BIT_RESERVE,
  bitTs: DEFAULT_BIT_TS,
  bitId: DEFAULT_BIT_ID,
  bitSeq: DEFAULT_BIT_SEQ,
});

/** The parts of a layout, in the order in which they are written. */
export const LAYOUT_FIELDS = Object.keys(DEFAULT_ID_LAYOUT) as readonly (keyof IdLayout)[];
/** The parts that stay as they are for the life of a pool (rule R4). */
export const PINNED_FIELDS = [
  'customEpoch',
  'bitReserve',
  'bitTs',
] as const satisfies readonly (keyof IdLayout)[];

/** A record with a value for each part of a layout. */
export function makeLayout<Value>(value: (field: keyof IdLayout) => Value): Record<keyof IdLayout, Value> {
  return Object.fromEntries(LAYOUT_FIELDS.map((field) => [field, value(field)])) as Record<
    keyof IdLayout,
    Value
  >;
}

/** Completes a layout with the defaults, and refuses one that does not hold together. */
export function resolveIdLayout(layout: Partial<IdLayout> = {}): IdLayout {
  if (typeof layout !== 'object' || layout === null)
    throw new InvalidArgumentError('layout', 'an object', layout);
  const resolved: IdLayout = { ...DEFAULT_ID_LAYOUT, ...layout };
  for (const name of Object.keys(resolved)) {
    if (!Object.hasOwn(DEFAULT_ID_LAYOUT, name)) {
      throw new InvalidArgumentError('a part of layout', oneOf(LAYOUT_FIELDS, name), name);
    }
  }
  const { customEpoch, bitReserve, bitTs, bitId, bitSeq } = resolved;
  checkInteger('bitReserve', bitReserve, 1, 32);
  checkInteger('bitTs', bitTs, 1, 52);
  checkInteger('customEpoch', customEpoch, 0, MAX_UNIX_MS - 2 ** bitTs);
  checkInteger('bitId', bitId, 1, 30);
  checkInteger('bitSeq', bitSeq, 1, 30);
  // One machine word: wider suffixes would need slower arithmetic for every ID, and two thousand million
  // machine IDs and sequences in a millisecond are enough for anyone.
  checkInteger('bitId + bitSeq', bitId + bitSeq, 2, 31);
  const sum = bitReserve + bitTs + bitId + bitSeq;
  checkInteger('bitReserve + bitTs + bitId + bitSeq', sum, ID_BITS, ID_BITS);
  return resolved;
}

/** The lower half of the machine IDs is leased; the upper half is for IDs made without a valid lease. */
export function isFallbackMachine(machineId: number, { bitId }: Pick<IdLayout, 'bitId'>): boolean {
  return machineId >= 2 ** (bitId - 1);
}

function defineFields(layout: IdLayout) {
  const { customEpoch, bitReserve, bitTs, bitId, bitSeq } = layout;
  const half = 2 ** (bitId - 1);
  return defineLayout({
    name: 'kazahana ID',
    bits: ID_BITS,
    fields: [
      { name: 'reserve', bits: bitReserve, min: 0, max: 0, reading: () => 'always 0' },
      {
        name: 'timestamp',
        bits: bitTs,
        reading: (value) => new Date(customEpoch + Number(value)).toISOString(),
      },
      {
        name: 'machineId',
        bits: bitId,
        reading: (value) =>
          isFallbackMachine(Number(value), layout)
            ? `fallback (slot ${Number(value) - half}, or random)`
            : `slot ${value}`,
      },
      { name: 'sequence', bits: bitSeq },
    ],
  });
}

type IdFields = ReturnType<typeof defineFields>;

let last: { readonly layout: IdLayout; readonly fields: IdFields } | undefined;

/**
 * The fields of a kazahana ID, for encoding, decoding and drawing. Programs read many IDs of one layout, so
 * the last one is kept.
 */
export function kazahanaIdLayout(layout?: Partial<IdLayout>): IdFields {
  const wanted = resolveIdLayout(layout);
  const known = last?.layout;
  if (last && LAYOUT_FIELDS.every((name) => known?.[name] === wanted[name])) return last.fields;
  last = { layout: wanted, fields: defineFields(wanted) };
  return last.fields;
}
