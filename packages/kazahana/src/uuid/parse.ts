// Taking a UUID apart: what its version put into it.
import { UnsupportedUuidVersionError, UuidFormatError } from './errors.js';
import {
  hexDigits,
  nodeText,
  UUID_V1_LAYOUT,
  UUID_V4_LAYOUT,
  UUID_V7_LAYOUT,
  V4_RANDOM,
  v1Date,
} from './layouts.js';
import type { ParsedUuid } from './types.js';
import { validateUuid } from './validate.js';

/**
 * The parts of a v1, v4 or v7, in any accepted form.
 *
 * ```ts
 * parseUuid('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa').timestamp?.toISOString(); // → '2025-01-01T00:00:00.000Z'
 * ```
 */
export function parseUuid(input: string): ParsedUuid {
  const { version, normalized, errors } = validateUuid(input);
  if (version === null || normalized === null) throw new UuidFormatError(input, errors);
  const id = BigInt(`0x${normalized.replaceAll('-', '')}`);
  switch (version) {
    case 'v1': {
      const fields = UUID_V1_LAYOUT.decode(id);
      return { version, timestamp: v1Date(fields), clockSeq: fields.clockSeq, node: nodeText(fields.node) };
    }
    case 'v4': {
      const { randomA, randomB, randomC } = UUID_V4_LAYOUT.decode(id);
      return {
        version,
        randomBits: hexDigits(V4_RANDOM.encode({ randomA, randomB, randomC }), V4_RANDOM.bits),
      };
    }
    case 'v7': {
      const { unixMs, counter, random } = UUID_V7_LAYOUT.decode(id);
      return { version, timestamp: new Date(unixMs), clockSeq: counter, randomBits: hexDigits(random, 62) };
    }
    default:
      throw new UnsupportedUuidVersionError(version);
  }
}
