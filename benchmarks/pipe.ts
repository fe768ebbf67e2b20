// UUIDs through a pipe, beside `yes`, which writes the same line again and again: start and pipe included.
// Run: npm run bench -- pipe
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/run.ts';
import { compare, type Outcome, type Result } from './results.ts';

/**
 * v7s may run a second ahead of the clock, and a millisecond has 3,072 on average, since the counter starts at random in its lower
 * half: more than three million at once wait for the clock.
 */
const MILLIONS = [3, 10];
const ROUNDS = 3;

const linesOf = (count: number) =>
  ({
    ours: `"${process.execPath}" "${join(root, 'packages/cli/bin/kazahana.cjs')}" uuid --count ${count} | cat > /dev/null`,
    // It ends by the closed pipe, which is no failure.
    yes: `{ yes 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa || true; } | head -n ${count} | cat > /dev/null`,
  }) as const;

function secondsOf(line: string): number {
  const started = performance.now();
  const { status, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${line}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: ${stderr}`);
  return (performance.now() - started) / 1000;
}

function compareOf(millions: number): Result {
  const lines = linesOf(millions * 1e6);
  const fastest = { ours: Number.POSITIVE_INFINITY, yes: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['ours', 'yes'] as const) {
      fastest[name] = Math.min(fastest[name], secondsOf(lines[name]));
    }
  }
  const ns = (seconds: number) => (seconds * 1e3) / millions;
  return compare(`${millions} M v7 through a pipe`, ns(fastest.ours), 'yes', ns(fastest.yes));
}

export function run(): Outcome {
  return { results: MILLIONS.map(compareOf) };
}
