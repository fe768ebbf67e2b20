// `npm start`: builds, then runs the lease server with the page; what follows `--` goes to `kazahana serve`.
import { join } from 'node:path';
import { build } from './build.ts';
import { root } from './run.ts';

await build();
const bin = join(root, 'packages', 'cli', 'bin', 'kazahana.cjs');
process.argv.splice(1, 1, bin, 'serve');
await import(bin);
