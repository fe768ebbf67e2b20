// `npm run bench [-- name …]`: builds, then runs the benchmarks, or those that are named.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.ts';
import { root } from './run.ts';

/** Those that start servers or take minutes run only when they are named. */
const ON_DEMAND = ['cli', 'server', 'stores'];
const HARNESS = 'harness';

const folder = join(root, 'benchmarks');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => name !== HARNESS);

const args = process.argv.slice(2);
// What follows one of those is for it alone.
const onDemand = ON_DEMAND.find((name) => name === args[0]);
const usual = names.filter((name) => !ON_DEMAND.includes(name));
const wanted = onDemand ? [onDemand] : args.length === 0 ? usual : args;
for (const name of wanted) {
  if (!names.includes(name))
    throw new Error(`there is no benchmark ${JSON.stringify(name)}; there are ${names.join(', ')}`);
}

await build();
for (const name of wanted) {
  console.log(`── ${name}, on Node ${process.version} ──\n`);
  await import(join(folder, `${name}.ts`));
}
