// Runs the tests of the server as a process, over real stores. Programs that are missing are installed where that is
// possible; what cannot be had is skipped, loudly. The exit code tells.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/run.ts';
import { reportSkipped } from '../skipped.ts';
import { findPrograms } from './programs.ts';

const skipped = findPrograms().flatMap(({ name, found }) =>
  found.path === null ? [{ name: `the server with ${name}`, ...found }] : [],
);
const vitest = spawn(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project',
    'server',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
const code = await new Promise<number>((resolve) => vitest.on('exit', (status) => resolve(status ?? 1)));
process.exitCode = reportSkipped(skipped) ? code : 1;
