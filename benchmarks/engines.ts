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

const ENTRY = `
import { runContest } from './results.ts';
import { uuidContests } from './uuid-lines.ts';
const native = globalThis.process?.getBuiltinModule?.('node:crypto')?.randomUUIDv7;
export function runLines() {
  return uuidContests(native ? { v7: { 'crypto.randomUUIDv7': () => native() } } : {}).flatMap(runContest);
}
`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: join(root, 'benchmarks') },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

type Engine = readonly [name: string, results: readonly Result[]];

function processEngines(script: string): Engine[] {
  return processRuntimes
    .filter(({ id }) => ['node24', 'node26', 'bun', 'deno'].includes(id))
    .flatMap((runtime): Engine[] => {
      const { version } = findRuntime(runtime);
      if (version === null) return [];
      const output = execFileSync(runtime.executable, [...runtime.flags, script], {
        encoding: 'utf8',
        env: runtimeEnvironment,
        maxBuffer: 2 ** 24,
      });
      return [[`${runtime.name} ${version}`, JSON.parse(output)]];
    });
}

async function chromiumEngine(source: string): Promise<Engine[]> {
  const { path } = findChromium();
  if (path === null) return [];
  const run = withBrowserPage(path, new Map([['/lines.mjs', source]]), async ({ page, version }) => {
    const results: Result[] = await page.evaluate(
      async (script) => (await import(script)).runLines(),
      '/lines.mjs',
    );
    return [`Chromium ${version.split('.')[0]}`, results] satisfies Engine;
  });
  return [await run];
}

export async function run(): Promise<Outcome> {
  await installRuntimes();
  const source = await bundle();
  const work = join(root, 'tests', '.work', 'benchmarks');
  mkdirSync(work, { recursive: true });
  const script = join(work, 'lines.mjs');
  writeFileSync(script, `${source}\nconsole.log(JSON.stringify(runLines()));\n`);
  const engines = [...processEngines(script), ...(await chromiumEngine(source))];
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
