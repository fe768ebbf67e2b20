// What `verify` has found so far: everything counted, the first few told.
import { visible } from '../visible.js';

const SHOWN = 10;
/** Of a line, so much is shown. */
const SHOWN_BYTES = 60;

export class Findings {
  lines = 0;
  ids = 0;
  invalid = 0;
  duplicates = 0;
  orderBreaks = 0;
  fallback = 0;
  future = 0;
  readonly examples: string[] = [];

  note(line: number, text: string): void {
    if (this.examples.length < SHOWN) this.examples.push(`line ${line}: ${text}`);
  }

  get isFine(): boolean {
    return this.invalid + this.duplicates + this.orderBreaks + this.future === 0;
  }
}

const decoder = new TextDecoder();

export const textOf = (bytes: Uint8Array, start: number, end: number) =>
  visible(decoder.decode(bytes.subarray(start, Math.min(end, start + SHOWN_BYTES))));
