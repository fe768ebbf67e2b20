// Runs the tests of the page in Chromium, one file after another: they measure how long the page is busy. Where there is
// no Chromium and none can be had, they are skipped, loudly. The exit code tells.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/run.ts';
import { findChromium } from '../browser.ts';
import { reportSkipped } from '../skipped.ts';

const found = findChromium();
if (found.path === null) {
  process.exitCode = reportSkipped([{ name: 'the page', ...found }]) ? 0 : 1;
} else {
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--project', 'page', '--no-file-parallelism', ...process.argv.slice(2)],
    ],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode = await new Promise<number>((resolve) =>
    vitest.on('exit', (status) => resolve(status ?? 1)),
  );
}
