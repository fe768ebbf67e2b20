// The second look, at lines whose keys are repeated: compared as they are, which makes suspicion certain and says where
// each stands.
import { type Findings, textOf } from './findings.js';
import { withKey } from './key.js';
import type { OnLine } from './lines.js';
import { integerOf, readId } from './read-id.js';
import type { Repeated } from './repeated-keys.js';

/** Most lines are no suspects, and one bit of this says so. */
const FILTER = 2 ** 20;

/** A function that looks at one line after another; `findings.duplicates` is right after the last. */
export function lineConfirmer(findings: Findings, { count, keys }: Repeated): OnLine {
  const filter = new Uint8Array(FILTER);
  let told = 0;
  for (const [key, times] of keys) {
    filter[Number(key % BigInt(FILTER))] = 1;
    told += times;
  }
  // Of more suspects than are told, the keys alone must do: certain for numbers; for UUIDs, one in ten million lines is
  // wrong with odds of one in 400,000.
  findings.duplicates = count - told;
  const firstLine = new Map<bigint, number>();
  const words = new Uint32Array(4);
  let line = 0;
  let isSuspect = false;
  const suspect = (high: number, low: number) => {
    isSuspect = filter[low % FILTER] === 1 && keys.has((BigInt(high) << 32n) | BigInt(low));
  };
  return (bytes, start, end) => {
    line++;
    const bits = readId(bytes, start, end, words);
    if (bits === 0) return;
    withKey(words, bits, suspect);
    if (!isSuspect) return;
    const value = integerOf(words, bits);
    const earlier = firstLine.get(value);
    if (earlier === undefined) firstLine.set(value, line);
    else {
      findings.duplicates++;
      findings.note(line, `${textOf(bytes, start, end)} stands on line ${earlier} already`);
    }
  };
}
