// From v1 to v6 and back: the same fields, with the 60 bits of time in the order of their weight.
import { textOf } from '../../uuid/text.js';
import { readOrThrow } from './text.js';
import type { NonSharedArrayBuffer } from './types.js';

type Reordering = <Target extends Uint8Array>(bytes: Uint8Array, target: Target) => Target;

/** Clock sequence and node stay where they are. */
function copyRest(bytes: Uint8Array, target: Uint8Array): void {
  for (let i = 8; i < 16; i++) target[i] = bytes[i] as number;
}

const byte = (bytes: Uint8Array, at: number) => bytes[at] as number;
/** The lower half of one byte, then the upper half of another. */
const joint = (bytes: Uint8Array, low: number, high: number) =>
  ((byte(bytes, low) & 0x0f) << 4) | ((byte(bytes, high) & 0xf0) >> 4);

export const reorderV1: Reordering = (v1, target) => {
  target[0] = joint(v1, 6, 7);
  target[1] = joint(v1, 7, 4);
  target[2] = joint(v1, 4, 5);
  target[3] = joint(v1, 5, 0);
  target[4] = joint(v1, 0, 1);
  target[5] = joint(v1, 1, 2);
  target[6] = 0x60 | (byte(v1, 2) & 0x0f);
  target[7] = byte(v1, 3);
  copyRest(v1, target);
  return target;
};

const reorderV6: Reordering = (v6, target) => {
  target[0] = joint(v6, 3, 4);
  target[1] = joint(v6, 4, 5);
  target[2] = ((byte(v6, 5) & 0x0f) << 4) | (byte(v6, 6) & 0x0f);
  target[3] = byte(v6, 7);
  target[4] = joint(v6, 1, 2);
  target[5] = joint(v6, 2, 3);
  target[6] = 0x10 | ((byte(v6, 0) & 0xf0) >> 4);
  target[7] = joint(v6, 0, 1);
  copyRest(v6, target);
  return target;
};

const scratch = /* @__PURE__ */ new Uint8Array(16);

function convert(uuid: string | Uint8Array, reorder: Reordering): string | NonSharedArrayBuffer {
  return typeof uuid === 'string'
    ? textOf(reorder(readOrThrow(uuid), scratch))
    : reorder(uuid, new Uint8Array(16));
}

export function v1ToV6(uuid: string): string;
export function v1ToV6(uuid: Uint8Array): NonSharedArrayBuffer;
export function v1ToV6(uuid: string | Uint8Array): string | Uint8Array {
  return convert(uuid, reorderV1);
}

export function v6ToV1(uuid: string): string;
export function v6ToV1(uuid: Uint8Array): Uint8Array;
export function v6ToV1(uuid: string | Uint8Array): string | Uint8Array {
  return convert(uuid, reorderV6);
}
