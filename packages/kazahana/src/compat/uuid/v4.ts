// v4 with the options of `uuid`.
import { textOf } from '../../uuid/text.js';
import { generateV4 } from '../../uuid/v4.js';
import { randomOf, writeTo } from './bytes.js';
import type { Version4Options } from './types.js';

const scratch = /* @__PURE__ */ new Uint8Array(16);

export function v4(options?: Version4Options, buf?: undefined, offset?: number): string;
export function v4<TBuf extends Uint8Array = Uint8Array>(
  options: Version4Options | undefined,
  buf: TBuf,
  offset?: number,
): TBuf;
export function v4<TBuf extends Uint8Array>(
  options?: Version4Options,
  buf?: TBuf,
  offset?: number,
): string | TBuf {
  if (!options && !buf) return generateV4();
  // The caller's random bytes stay as they are.
  const random = randomOf(options ?? {});
  for (let i = 0; i < 16; i++) scratch[i] = random[i] as number;
  scratch[6] = ((scratch[6] as number) & 0x0f) | 0x40;
  scratch[8] = ((scratch[8] as number) & 0x3f) | 0x80;
  return buf ? writeTo(scratch, buf, offset) : textOf(scratch);
}
