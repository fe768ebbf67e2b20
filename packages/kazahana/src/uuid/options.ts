// Many UUIDs at once, and the ways of writing one.
import { checkInteger } from '../errors.js';
import { canonicalText } from './bytes.js';
import { checkOptions } from './check-options.js';
import { UnsupportedUuidVersionError } from './errors.js';
import type { SupportedUuidVersion, UuidOptions } from './types.js';
import { generateV1 } from './v1.js';
import { generateV4 } from './v4.js';
import { generateAnotherV7, generateV7 } from './v7.js';

/** The longest array that JavaScript has. */
const MAX_COUNT = 2 ** 32 - 1;

function withDefaults(options: Partial<UuidOptions>): UuidOptions {
  checkOptions(options, { uppercase: 'boolean', withHyphens: 'boolean', count: '' });
  const { uppercase = false, withHyphens = true, count = 1 } = options;
  return { uppercase, withHyphens, count: checkInteger('count', count, 1, MAX_COUNT) };
}

/** How one UUID is written; a count changes nothing. */
export type UuidStyle = Omit<UuidOptions, 'count'> & Partial<UuidOptions>;

function write(canonical: string, { uppercase, withHyphens }: UuidStyle): string {
  const text = withHyphens ? canonical : canonical.replaceAll('-', '');
  return uppercase ? text.toUpperCase() : text;
}

/**
 * The UUID, given in any accepted form, as the options say: in capitals or not, with hyphens or without.
 *
 * ```ts
 * applyOptions('{9b2f4c5e-0d1a-4f6b-8c3d-2e1f0a9b8c7d}', { uppercase: true, withHyphens: false });
 * // '9B2F4C5E0D1A4F6B8C3D2E1F0A9B8C7D'
 * ```
 */
export function applyOptions(uuid: string, options: UuidStyle): string {
  return write(canonicalText(uuid), withDefaults(options));
}

const GENERATORS: Readonly<Record<SupportedUuidVersion, () => string>> = {
  v1: generateV1,
  v4: generateV4,
  v7: generateV7,
};

/** As many UUIDs of one version as `count` says; one in lower case with hyphens when nothing is said. */
export function generateMany(version: SupportedUuidVersion, options: Partial<UuidOptions> = {}): string[] {
  if (!Object.hasOwn(GENERATORS, version)) throw new UnsupportedUuidVersionError(version);
  const first = GENERATORS[version];
  const others = version === 'v7' ? generateAnotherV7 : first;
  const checked = withDefaults(options);
  const uuids = [write(first(), checked)];
  while (uuids.length < checked.count) uuids.push(write(others(), checked));
  return uuids;
}
