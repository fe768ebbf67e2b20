// Style, formatting, and code that is not used. `--write` mends what can be mended.
import { run, tool } from './run.ts';

const mend = process.argv.includes('--write') ? ['--write'] : [];
const checks = await Promise.all([
  run(tool('biome'), ['check', '--error-on-warnings', ...mend, '.']),
  run(tool('knip'), ['--no-progress']),
]);
for (const { code, output } of checks) {
  if (code !== 0) {
    process.stdout.write(output);
    process.exitCode = 1;
  }
}
