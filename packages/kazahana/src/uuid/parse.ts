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
  const hex = normalized.replaceAll('-', '');
  const number = (start: number, end: number) => Number(`0x${hex.slice(start, end)}`);
  if (version === 'v1') {
    const ticks = BigInt(`0x${hex.slice(13, 16)}${hex.slice(8, 12)}${hex.slice(0, 8)}`);
    return {
      version,
      timestamp: new Date(Number(ticks / BigInt(TICKS_PER_MS)) - GREGORIAN_OFFSET_MS),
      clockSeq: number(16, 20) & 0x3fff,
      node: hex.slice(20).replace(/..\B/g, '$&:'),
    };
  }
  // The variant has two bits of its digit; what is random begins with the other two.
  const afterVariant = (number(16, 17) & 0b11) + hex.slice(17);
  if (version === 'v4') {
    const random = (BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}`) << 62n) | BigInt(`0x${afterVariant}`);
    return { version, randomBits: random.toString(16).padStart(31, '0') };
  }
  if (version === 'v7') {
    return {
      version,
      timestamp: new Date(number(0, 12)),
      clockSeq: number(13, 16),
      randomBits: afterVariant,
    };
  }
  throw new UnsupportedUuidVersionError(version);
}
