// UUIDs side by side with what people use today, on this Node: time, equal IDs, and the memory that a kept ID holds.
// Run: npm run bench -- uuid
import nodeCrypto from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { v4 as rustV4 } from '@napi-rs/uuid';
import { type Outcome, runContest } from './results.ts';
import { generators, type NativePeers, uuidContests } from './uuid-lines.ts';

/** Node has it from 24.21 and 26 on. */
const { randomUUIDv7 } = nodeCrypto as { randomUUIDv7?: () => string };

const native: NativePeers = {
  v4: { '@napi-rs/uuid': () => rustV4() },
  v7: randomUUIDv7 ? { 'crypto.randomUUIDv7': () => randomUUIDv7() } : {},
};

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const KEPT = 100_000;

/** Bytes of heap that each kept ID holds, when every `step`-th is kept and the others are dropped. */
function retained(make: () => string, step: number): number {
  const kept = new Array<string>(KEPT).fill('');
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < KEPT; i++) {
    for (let dropped = 1; dropped < step; dropped++) make();
    kept[i] = make();
  }
  collect();
  const held = process.memoryUsage().heapUsed - before;
  return kept.length === KEPT ? held / KEPT : Number.NaN;
}

function equalIds(make: () => string): number {
  const seen = new Set<string>();
  for (let i = 0; i < 1_000_000; i++) seen.add(make());
  return 1_000_000 - seen.size;
}

export function run(): Outcome {
  const results = uuidContests(native).flatMap(runContest);
  const rows = Object.entries(generators(native)).flatMap(([version, { ours, peers }]) =>
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
