// Taking a UUID apart: what its version put into it. The parts are cut out of the digits as text, which keeps
// the layout engine out of pages that only want UUIDs; a test holds them equal to the layouts.
import { UnsupportedUuidVersionError, UuidFormatError } from './errors.js';
import { GREGORIAN_OFFSET_MS, TICKS_PER_MS } from './gregorian.js';
import type { ParsedUuid } from './types.js';
import { validateUuid } from './validate.js';

/**
 * The parts of a v1, v4 or v7, in any accepted form.
 *
 * ```ts
 * parseUuid('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa').timestamp?.toISOString(); // → 2025-01-01T00:00:00.000Z
 * ```
 */
export function parseUuid(input: string): ParsedUuid {
  const { version, normalized, errors } = validateUuid(input);
  if (version === null || normalized === null) throw new UuidFormatError(input, errors);
  // The version's digit is in `third`, before the 12 bits that are its own.
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = normalized.split('-');
  const afterVersion = third.slice(1);
  const afterVariant = BigInt.asUintN(62, BigInt(`0x${fourth}${fifth}`));
  if (version === 'v1') {
    const ticks = BigInt(`0x${afterVersion}${second}${first}`);
    return {
      version,
      timestamp: new Date(Number(ticks / BigInt(TICKS_PER_MS)) - GREGORIAN_OFFSET_MS),
      clockSeq: Number(afterVariant >> 48n),
      node: fifth.replace(/..\B/g, '$&:'),
    };
  }
  if (version === 'v4') {
    const random = (BigInt(`0x${first}${second}${afterVersion}`) << 62n) | afterVariant;
    return { version, randomBits: random.toString(16).padStart(31, '0') };
  }
  if (version === 'v7') {
    return {
      version,
      timestamp: new Date(Number(`0x${first}${second}`)),
      clockSeq: Number(`0x${afterVersion}`),
      randomBits: afterVariant.toString(16).padStart(16, '0'),
    };
  }
  throw new UnsupportedUuidVersionError(version);
}
