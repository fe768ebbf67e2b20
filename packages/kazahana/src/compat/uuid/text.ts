// Text and bytes as `uuid` reads and writes them: 36 characters, an RFC 9562 variant with a version from 1 to 8, or Nil or Max.
import { readFour } from '../../uuid/read.js';
import { textOf } from '../../uuid/text.js';
import type { NonSharedArrayBuffer } from './types.js';

const HYPHEN = 45;

/** Where `validate` and `stringify` leave a UUID; to be used before the next call. */
const bytes = /* @__PURE__ */ new Uint8Array(16);
const view = /* @__PURE__ */ new DataView(bytes.buffer);

const isRfcVersion = (version: number) => version > 0 && version < 9;

/** Whether the input is a UUID in canonical form; if so, `bytes` hold it. */
export function validate(uuid: unknown): boolean {
  if (typeof uuid !== 'string' || uuid.length !== 36) return false;
  // Written out, since a loop over positions takes half as long again, and `uuid` has a regular expression in machine code.
  const a = readFour(uuid, 0);
  const b = readFour(uuid, 4);
  const c = readFour(uuid, 9);
  const d = readFour(uuid, 14);
  const e = readFour(uuid, 19);
  const f = readFour(uuid, 24);
  const g = readFour(uuid, 28);
  const h = readFour(uuid, 32);
  const all = a | b | c | d | e | f | g | h;
  if (all < 0 || !hasHyphens(uuid)) return false;
  const isRfc = e >>> 14 === 0b10 && isRfcVersion(d >>> 12);
  if (!isRfc && all !== 0 && (a & b & c & d & e & f & g & h) !== 0xffff) return false;
  view.setUint16(0, a);
  view.setUint16(2, b);
  view.setUint16(4, c);
  view.setUint16(6, d);
  view.setUint16(8, e);
  view.setUint16(10, f);
  view.setUint16(12, g);
  view.setUint16(14, h);
  return true;
}

function hasHyphens(uuid: string): boolean {
  return (
    uuid.charCodeAt(8) === HYPHEN &&
    uuid.charCodeAt(13) === HYPHEN &&
    uuid.charCodeAt(18) === HYPHEN &&
    uuid.charCodeAt(23) === HYPHEN
  );
}

/** The bytes of a UUID; to be used before the next read. */
export function readOrThrow(uuid: string): Uint8Array {
  if (!validate(uuid)) throw new TypeError('Invalid UUID');
  return bytes;
}

export function parse(uuid: string): NonSharedArrayBuffer {
  return readOrThrow(uuid).slice();
}

export function version(uuid: string): number {
  return (readOrThrow(uuid)[6] as number) >>> 4;
}

export function stringify(arr: Uint8Array, offset = 0): string {
  let areBytes = true;
  let all = 0;
  let common = 0xff;
  for (let i = 0; i < 16; i++) {
    const byte = arr[offset + i] as number;
    bytes[i] = byte;
    // What is no byte, or is missing, does not come back from the typed array as it went in.
    areBytes &&= bytes[i] === byte;
    all |= byte;
    common &= byte;
  }
  const isRfc = ((bytes[8] as number) & 0xc0) === 0x80 && isRfcVersion((bytes[6] as number) >>> 4);
  if (!areBytes || !(isRfc || all === 0 || common === 0xff)) {
    throw new TypeError('Stringified UUID is invalid');
  }
  return textOf(bytes);
}
