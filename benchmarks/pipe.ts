// UUIDs through a pipe, beside `yes`, which writes the same line again and again: start and pipe included.
// Run: npm run bench -- pipe
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/run.ts';
import { compare, type Outcome } from './results.ts';

const COUNT = 10_000_000;
const ROUNDS = 3;

const LINES = {
  ours: `"${process.execPath}" "${join(root, 'packages/cli/bin/kazahana.cjs')}" uuid --count ${COUNT} | cat > /dev/null`,
  // It ends by the closed pipe, which is no failure.
  yes: `{ yes 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa || true; } | head -n ${COUNT} | cat > /dev/null`,
} as const;

function secondsOf(line: string): number {
  const started = performance.now();
  const { status, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${line}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: ${stderr}`);
  return (performance.now() - started) / 1000;
}

export function run(): Outcome {
  const fastest = { ours: Number.POSITIVE_INFINITY, yes: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['ours', 'yes'] as const) {
      fastest[name] = Math.min(fastest[name], secondsOf(LINES[name]));
    }
  }
  const ns = (seconds: number) => (seconds * 1e9) / COUNT;
  return { results: [compare('10 M v7 through a pipe', ns(fastest.ours), 'yes', ns(fastest.yes))] };
}
