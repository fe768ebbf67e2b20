// A 64-bit ID as eight bytes, big-endian, so that bytes sort as IDs do.
import { checkBigint, InvalidArgumentError, OutOfRangeError } from '../errors.js';
import type { KazahanaId } from './layout.js';

const MAX_ID = 2n ** 64n - 1n;

/** The value, if it is a 64-bit ID. */
export function checkId(id: unknown): bigint {
  const value = checkBigint('id', id);
  if (value >= 0n && value <= MAX_ID) return value;
  throw new OutOfRangeError('id', 0n, MAX_ID, id);
}

export function idToBytes(id: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, checkId(id));
  return bytes;
}

export function idFromBytes(bytes: Uint8Array): KazahanaId {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 8) {
    throw new InvalidArgumentError('bytes', 'a Uint8Array of 8 bytes', bytes);
  }
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0) as KazahanaId;
}
