// Runs the library's tests for Stryker, in Stryker's own process and without vitest: to start vitest anew for each of thousands of
// mutants takes ten times as long as the tests. `portable-vitest.ts` stands in for it, as on other runtimes. Every mutant gets fresh
// modules, so that none finds what another has left behind.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Collected } from '../runtimes/portable-vitest.ts';
import { SLOW } from './parts.ts';

/** What Stryker's changed code looks at. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}

/** What is used of Stryker's options for one mutant. */
interface MutantRun {
  readonly activeMutant: { readonly id: string };
  /** The tests that reach it. */
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly mutantActivation: 'runtime' | 'static';
}

/** As Stryker numbers them. */
const [SUCCESS, FAILED] = [0, 1];

interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly status: number;
  readonly timeSpentMs: number;
  readonly failureMessage?: string;
}

/** All tests and the library in one file: each call makes them anew. */
interface SuiteModule {
  exports?: () => Promise<Collected>;
}
type Suite = (module: SuiteModule, require: NodeJS.Require) => void;

/** So often nothing happens, and so long, until a test counts as one that hangs: on a busy machine too, an idle process has no work left. */
const IDLE_TURNS = 100;
const IDLE_MS = 1000;

/** So much of a processor a test may use, beyond ten times what it uses without a mutant: a loop without end has used it soon. */
const LOOP_CPU_MS = 2000;
/** In the copy of the code, for the next process: which mutants had theirs ended, and how much of a processor each test uses without one. */
const hungFile = (mutant: string) => join(process.cwd(), `mutants-hung-${mutant}`);
const timesFile = () => join(process.cwd(), 'mutants-times.json');

/**
 * Ends this process from another thread, for the loop may have no end: when Stryker is gone, or when the process has used more of a processor
 * than the test may. Time on the clock tells nothing on a busy machine.
 */
const limit = new Float64Array(new SharedArrayBuffer(16));
const WATCH = `const { ppid } = process;
const { limit, prefix } = require('node:worker_threads').workerData;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const isLoop = limit[0] > 0 && user + system > limit[0];
  if (isLoop) require('node:fs').writeFileSync(prefix + limit[1], '');
  if (isLoop || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
}, 100);`;
const watch = (used: Float64Array, prefix: string) =>
  new Worker(WATCH, { eval: true, workerData: { limit: used, prefix } }).unref();
// Stryker itself loads this file, too: it has no test that could loop, but must not outlive its parent either.
watch(new Float64Array(1), '');

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const globals = globalThis as typeof globalThis & { __stryker__?: Switches };
globals.__stryker__ ??= {};
const switches = globals.__stryker__;
/** A mutant that is reached too often is switched off: its loop ends then, whatever becomes of the error that Stryker throws in it. */
let hits = 0;
Object.defineProperty(switches, 'hitCount', {
  get: () => hits,
  set(count: number) {
    hits = count;
    if (isOverLimit()) switches.activeMutant = undefined;
  },
});
const isOverLimit = () => hits > (switches.hitLimit ?? Number.POSITIVE_INFINITY);

/** Rejections that no test has caught; vitest fails for them, too. */
const stray: unknown[] = [];
process.on('unhandledRejection', (reason) => stray.push(reason));

const suiteSource = (files: readonly string[]) =>
  [
    `import fc from 'fast-check'; import { collectFile, collected } from 'vitest';`,
    // The same cases for each mutant. To find the smallest failing one takes longer than to find one.
    'fc.configureGlobal({ seed: 1, endOnFailure: true });',
    'module.exports = async () => {',
    ...files.map((file) => `await collectFile('${file}', () => import('./${file}'));`),
    'return collected(); };',
  ].join('\n');

/** Waits for a test, and throws when nothing is left that could end it. */
async function ended(test: Promise<void>, resources: number): Promise<void> {
  let isEnded = false;
  const end = test.finally(() => {
    isEnded = true;
  });
  end.catch(() => undefined);
  for (let idle = 0; !isEnded; ) {
    await turn();
    if (process.getActiveResourcesInfo().length > resources) {
      // A test in real time waits for a timer.
      await sleep(1);
      idle = 0;
    } else if (++idle === IDLE_TURNS) await sleep(IDLE_MS);
    else if (idle > IDLE_TURNS) throw new Error('hangs');
  }
  return end;
}

class PortableRunner {
  readonly #file = join(process.cwd(), 'mutants-suite.cjs');
  readonly #require = createRequire(import.meta.url);
  #suite: Suite | undefined;
  /** How many milliseconds of a processor each test used without a mutant. */
  #times: ReadonlyMap<string, number> | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    // Only now is this process in the copy of the code.
    watch(limit, hungFile(''));
    // Stryker begins a new process after a mutant that hangs, in the same copy of the code.
    if (!existsSync(this.#file)) {
      const patterns: readonly string[] = JSON.parse(process.env.KAZAHANA_MUTANT_TESTS ?? '["**/*.test.ts"]');
      const files = patterns.flatMap((pattern) => globSync(`src/${pattern}`)).sort();
      await build({
        stdin: { contents: suiteSource(files), resolveDir: process.cwd(), sourcefile: 'suite.js' },
        alias: { vitest: fileURLToPath(new URL('../runtimes/portable-vitest.ts', import.meta.url)) },
        bundle: true,
        format: 'cjs',
        platform: 'node',
        target: 'node24',
        outfile: this.#file,
        logLevel: 'error',
      });
    }
    const text = readFileSync(this.#file, 'utf8');
    this.#suite = compileFunction(text, ['module', 'require'], { filename: this.#file }) as Suite;
  }

  async dryRun() {
    switches.activeMutant = undefined;
    const tests = await this.#run();
    writeFileSync(timesFile(), JSON.stringify(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs])));
    return { status: 'complete', tests, mutantCoverage: switches.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRun) {
    if (existsSync(hungFile(activeMutant.id)))
      return { status: 'timeout', reason: 'used too much of a processor' };
    limit[1] = Number(activeMutant.id);
    this.#times ??= new Map(JSON.parse(readFileSync(timesFile(), 'utf8')));
    Object.assign(switches, { hitCount: 0, hitLimit });
    switches.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
    const results = await this.#run(testFilter ?? [], activeMutant.id);
    if (isOverLimit()) return { status: 'timeout', reason: `was reached more than ${hitLimit} times` };
    const failed = results.find(({ status }) => status === FAILED);
    if (!failed) return { status: 'survived', nrOfTests: results.length };
    const { id, failureMessage = '' } = failed;
    return { status: 'killed', killedBy: [id], failureMessage, nrOfTests: results.length };
  }

  /** Runs all tests; or those that are named, with a mutant, up to the first that fails. */
  async #run(names?: readonly string[], mutant?: string): Promise<TestResult[]> {
    const results: TestResult[] = [];
    const add = (id: string, began: number, error?: unknown) => {
      const status = error === undefined ? SUCCESS : FAILED;
      const failureMessage = error instanceof Error ? error.message : String(error);
      const timeSpentMs = cpuMs() - began;
      results.push({ id, name: id, timeSpentMs, status, ...(status === FAILED && { failureMessage }) });
      return status === FAILED && mutant !== undefined;
    };
    const module: SuiteModule = {};
    stray.length = 0;
    const loading = cpuMs();
    const loaded = await (async () => {
      this.#suite?.(module, this.#require);
      return module.exports?.();
    })().catch((error: unknown) => ({ error }));
    if (!loaded || 'error' in loaded) {
      add('all files', loading, loaded?.error ?? new Error('no tests'));
      return results;
    }
    for (const { test, error } of loaded.failures) if (add(test, loading, error)) return results;
    if (mutant !== undefined) switches.activeMutant = mutant;
    const wanted = new Set(names);
    const tests = loaded.tests
      .map(({ path, run }) => ({ id: path.join(' › '), run }))
      .filter(({ id }) => !SLOW.some((part) => id.includes(part)))
      .filter(({ id }) => wanted.size === 0 || wanted.has(id))
      .sort((a, b) => (this.#times?.get(a.id) ?? 0) - (this.#times?.get(b.id) ?? 0));
    const resources = process.getActiveResourcesInfo().length;
    for (const { id, run } of tests) {
      switches.currentTestId = id;
      const began = cpuMs();
      if (mutant !== undefined) limit[0] = 1000 * (began + LOOP_CPU_MS + 10 * (this.#times?.get(id) ?? 0));
      const error = await ended(run(), resources).catch((reason: unknown) => reason ?? new Error('nothing'));
      switches.currentTestId = undefined;
      limit[0] = 0;
      if (add(id, began, error) || isOverLimit()) return results;
    }
    await turn();
    if (stray.length > 0) add('rejections that no test has caught', cpuMs(), stray[0]);
    return results;
  }
}

const factory = Object.assign(() => new PortableRunner(), { inject: [] });
export const strykerPlugins = [{ kind: 'TestRunner', name: 'portable', factory }];
