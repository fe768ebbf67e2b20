// `npm run bench [-- name …] [--json] [--check] [--write]`: builds, then runs the benchmarks, or those that are named.
// `--check` fails below three quarters of a goal, `--write` puts tables and plot into docs/performance.md.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Outcome } from '../benchmarks/results.ts';
import { build } from './build.ts';
import { root } from './run.ts';

const NAMES = ['uuid', 'engines', 'client', 'growth', 'external-ids', 'pipe'];
/** Those that have tables of their own, start servers or take minutes run only when they are named, and what follows is for them alone. */
const ON_DEMAND = ['cli', 'compat', 'server', 'stores'];

const folder = join(root, 'benchmarks');
const args = process.argv.slice(2);

async function runOnDemand(name: string): Promise<void> {
  await build();
  console.log(`── ${name}, on Node ${process.version} ──\n`);
  await import(join(folder, `${name}.ts`));
}

async function runLines(): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, check: { type: 'boolean' }, write: { type: 'boolean' } },
  });
  const unknown = positionals.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    const all = [...NAMES, ...ON_DEMAND].join(', ');
    throw new Error(`there is no benchmark ${JSON.stringify(unknown)}; there are ${all}`);
  }
  await build();
  const { resultTable, shortfalls, unmeasured } = await import('../benchmarks/results.ts');
  const { table } = await import('../benchmarks/harness.ts');
  const outcomes: Outcome[] = [];
  for (const name of positionals.length > 0 ? positionals : NAMES) {
    const { run }: { run: () => Outcome | Promise<Outcome> } = await import(join(folder, `${name}.ts`));
    const outcome = await run();
    outcomes.push(outcome);
    if (values.json) continue;
    console.log(`── ${name}, on Node ${process.version} ──\n\n${resultTable(outcome.results)}\n`);
    for (const { title, head, rows } of outcome.tables ?? []) {
      console.log(`${title}\n\n${table([head, ...rows])}\n`);
    }
  }
  const results = outcomes.flatMap((outcome) => outcome.results);
  const tables = outcomes.flatMap((outcome) => outcome.tables ?? []);
  if (values.json) console.log(JSON.stringify({ node: process.version, results, tables }, null, 2));
  if (values.write) {
    const missing = unmeasured(results);
    if (missing.length > 0) throw new Error(`nothing was measured for ${missing.join('; ')}`);
    const { writePerformance } = await import('../benchmarks/document.ts');
    writePerformance(results, tables);
  }
  const short = values.check ? shortfalls(results) : [];
  for (const line of short) console.error(`below three quarters of its goal: ${line}`);
  if (short.length > 0) process.exitCode = 1;
}

const onDemand = ON_DEMAND.find((name) => name === args[0]);
await (onDemand ? runOnDemand(onDemand) : runLines());
