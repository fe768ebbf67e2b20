// Runs the library's own tests on every runtime it supports: Node, Bun, Deno, workerd, and a browser's page and worker.
// `--only node22,chromium` runs some of them. The exit code tells.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { findChromium, withBrowserPage } from '../browser.ts';
import { reportSkipped, type Skipped } from '../skipped.ts';
import { type Bundle, bundleTests, REPORT_MARK } from './bundle.ts';
import type { Report } from './portable-vitest.ts';
import {
  findRuntime,
  installRuntimes,
  type ProcessRuntime,
  processRuntimes,
  runtimeEnvironment,
} from './runtimes.ts';
import { runInWorkerd } from './workerd.ts';

/** The slowest runtime takes a few seconds; one that takes this long hangs. */
const TIMEOUT = 120_000;

/** As many as the smallest machine of CI has cores. */
const AT_ONCE = 2;

interface Job {
  readonly id: string;
  readonly name: string;
  run(bundle: Bundle): Promise<Report>;
}

function runInProcess({ executable, flags }: ProcessRuntime, script: string): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, [...flags, script], {
      env: runtimeEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT,
      killSignal: 'SIGKILL',
    });
    const output: string[] = [];
    const talk: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => talk.push(text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const lines = output.join('').split('\n');
      const line = lines.find((text) => text.startsWith(REPORT_MARK));
      // A report is not enough: an unhandled rejection ends the process after it.
      if (code === 0 && line !== undefined) resolve(JSON.parse(line.slice(REPORT_MARK.length)));
      else
        reject(new Error(`ended with ${signal ?? `exit code ${code}`}\n${output.join('')}${talk.join('')}`));
    });
  });
}

function within<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no report after ${TIMEOUT} ms`)), TIMEOUT);
  });
  return Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}

function runInPage(executable: string, { browserScripts }: Bundle): Promise<Report> {
  return withBrowserPage(executable, browserScripts, ({ page }) =>
    within(page.evaluate(async (path): Promise<Report> => (await import(path)).runTests(), '/suite.mjs')),
  );
}

function runInWorker(executable: string, { browserScripts }: Bundle): Promise<Report> {
  return withBrowserPage(executable, browserScripts, ({ page }) =>
    within(
      page.evaluate(
        (path) =>
          new Promise<Report>((resolve, reject) => {
            const worker = new Worker(path, { type: 'module' });
            worker.onmessage = (event) => resolve(event.data);
            worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be loaded'));
          }),
        '/worker.mjs',
      ),
    ),
  );
}

function findJobs(isWanted: (id: string) => boolean): { jobs: readonly Job[]; skipped: readonly Skipped[] } {
  const jobs: Job[] = [];
  const skipped: Skipped[] = [];
  // The first, for it takes longest: each turn of its event loop waits for a timer.
  if (isWanted('workerd')) {
    const run = ({ browserScripts }: Bundle) => within(runInWorkerd(browserScripts.get('/suite.mjs') ?? ''));
    jobs.push({ id: 'workerd', name: 'workerd', run });
  }
  for (const runtime of processRuntimes.filter(({ id }) => isWanted(id))) {
    const found = findRuntime(runtime);
    if (found.version === null) {
      skipped.push({ name: runtime.id, ...found });
      continue;
    }
    jobs.push({
      id: runtime.id,
      name: `${runtime.name} ${found.version}`,
      run: ({ processScript }) => runInProcess(runtime, processScript),
    });
  }
  if (isWanted('chromium')) {
    const found = findChromium();
    if (found.path === null) skipped.push({ name: 'chromium', ...found });
    else {
      const { path } = found;
      jobs.push(
        { id: 'chromium', name: 'Chromium page', run: (bundle) => runInPage(path, bundle) },
        { id: 'chromium', name: 'Chromium worker', run: (bundle) => runInWorker(path, bundle) },
      );
    }
  }
  return { jobs, skipped };
}

/** Runs one job and prints its line; resolves to whether all was well. */
async function report({ name, run }: Job, bundle: Bundle): Promise<boolean> {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  try {
    const { passed, failed, failures } = await run(bundle);
    console.log(`  ${name.padEnd(16)} ${passed} passed, ${failed} failed   ${seconds()}`);
    for (const { test, error } of failures) console.log(`\n${name}: FAILED ${test}\n${error}\n`);
    return failed === 0 && passed > 0;
  } catch (error) {
    console.log(`  ${name.padEnd(16)} FAILED   ${seconds()}`);
    console.log(`\n${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

function wantedIds(): (id: string) => boolean {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  if (values.only === undefined) return () => true;
  const known = [...processRuntimes.map(({ id }) => id), 'chromium', 'workerd'];
  const wanted = values.only.split(',').map((id) => id.trim());
  const unknown = wanted.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    console.error(`--only takes ${known.join(', ')}; unknown: ${unknown.join(', ')}`);
    process.exit(2);
  }
  return (id) => wanted.includes(id);
}

const isWanted = wantedIds();
await installRuntimes();
const { jobs, skipped } = findJobs(isWanted);
const bundle = await bundleTests().catch((error: Error) => {
  console.error(`the tests cannot be bundled for other runtimes: ${error.message}`);
  process.exit(1);
});

const waiting = [...jobs];
const results: boolean[] = [];
async function lane(): Promise<void> {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    results.push(await report(job, bundle));
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, lane));

const allPassed = results.length > 0 && results.every((passed) => passed);
process.exitCode = reportSkipped(skipped) && allPassed ? 0 : 1;
