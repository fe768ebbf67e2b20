// The lines of UUIDs on every engine: Node 24 and 26 (with their own randomUUIDv7), Bun, Deno, Chromium. Each runs the same bundle.
// Run: npm run bench -- engines
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../scripts/run.ts';
import { findChromium, withBrowserPage } from '../tests/browser.ts';
import {
  findRuntime,
  installRuntimes,
  processRuntimes,
  runtimeEnvironment,
} from '../tests/runtimes/runtimes.ts';
import type { Outcome, Result } from './results.ts';
import { uuidContests } from './uuid-lines.ts';

const ENTRY = `
import { runContest } from './results.ts';
import { uuidContests } from './uuid-lines.ts';
const native = globalThis.process?.getBuiltinModule?.('node:crypto')?.randomUUIDv7;
const contests = uuidContests(native ? { v7: { 'crypto.randomUUIDv7': () => native() } } : {});
export const runLine = (index) => runContest(contests[index]);
`;

/** Peers have builds for Node, which the others that run as a process take too, and builds for browsers. */
async function bundle(platform: 'node' | 'browser'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: join(root, 'benchmarks') },
    bundle: true,
    format: 'esm',
    platform,
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

type Engine = readonly [name: string, results: readonly Result[]];

/** Each line in a process of its own, for the reason that `uuid-line.ts` gives. */
function processEngines(source: string, lines: number): Engine[] {
  const folder = join(root, 'tests', '.work', 'benchmarks');
  mkdirSync(folder, { recursive: true });
  const scripts = Array.from({ length: lines }, (_, index) => {
    const script = join(folder, `line-${index}.mjs`);
    writeFileSync(script, `${source}\nconsole.log(JSON.stringify(runLine(${index})));\n`);
    return script;
  });
  return processRuntimes
    .filter(({ id }) => ['node24', 'node26', 'bun', 'deno'].includes(id))
    .flatMap((runtime): Engine[] => {
      const { version } = findRuntime(runtime);
      if (version === null) return [];
      const results = scripts.flatMap((script): Result[] =>
        JSON.parse(
          execFileSync(runtime.executable, [...runtime.flags, script], {
            encoding: 'utf8',
            env: runtimeEnvironment,
            maxBuffer: 2 ** 24,
          }),
        ),
      );
      return [[`${runtime.name} ${version}`, results]];
    });
}

async function chromiumEngine(source: string, lines: number): Promise<Engine[]> {
  const { path } = findChromium();
  if (path === null) return [];
  const run = withBrowserPage(path, new Map([['/lines.mjs', source]]), async ({ page, version }) => {
    const results: Result[] = [];
    for (let index = 0; index < lines; index++) {
      const call = { script: '/lines.mjs', index };
      const found: Result[] = await page.evaluate(
        async ({ script, index: line }) => (await import(script)).runLine(line),
        call,
      );
      results.push(...found);
      await page.reload();
    }
    return [`Chromium ${version.split('.')[0]}`, results] satisfies Engine;
  });
  return [await run];
}

export async function run(): Promise<Outcome> {
  await installRuntimes();
  const lines = uuidContests().length;
  const engines = [
    ...processEngines(await bundle('node'), lines),
    ...(await chromiumEngine(await bundle('browser'), lines)),
  ];
  const keys = new Set(engines.flatMap(([, results]) => results.map((r) => `${r.line} × ${r.against}`)));
  const rows = [...keys].map((key) => [
    key,
    ...engines.map(([, results]) => {
      const found = results.find((r) => `${r.line} × ${r.against}` === key);
      return found ? found.value.toFixed(found.value < 10 ? 2 : 1) : '';
    }),
  ]);
  return {
    results: [],
    tables: [
      {
        title: 'Engines',
        head: ['times as fast (Date.now: times its time)', ...engines.map(([name]) => name)],
        rows,
      },
    ],
  };
}
