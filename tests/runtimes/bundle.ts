// Makes one ESM file of the library's own tests that runs on every runtime: `vitest` is replaced by our small
// runner, and anything that is not everywhere (a `node:` module, say) fails here.
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = join(root, 'tests', '.work', 'runtimes');

/** Precedes the report on a child process's standard output. */
export const REPORT_MARK = 'kazahana-test-report ';

export interface Bundle {
  /** Runs all tests and prints the report, for a child process. */
  readonly processScript: string;
  /** What a page can import: `/suite.mjs` exports `runTests`, `/worker.mjs` posts the report. */
  readonly browserScripts: ReadonlyMap<string, string>;
}

const PROCESS_SCRIPT = `import { runTests } from './suite.mjs';
console.log(${JSON.stringify(REPORT_MARK)} + JSON.stringify(await runTests()));
`;

const WORKER_SCRIPT = `import { runTests } from './suite.mjs';
postMessage(await runTests());
`;

/** Files are loaded one by one, so that a test's name tells its file and one broken file hides no other. */
function suiteSource(files: readonly string[]): string {
  const loads = files.map((file) => {
    const path = relative(root, file).split(sep).join('/');
    return `  await collectFile(${JSON.stringify(path)}, () => import(${JSON.stringify(`./${path}`)}));`;
  });
  return [
    `import { collectFile, runCollected } from 'vitest';`,
    'export async function runTests() {',
    ...loads,
    '  return runCollected();',
    '}',
  ].join('\n');
}

export async function bundleTests(): Promise<Bundle> {
  const files = globSync(join(root, 'packages/kazahana/src/**/*.test.ts')).sort();
  if (files.length === 0) throw new Error('packages/kazahana/src holds no test file');
  const built = await build({
    stdin: { contents: suiteSource(files), resolveDir: root, sourcefile: 'suite.js' },
    alias: { vitest: fileURLToPath(new URL('./portable-vitest.ts', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    sourcemap: 'inline',
    sourcesContent: false,
    outfile: join(work, 'suite.mjs'),
    write: false,
    logLevel: 'silent',
    // A warning is most often an import that is not there; it may not scroll by.
    logOverride: { 'import-is-undefined': 'error' },
  });
  const suite = built.outputFiles[0]?.text;
  if (suite === undefined) throw new Error('esbuild made no file');
  await mkdir(work, { recursive: true });
  await writeFile(join(work, 'suite.mjs'), suite);
  await writeFile(join(work, 'process.mjs'), PROCESS_SCRIPT);
  return {
    processScript: join(work, 'process.mjs'),
    browserScripts: new Map([
      ['/suite.mjs', suite],
      ['/worker.mjs', WORKER_SCRIPT],
    ]),
  };
}
