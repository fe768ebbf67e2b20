// `npm run bench [-- name …]`: builds, then runs the benchmarks, or those that are named.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.ts';
import { root } from './run.ts';

const HARNESS = 'harness';
const folder = join(root, 'benchmarks');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => name !== HARNESS);

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!names.includes(name))
    throw new Error(`there is no benchmark ${JSON.stringify(name)}; there are ${names.join(', ')}`);
}

await build();
for (const name of wanted.length === 0 ? names : wanted) {
  console.log(`── ${name}, on Node ${process.version} ──\n`);
  await import(join(folder, `${name}.ts`));
}
