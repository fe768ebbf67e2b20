// Any 128 bits as text and as bytes, and their order. Nil, Max and unknown versions are welcome here.
import { InvalidArgumentError } from '../errors.js';
import { diagnose } from './diagnose.js';
import { UuidFormatError } from './errors.js';
import { readBytes, readUuid } from './read.js';
import { textOf } from './text.js';

/** Refuses what is not 16 bytes. */
export function checkSixteen(argument: string, bytes: unknown): asserts bytes is Uint8Array {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 16) {
    throw new InvalidArgumentError(argument, 'a Uint8Array of 16 bytes', bytes);
  }
}

/** Reads text into `readBytes`, or throws the reason why it cannot be read. */
function readOrThrow(input: unknown): void {
  if (!readUuid(input)) throw new UuidFormatError(input, diagnose(input));
}

/** The canonical text of 16 bytes: lower case, with hyphens. */
export function formatUuid(bytes: Uint8Array): string {
  checkSixteen('bytes', bytes);
  return textOf(bytes);
}

/** The canonical text of any accepted form: `{…}`, `urn:uuid:…`, bare digits, capitals. */
export function canonicalText(uuid: string): string {
  readOrThrow(uuid);
  return textOf(readBytes);
}

/** The 16 bytes of a UUID in any accepted form, in a new array or in `target`. */
export function uuidToBytes(uuid: string, target?: Uint8Array): Uint8Array {
  if (target !== undefined) checkSixteen('target', target);
  readOrThrow(uuid);
  // A copy takes less time than a new array that is then set.
  if (target === undefined) return new Uint8Array(readBytes);
  target.set(readBytes);
  return target;
}

/** The order of two UUIDs as 128-bit numbers, whatever form each is written in. */
export function compareUuid(a: string, b: string): -1 | 0 | 1 {
  const left = canonicalText(a);
  const right = canonicalText(b);
  return left === right ? 0 : left < right ? -1 : 1;
}
