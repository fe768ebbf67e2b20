// `npm run mutants [-- part | file …] [--force] [--write]`: changes the rules, the engine, the client and the codecs in thousands of
// small ways (Stryker) and runs the tests on each. A change that no test notices is printed: either a test is missing, or the
// change means nothing and belongs into `equivalent.ts`. Results are kept in tests/.work/mutants and used again as long as
// neither the code nor the tests of a part have changed; `--force` begins anew. `--write` puts the table into docs/reliability.md.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/run.ts';
import { EQUIVALENT } from './equivalent.ts';
import { PARTS, type Part } from './parts.ts';
import { type FileScore, percent, scoresOf } from './score.ts';
import { fileRow, type PartScore, textTable, withTable } from './table.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const source = join(root, 'packages', 'kazahana', 'src');
const work = join(root, 'tests', '.work', 'mutants');

function usage(): never {
  console.error(
    `npm run mutants [-- <part or file> …] [--force] [--write]; parts: ${Object.keys(PARTS).join(', ')}`,
  );
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

/** A hash of all that the outcome depends on: the code, the tests that mutants are shown to, and how they are run. */
function stateOf(tests: readonly string[]): string {
  const all = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  const shown = tests.flatMap((pattern) => globSync(pattern, { cwd: source }));
  const how = ['parts.ts', 'runner.ts'].map((file) => join(here, file));
  const hash = createHash('sha256');
  for (const file of [...[...all, ...shown].map((file) => join(source, file)), ...how].sort())
    hash.update(readFileSync(file));
  return hash.digest('hex');
}

/** What became of the mutants of one file. */
async function mutate(file: string, tests: readonly string[], isForced: boolean): Promise<FileScore[]> {
  const report = join(work, `${file.replaceAll('/', '-')}.json`);
  const of = `${report}.of`;
  const state = stateOf(tests);
  if (isForced || !existsSync(of) || readFileSync(of, 'utf8') !== state) {
    await runStryker(file, tests, report);
    writeFileSync(of, state);
  }
  const { scores, stale } = scoresOf(JSON.parse(readFileSync(report, 'utf8')), EQUIVALENT);
  for (const { original, replacement } of stale)
    console.log(`  ${file}: equivalent.ts lists what does not survive: ${original} → ${replacement}`);
  isStale ||= stale.length > 0;
  return scores;
}

async function runStryker(file: string, tests: readonly string[], report: string): Promise<void> {
  const copy = `${report}.copy`;
  const settings = {
    testRunner: 'portable',
    plugins: [join(here, 'runner.ts')],
    mutate: [`src/${file}`],
    ignorePatterns: ['dist', 'api', '*.tsbuildinfo', 'tsconfig.json'],
    // There is none: Stryker's reader needs an older TypeScript.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // The runner ends loops. What waits for something that never comes is ended here.
    timeoutMS: 60_000,
    tempDirName: copy,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    logLevel: 'error',
  };
  const config = `${report}.config.json`;
  writeFileSync(config, JSON.stringify(settings, null, 2));
  const stryker = join(here, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const child = spawn(process.execPath, [stryker, 'run', config], {
    cwd: dirname(source),
    env: { ...process.env, KAZAHANA_MUTANT_TESTS: JSON.stringify(tests) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = () => child.kill();
  process.on('SIGTERM', stop);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  process.off('SIGTERM', stop);
  rmSync(copy, { recursive: true, force: true });
  if (code !== 0) throw new Error(`Stryker failed on ${file}`);
}

const { values, positionals } = (() => {
  try {
    return parseArgs({
      options: { force: { type: 'boolean' }, write: { type: 'boolean' } },
      allowPositionals: true,
    });
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
const parts: PartScore[] = [];
for (const [part, { files, tests, goal }] of chosen) {
  const scores: FileScore[] = [];
  for (const file of files) {
    const [score] = await mutate(file, tests, values.force ?? false);
    if (!score) continue;
    scores.push(score);
    console.log(fileRow(score));
    for (const { line, mutator, original, replacement, isCovered } of score.survivors)
      console.log(
        `  ${file}:${line} ${mutator}${isCovered ? '' : ' (no test)'}: ${original} → ${replacement}`,
      );
  }
  parts.push({ part, goal, isWhole: files.length === PARTS[part]?.files.length, scores });
}
console.log(`\n${textTable(parts)}`);
if (values.write) {
  const page = join(root, 'docs', 'reliability.md');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const command = ['npm run mutants', ...(positionals.length > 0 ? ['--', ...positionals] : [])].join(' ');
  const how = `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, commit ${commit}:`;
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), parts, how));
}
const missed = parts.filter(({ isWhole, scores, goal }) => isWhole && percent(scores) < goal);
for (const { part, goal } of missed) console.error(`below the goal of ${goal} %: ${part}`);
process.exitCode = missed.length > 0 || isStale ? 1 : 0;
