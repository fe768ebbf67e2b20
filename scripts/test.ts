// `npm test`: every check there is, one line each; what fails is shown in full at the end.
// Arguments pick checks by name: `npm test -- unit snippets`.
import { build } from './build.ts';
import { type Finished, root, run, tool } from './run.ts';

interface Check {
  readonly name: string;
  readonly what: string;
  readonly run: () => Promise<Finished>;
}

const script =
  (path: string, ...args: string[]) =>
  () =>
    run(process.execPath, [path, ...args]);

/**
 * Groups run one after another, the checks of a group side by side: the machine may have two cores only. Those that wait for servers
 * and processes share a group with those that compute.
 */
const GROUPS: readonly (readonly Check[])[] = [
  [
    { name: 'types', what: 'every file, tests and examples too', run: () => run(tool('tsc'), ['-p', root]) },
    { name: 'lint', what: 'style, formatting, unused code', run: script('scripts/lint.ts') },
  ],
  [
    {
      name: 'unit',
      what: 'units and properties',
      run: script('node_modules/vitest/vitest.mjs', 'run', '--project', 'library'),
    },
  ],
  [
    {
      name: 'stores',
      what: 'SQLite, Redis, PostgreSQL, etcd, for real',
      run: script('tests/stores/run.ts'),
    },
    { name: 'model', what: 'the lease protocol, exhaustively (spin)', run: script('simulation/model.ts') },
  ],
  [
    {
      name: 'server',
      what: 'the lease server: its life, its limits, fuzz',
      run: script('tests/server/run.ts'),
    },
    {
      name: 'cli',
      what: 'the command: examples, pipes, terminals, errors',
      // Most of the time they wait for processes, so two at once even where there are two cores.
      run: script('node_modules/vitest/vitest.mjs', 'run', '--project', 'cli', '--maxWorkers=2'),
    },
  ],
  [
    { name: 'snippets', what: 'README, docs and examples run', run: script('tests/documents/run.ts') },
    { name: 'sizes', what: 'bundle sizes', run: script('tests/sizes/run.ts') },
    {
      name: 'api',
      what: 'public names and types as reported',
      run: script('scripts/api-reports.ts', '--check'),
    },
    { name: 'site', what: 'the documentation site: links, search, axe', run: script('tests/website/run.ts') },
  ],
  // It measures how long the page is busy.
  [{ name: 'page', what: 'the page, in a real Chromium', run: script('tests/web/run.ts') }],
  [{ name: 'simulation', what: '200 worlds; every rule switched off', run: script('simulation/check.ts') }],
  [
    // It waits more than it computes.
    { name: 'chaos', what: 'a fleet on SQLite, hurt for 45 seconds', run: script('chaos/check.ts') },
    { name: 'package', what: 'the packed tarball, installed elsewhere', run: script('tests/package/run.ts') },
    {
      name: 'runtimes',
      what: 'Node 20–26, Bun, Deno, workerd, Chromium',
      run: script('tests/runtimes/run.ts'),
    },
  ],
];

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const withoutColours = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, '');

/** The counts of tests that a check printed; a check that counts none is one test itself. */
function count({ code, output }: Finished): { passed: number; failed: number } {
  const plain = withoutColours(output);
  const sum = (word: string) => {
    const counts = plain.matchAll(new RegExp(`^.*?(?<!Files.*)\\b(\\d+) ${word}\\b`, 'gm'));
    return [...counts].reduce((total, [, n]) => total + Number(n), 0);
  };
  const passed = sum('passed');
  const failed = sum('failed');
  if (code === 0) return { passed: passed || 1, failed: 0 };
  return { passed, failed: failed || 1 };
}

/** The lines that say what failed; of a check that names no tests, the last ones that it printed. */
function reasons(output: string): string[] {
  const lines = withoutColours(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const found = lines.flatMap((line, at) =>
    /^\s*FAIL\s|Unhandled (Rejection|Error)/.test(line) ? lines.slice(at, at + 4) : [],
  );
  return (found.length > 0 ? found.slice(0, MAX_REASONS) : lines.slice(-MAX_REASONS)).map((line) =>
    line.trim(),
  );
}

const MAX_REASONS = 20;

const wanted = process.argv.slice(2);
const names = GROUPS.flat().map(({ name }) => name);
for (const name of wanted) {
  if (!names.includes(name))
    throw new Error(`there is no check ${JSON.stringify(name)}; there are ${names.join(', ')}`);
}

const started = performance.now();
const total = { passed: 0, failed: 0 };
const failures: string[] = [];

async function perform({ name, what, run: start }: Check): Promise<void> {
  const since = performance.now();
  const finished = await start();
  const { passed, failed } = count(finished);
  total.passed += passed;
  total.failed += failed;
  const verdict = finished.code === 0 ? 'ok    ' : 'FAILED';
  console.log(`${verdict} ${name.padEnd(10)} ${what.padEnd(42)} ${seconds(since).padStart(7)}`);
  if (finished.code !== 0) {
    for (const line of reasons(finished.output)) console.log(`       ${line}`);
    failures.push(`\n── ${name} ──\n${finished.output}`);
  }
  for (const line of finished.output.split('\n').filter((text) => text.startsWith('SKIPPED')))
    console.log(`       ${line}`);
}

await build();
console.log(`ok     build      ${'all packages'.padEnd(42)} ${seconds(started).padStart(7)}`);
for (const group of GROUPS) {
  await Promise.all(group.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map(perform));
}

for (const failure of failures) console.log(failure);
console.log(`\nAll in ${seconds(started)}.`);
console.log(`Tests: ${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
