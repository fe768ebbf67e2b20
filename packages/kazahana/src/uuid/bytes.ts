// Any 128 bits as text and as bytes, and their order. Nil, Max and unknown versions are welcome here.
import { InvalidArgumentError } from '../errors.js';
import { diagnose } from './diagnose.js';
import { UuidFormatError } from './errors.js';
import { readUuid } from './read.js';
import { textOf } from './text.js';

function checkSixteen(argument: string, bytes: unknown): asserts bytes is Uint8Array {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 16) {
    throw new InvalidArgumentError(argument, 'a Uint8Array of 16 bytes', bytes);
  }
}

/** Reads text or throws the reason why it cannot be read. */
function readOrThrow(input: unknown, target: Uint8Array): void {
  if (typeof input !== 'string' || !readUuid(input, target))
    throw new UuidFormatError(input, diagnose(input));
}

/** The canonical text of 16 bytes: lower case, with hyphens. */
export function formatUuid(bytes: Uint8Array): string {
  checkSixteen('bytes', bytes);
  return textOf(bytes);
}

const scratch = new Uint8Array(16);

/** The canonical text of any accepted form: `{…}`, `urn:uuid:…`, bare digits, capitals. */
export function canonicalText(uuid: string): string {
  readOrThrow(uuid, scratch);
  return textOf(scratch);
}

/** The 16 bytes of a UUID in any accepted form, in a new array or in `target`. */
export function uuidToBytes(uuid: string, target: Uint8Array = new Uint8Array(16)): Uint8Array {
  checkSixteen('target', target);
  // Through scratch space, so that text which turns out wrong half-way leaves the target untouched.
  readOrThrow(uuid, scratch);
  target.set(scratch);
  return target;
}

/** The order of two UUIDs as 128-bit numbers, whatever form each is written in. */
export function compareUuid(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = [canonicalText(a), canonicalText(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
