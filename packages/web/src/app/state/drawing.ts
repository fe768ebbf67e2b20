// What the bit picture draws: any pattern of bits under the layout of its kind, allowed or not, so that a bit can be
// flipped into something wrong and back.
import { toExternalId } from 'kazahana/external';
import { presets, type ReadingName } from 'kazahana/inspect';
import {
  clientIdLayout,
  conversationIdLayout,
  defineLayout,
  type FieldDescription,
  pylonIdLayout,
  uuidLayouts,
  workspaceIdLayout,
} from 'kazahana/layout';

export interface Drawing {
  readonly as: ReadingName;
  readonly bits: number;
  readonly value: bigint;
  readonly fields: readonly FieldDescription[];
}

/** Versions that have no layout of their own. */
const OTHER_UUID = defineLayout({
  name: 'UUID',
  bits: 128,
  fields: [
    { name: 'dataA', bits: 48 },
    { name: 'version', bits: 4, min: 1, max: 8 },
    { name: 'dataB', bits: 12 },
    { name: 'variant', bits: 2, min: 0b10, max: 0b10 },
    { name: 'dataC', bits: 62 },
  ],
});

const ESTELLE = {
  pylon: pylonIdLayout,
  client: clientIdLayout,
  workspace: workspaceIdLayout,
  conversation: conversationIdLayout,
};

export const toDigits = (value: bigint, bits: number): string => value.toString(2).padStart(bits, '0');
export const fromDigits = (digits: string): bigint => BigInt(`0b${digits}`);

export function hexOf(value: bigint, bits: number): string {
  return value.toString(16).padStart(Math.ceil(bits / 4), '0');
}

function uuidText(value: bigint): string {
  return hexOf(value, 128).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function describeUuid(value: bigint): readonly FieldDescription[] {
  const layout = uuidLayouts[`v${hexOf(value, 128)[12]}` as keyof typeof uuidLayouts] ?? OTHER_UUID;
  return layout.describe(value);
}

export function drawAs(as: ReadingName, value: bigint): Drawing {
  if (as === 'uuid') return { as, bits: 128, value, fields: describeUuid(value) };
  if (as in ESTELLE) {
    const { bits, describe } = ESTELLE[as as keyof typeof ESTELLE];
    return { as, bits, value, fields: describe(Number(value)) };
  }
  const preset = as === 'external' ? 'kazahana' : (as as keyof ReturnType<typeof presets>);
  return { as, bits: 64, value, fields: presets()[preset].layout.describe(value) };
}

/** How an ID of this kind is written. */
export function textAs(as: ReadingName, value: bigint): string {
  if (as === 'uuid') return uuidText(value);
  return as === 'external' ? toExternalId(value) : String(value);
}

/** The value with one bit turned over; bit 0 is the most significant. */
export function flip(value: bigint, bits: number, index: number): bigint {
  const digits = [...toDigits(value, bits)];
  digits[index] = digits[index] === '1' ? '0' : '1';
  return fromDigits(digits.join(''));
}

/** The drawing of text that has the form of a UUID and is none, by its version or its variant. */
export function drawMalformed(text: string): Drawing | undefined {
  const hex = text.replace(/^(?:urn:uuid:|\{)/i, '').replace(/\}$/, '');
  if (!/^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(hex)) return undefined;
  return drawAs('uuid', BigInt(`0x${hex.replaceAll('-', '')}`));
}
