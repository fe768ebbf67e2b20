// UUIDs for the inspector: those with a layout of their own are taken apart, any other 128 bits are shown as they are.
import { defineLayout, type FieldDescription } from '../layout/layout.js';
import { uuidLayouts } from '../uuid/layouts.js';
import { parseUuid } from '../uuid/parse.js';
import { isMaxUuid, isNilUuid, validateUuid } from '../uuid/validate.js';
import type { Reading } from './reading.js';

/** Where every UUID keeps its version and variant; the rest is the version's own affair. */
const ANY_UUID = defineLayout({
  name: 'UUID',
  bits: 128,
  fields: [
    { name: 'dataA', bits: 48 },
    { name: 'version', bits: 4 },
    { name: 'dataB', bits: 12 },
    { name: 'variant', bits: 2 },
    { name: 'dataC', bits: 62 },
  ],
});

function special(text: string): string | undefined {
  if (isNilUuid(text)) return 'Nil UUID';
  return isMaxUuid(text) ? 'Max UUID' : undefined;
}

/** The reading of a text that is a UUID; undefined when it is none. */
export function readUuidText(text: string): Reading | undefined {
  const { isValid, version, normalized, isSupported } = validateUuid(text);
  const name = special(text);
  if (!isValid && name === undefined) return undefined;
  const canonical =
    normalized ??
    (name === 'Nil UUID' ? '0' : 'f').repeat(32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const value = BigInt(`0x${canonical.replaceAll('-', '')}`);
  let fields: readonly FieldDescription[] = ANY_UUID.describe(value);
  let unixMs: number | null = null;
  if (isSupported) {
    const parsed = parseUuid(canonical);
    fields = uuidLayouts[parsed.version as keyof typeof uuidLayouts].describe(value);
    unixMs = parsed.timestamp?.getTime() ?? null;
  }
  return {
    as: 'uuid',
    title: name ?? `UUID ${version}`,
    text: canonical,
    bits: 128,
    value,
    fields,
    unixMs,
    fallback: false,
    notes:
      isSupported || name !== undefined
        ? []
        : ['its version says what the data are; they are not taken apart'],
    plausibility: 1,
  };
}
