// `npm run mutants [-- part | file …] [--force]`: changes the rules, the engine, the client and the codecs in thousands of
// small ways (Stryker) and runs the tests on each. A change that no test notices is printed: either a test is missing, or the
// change means nothing and belongs into `equivalent.ts`. Results are kept in tests/.work/mutants and used again as long as
// neither the code nor the tests of a part have changed; `--force` begins anew.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/run.ts';
import { EQUIVALENT } from './equivalent.ts';
import { PARTS, type Part } from './parts.ts';
import { type FileScore, percent, scoresOf } from './score.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = join(root, 'tests', '.work', 'mutants');

function usage(): never {
  console.error(`npm run mutants [-- <part or file> …] [--force]; parts: ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}

/** The parts that arguments name, cut down to the files that they name. */
function chosenParts(names: readonly string[]): [string, Part][] {
  const parts = Object.entries(PARTS);
  if (names.length === 0) return parts;
  const chosen = parts.map(([part, { files, ...rest }]): [string, Part] => [
    part,
    { ...rest, files: names.includes(part) ? files : files.filter((file) => names.includes(file)) },
  ]);
  const isKnown = (name: string) => name in PARTS || parts.some(([, { files }]) => files.includes(name));
  if (!names.every(isKnown)) usage();
  return chosen.filter(([, { files }]) => files.length > 0);
}

/** Runs Stryker on one file, and returns what became of its mutants. */
async function mutate(file: string, tests: readonly string[], isForced: boolean): Promise<FileScore[]> {
  const name = file.replaceAll('/', '-');
  const report = join(work, `${name}.report.json`);
  const config = join(work, `${name}.config.json`);
  rmSync(report, { force: true });
  const settings = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: join(here, 'vitest.config.ts'), related: false },
    mutate: [`src/${file}`],
    ignorePatterns: ['dist', 'api', '*.tsbuildinfo', 'tsconfig.json'],
    // There is none: the one of the package is found by vite, and Stryker's reader needs an older TypeScript.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 5000,
    tempDirName: join(work, 'copy'),
    incremental: true,
    incrementalFile: join(work, `${name}.incremental.json`),
    force: isForced,
    reporters: ['json'],
    jsonReporter: { fileName: report },
    logLevel: 'warn',
  };
  writeFileSync(config, JSON.stringify(settings, null, 2));
  const stryker = join(here, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const child = spawn(process.execPath, [stryker, 'run', config], {
    cwd: join(root, 'packages', 'kazahana'),
    env: { ...process.env, KAZAHANA_MUTANT_TESTS: JSON.stringify(tests) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  if (code !== 0) throw new Error(`Stryker failed on ${file}`);
  const { scores, stale } = scoresOf(JSON.parse(readFileSync(report, 'utf8')), EQUIVALENT);
  for (const { original, replacement } of stale)
    console.log(`  ${file}: equivalent.ts lists what does not survive: ${original} → ${replacement}`);
  isStale ||= stale.length > 0;
  return scores;
}

const COLUMNS = ['mutants', 'killed', 'timed out', 'survived', 'equivalent', 'score'];
const row = (name: string, cells: readonly (string | number)[]) =>
  `${name.padEnd(32)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;

function cellsOf(scores: readonly FileScore[]): string[] {
  const sum = (of: (score: FileScore) => number) => scores.reduce((all, score) => all + of(score), 0);
  const counts = [
    sum(({ killed }) => killed),
    sum(({ timedOut }) => timedOut),
    sum(({ survivors }) => survivors.length),
    sum(({ equivalent }) => equivalent),
  ];
  const all = counts.reduce((a, b) => a + b, 0);
  return [all, ...counts].map(String).concat(`${percent(scores).toFixed(1)} %`);
}

const { values, positionals } = (() => {
  try {
    return parseArgs({ options: { force: { type: 'boolean' } }, allowPositionals: true });
  } catch {
    return usage();
  }
})();
const chosen = chosenParts(positionals);
const { install }: { install(folder: string, what: string): void } = await import(
  new URL('../../scripts/bootstrap.mjs', import.meta.url).href
);
install(here, 'the mutation tests');
mkdirSync(work, { recursive: true });
let isStale = false;
const missed: string[] = [];
const lines: string[] = [];
for (const [name, { files, tests, goal }] of chosen) {
  const scores: FileScore[] = [];
  for (const file of files) {
    const [score] = await mutate(file, tests, values.force ?? false);
    if (!score) continue;
    scores.push(score);
    console.log(row(file, cellsOf([score])));
    for (const { line, mutator, original, replacement, isCovered } of score.survivors)
      console.log(
        `  ${file}:${line} ${mutator}${isCovered ? '' : ' (no test)'}: ${original} → ${replacement}`,
      );
    lines.push(row(`  ${file}`, cellsOf([score])));
  }
  lines.push(row(name, cellsOf(scores)));
  if (files.length === PARTS[name]?.files.length && percent(scores) < goal)
    missed.push(`${name} (${goal} %)`);
}
console.log(`\n${row('', COLUMNS)}\n${lines.join('\n')}`);
if (missed.length > 0) console.error(`below the goal: ${missed.join(', ')}`);
process.exitCode = missed.length > 0 || isStale ? 1 : 0;
