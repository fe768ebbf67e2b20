// Text and bytes as `uuid` reads and writes them: 36 characters, an RFC 9562 variant with a version from 1 to 8, or Nil or Max.
import { readBytes } from '../../uuid/read.js';
import { textOf } from '../../uuid/text.js';
import { isCanonicalUuid, isRfcOrSpecial } from '../../uuid/validate.js';
import type { NonSharedArrayBuffer } from './types.js';

/** Whether the input is a UUID in canonical form: 36 characters, Nil and Max included. */
export function validate(uuid: unknown): boolean {
  return isCanonicalUuid(uuid);
}

/** The bytes of a UUID; to be used before the next read. */
export function readOrThrow(uuid: string): Uint8Array {
  if (!isCanonicalUuid(uuid)) throw new TypeError('Invalid UUID');
  return readBytes;
}

export function parse(uuid: string): NonSharedArrayBuffer {
  return readOrThrow(uuid).slice();
}

export function version(uuid: string): number {
  return (readOrThrow(uuid)[6] as number) >>> 4;
}

export function stringify(arr: Uint8Array, offset = 0): string {
  let areBytes = true;
  for (let i = 0; i < 16; i++) {
    const byte = arr[offset + i] as number;
    readBytes[i] = byte;
    // What is no byte, or is missing, does not come back from the typed array as it went in.
    areBytes &&= readBytes[i] === byte;
  }
  if (!areBytes || !isRfcOrSpecial()) throw new TypeError('Stringified UUID is invalid');
  return textOf(readBytes);
}
