// UUIDs side by side with what people use today, on this Node: time, equal IDs, and the memory that a kept ID holds.
// Run: npm run bench -- uuid
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { root } from '../scripts/run.ts';
import type { Outcome, Result } from './results.ts';
import { generators, uuidContests } from './uuid-lines.ts';
import { nativePeers } from './uuid-peers.ts';

/** Each line in a process of its own. */
function runLine(index: number): readonly Result[] {
  const script = join(root, 'benchmarks', 'uuid-line.ts');
  return JSON.parse(execFileSync(process.execPath, [script, String(index)], { encoding: 'utf8' }));
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const KEPT = 100_000;

let read = 0;

/** Bytes of heap that each kept ID holds once it has been read, when every `step`-th is kept and the others are dropped. */
function retained(make: () => string, step: number): number {
  const kept = new Array<string>(KEPT).fill('');
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < KEPT; i++) {
    for (let dropped = 1; dropped < step; dropped++) make();
    kept[i] = make();
    // Read, as a kept ID is: some come as pieces, and become one string at the first reading.
    read += kept[i]?.charCodeAt(14) ?? 0;
  }
  collect();
  const held = process.memoryUsage().heapUsed - before;
  return read > 0 && kept.length === KEPT ? held / KEPT : Number.NaN;
}

function equalIds(make: () => string): number {
  const seen = new Set<string>();
  for (let i = 0; i < 1_000_000; i++) seen.add(make());
  return 1_000_000 - seen.size;
}

export function run(): Outcome {
  const results = uuidContests(nativePeers).flatMap((_, index) => runLine(index));
  const rows = Object.entries(generators(nativePeers)).flatMap(([version, { ours, peers }]) =>
    Object.entries<() => string>({ kazahana: ours, ...peers }).map(([name, make]) => [
      `${version}, ${name}`,
      String(equalIds(make)),
      retained(make, 1).toFixed(0),
      retained(make, 16).toFixed(0),
    ]),
  );
  const head = ['', 'equal IDs in 1 M', 'bytes a kept ID, all kept', 'one in 16 kept'];
  return { results, tables: [{ title: 'Equal IDs, and memory that a kept ID holds', head, rows }] };
}
