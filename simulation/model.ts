// Checks the lease protocol with the model checker Spin (lease.pml, and loss.pml for stores that forget): exhaustively
// with the rules on; with a rule off, or with something broken that the rules take for granted, a counter-example
// must be found.
// `--trail R2` tells that counter-example step by step. The exit code tells.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Finished, root, run } from '../scripts/run.ts';
import { ensureSystemPackage } from '../scripts/system-packages.ts';
import { reportSkipped, type Skipped } from '../tests/skipped.ts';

interface Search {
  readonly name: string;
  readonly model: 'lease.pml' | 'loss.pml';
  /** What `--trail` takes; a search without it must find nothing. */
  readonly trail?: string;
  /** Macros of the model. */
  readonly defines: readonly string[];
  /** Breadth first finds the shortest counter-example; depth first needs far less memory for all there is. */
  readonly order: 'breadth first' | 'depth first';
}

interface Tools {
  readonly spin: string;
  readonly compiler: string;
}

interface Result {
  readonly ok: boolean;
  readonly text: string;
  /** The steps of a counter-example. */
  readonly steps: readonly string[];
}

/** As many as the smallest machine of CI has cores. */
const AT_ONCE = 2;

/** In megabytes; the largest search takes a tenth of it. */
const MEMORY_LIMIT = 4000;

/** Deeper than any path of the model; a search that gets there is reported as incomplete. */
const DEPTH_LIMIT = 100_000;

const proof = (model: Search['model'], name: string, ...defines: string[]): Search => ({
  ...{ model, name, defines },
  order: 'depth first',
});

/** Two clients that ask once are enough for most; a clash of two clients is the plainest. */
const counterExample = (name: string, macro: string, value: 0 | 1): Search => ({
  name,
  model: 'lease.pml',
  trail: macro,
  defines: [`${macro}=${value}`, 'REQUESTS=1', 'GRANTS=2', 'END=4', 'ACROSS=1'],
  order: 'breadth first',
});

/** A lease, its renewal and a lease of another client are enough. */
const renewalWithout = (name: string, macro: string): Search => ({
  name,
  model: 'lease.pml',
  trail: macro,
  defines: [`${macro}=0`, 'RENEWALS=1', 'END=3', 'ACROSS=1'],
  order: 'breadth first',
});

/** The slot is granted anew after a quarantine only if the store's clock goes on to its end. */
const afterLoss = (name: string, macro: string, end = 3): Search => ({
  name,
  model: 'loss.pml',
  trail: macro,
  defines: [`${macro}=0`, 'GRANTS=3', `END=${end}`],
  order: 'breadth first',
});

/** The longest first, so that the others fit beside it. */
const searches: readonly Search[] = [
  proof('loss.pml', 'two losses', 'LOSSES=2', 'WINDOW=2'),
  proof('lease.pml', 'renewals of renewals', 'RENEWALS=1', 'REQUESTS=3', 'GRANTS=4', 'END=3', 'ACROSS=1'),
  proof('lease.pml', 'rules on', 'GRANTS=4'),
  proof('loss.pml', 'a loss', 'END=6'),
  proof('loss.pml', 'a loss, three clients', 'CLIENTS=3'),
  proof('loss.pml', 'two losses, two whole quarantines', 'LOSSES=2', 'GRANTS=3', 'WINDOW=2', 'END=5'),
  proof('lease.pml', 'renewals', 'RENEWALS=1', 'GRANTS=4', 'END=4', 'ACROSS=1'),
  proof('lease.pml', 'rules on, three clients', 'CLIENTS=3', 'REQUESTS=1', 'GRANTS=4'),
  proof('lease.pml', 'rules on, two slots', 'SLOTS=2', 'REQUESTS=1', 'END=4'),
  counterExample('R1 off', 'R1', 0),
  counterExample('R2 off', 'R2', 0),
  counterExample('R5 off', 'R5', 0),
  counterExample('R8 off', 'R8', 0),
  counterExample('a store that loses what it acknowledged (LOSS)', 'LOSS', 1),
  {
    name: 'releases that count for any lease of the slot (SIGNED)',
    model: 'lease.pml',
    trail: 'SIGNED',
    // It takes three leases: released late, hit by that release, and granted too early.
    defines: ['SIGNED=0', 'END=3', 'ACROSS=1'],
    order: 'depth first',
  },
  counterExample('responses that reach another client (STRAY)', 'STRAY', 1),
  counterExample('secrets forgotten by a clock that steps back (FORGETFUL)', 'FORGETFUL', 1),
  renewalWithout('a client that releases a renewal and goes on with the renewed lease (ALONE)', 'ALONE'),
  renewalWithout('releases signed below what was used under a renewed lease (ABOVE_ALL)', 'ABOVE_ALL'),
  renewalWithout('renewals that begin before the renewed lease (NOT_BEFORE)', 'NOT_BEFORE'),
  renewalWithout('renewals that end before the renewed lease, and free its slot (LONGEST)', 'LONGEST'),
  afterLoss('no quarantine after a loss (QUARANTINE)', 'QUARANTINE'),
  afterLoss('renewals in quarantine without a margin for clocks (MARGIN)', 'MARGIN'),
  afterLoss('renewals of a lost lease whose slot was granted anew (NEWEST)', 'NEWEST', 4),
  afterLoss('renewals of a released lease, its release lost (ENDED)', 'ENDED'),
  afterLoss('a margin that counts from a clock that has stepped back (FROM_BEGIN)', 'FROM_BEGIN'),
  afterLoss('a grant decided before a fail-over and written after it (AT_ONCE)', 'AT_ONCE'),
];

/** Spin and the verifiers it generates write into the current folder. */
const runIn = (folder: string, command: string, args: readonly string[]): Promise<Finished> =>
  run('env', ['-C', folder, command, ...args]);

async function runInOrFail(folder: string, command: string, args: readonly string[]): Promise<string> {
  const { code, output } = await runIn(folder, command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${output}`);
  return output;
}

/** Statements that no path took: a model in which something cannot happen proves nothing about it. */
function unreached(output: string): readonly string[] {
  return [...output.matchAll(/^\s+(\w+\.pml:\d+), state \d+, "(.*)"$/gm)]
    .filter(([, , statement]) => statement !== '-end-' && statement !== 'assert(0)')
    .map(([, place, statement]) => `${place} ${statement}`);
}

function judgeProof(output: string): Omit<Result, 'steps'> {
  const states = Number(/^\s*(\S+) states, stored/m.exec(output)?.[1]).toLocaleString('en');
  const errors = /errors: (\d+)/.exec(output)?.[1];
  if (errors === undefined) return { ok: false, text: `the search failed\n${output}` };
  if (errors !== '0') return { ok: false, text: `FAILED, a clash after ${states} states` };
  if (/not completed|too small|out of memory/i.test(output))
    return { ok: false, text: `FAILED, the search is not exhaustive: ${states} states\n${output}` };
  const never = unreached(output);
  if (never.length > 0) return { ok: false, text: `FAILED, steps never taken:\n  ${never.join('\n  ')}` };
  return { ok: true, text: `${states} states, no error` };
}

/** The steps of the counter-example that a search has left in its folder, as the model prints them. */
async function replay(folder: string, { spin }: Tools, { model, defines }: Search): Promise<string[]> {
  const args = ['-t', '-T', '-k', `${model}.trail`, ...defines.map((define) => `-D${define}`), model];
  const { output } = await runIn(folder, spin, args);
  return output.split('\n').filter((line) => /^(client|the) /.test(line));
}

async function perform(search: Search, tools: Tools): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'kazahana-model-'));
  try {
    const { model } = search;
    await copyFile(join(root, 'simulation', model), join(folder, model));
    await runInOrFail(folder, tools.spin, ['-a', ...search.defines.map((define) => `-D${define}`), model]);
    // Every step of the model touches what all share: partial order reduction would find nothing to leave out.
    const flags = ['-DSAFETY', '-DNOREDUCE', `-DMEMLIM=${MEMORY_LIMIT}`];
    // A long search is worth a longer compilation.
    const how = search.order === 'breadth first' ? ['-O1', '-DBFS'] : ['-O2'];
    await runInOrFail(folder, tools.compiler, [...flags, ...how, '-w', '-o', 'pan', 'pan.c']);
    const { output } = await runIn(folder, './pan', [`-m${DEPTH_LIMIT}`, '-w24']);
    const steps = await replay(folder, tools, search);
    if (search.trail === undefined) return { ...judgeProof(output), steps };
    return steps.at(-1)?.includes('makes the same ID')
      ? { ok: true, text: `counter-example after ${steps.length} steps`, steps }
      : { ok: false, text: `FAILED, no counter-example\n${output}`, steps };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function findTools(): Tools | Skipped {
  const spin = ensureSystemPackage({ commands: ['spin'], debian: 'spin' });
  if (spin.path === null) return { name: 'model', ...spin };
  // The package gcc alone brings no C headers.
  const compiler = ensureSystemPackage({ commands: ['cc', 'gcc', 'clang'], debian: 'build-essential' });
  if (compiler.path === null) return { name: 'model', ...compiler };
  return { spin: spin.path, compiler: compiler.path };
}

async function tellTrail(name: string, tools: Tools): Promise<void> {
  const search = searches.find(({ trail }) => trail === name);
  if (search === undefined) {
    const known = searches.flatMap(({ trail }) => trail ?? []);
    console.error(`--trail takes ${known.join(', ')}; unknown: ${name}`);
    process.exitCode = 2;
    return;
  }
  const { ok, text, steps } = await perform(search, tools);
  console.log(`${search.name}: ${text}`);
  for (const [index, step] of steps.entries()) console.log(`${String(index + 1).padStart(4)}  ${step}`);
  process.exitCode = ok ? 0 : 1;
}

async function checkAll(tools: Tools): Promise<void> {
  const waiting = [...searches];
  let failed = 0;
  async function lane(): Promise<void> {
    for (let search = waiting.shift(); search !== undefined; search = waiting.shift()) {
      const started = performance.now();
      const { ok, text, steps } = await perform(search, tools);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${search.name}: ${text}, ${seconds} s`);
      if (ok) continue;
      failed += 1;
      for (const step of steps) console.log(`      ${step}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  console.log(`${searches.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

const { values } = parseArgs({ options: { trail: { type: 'string' } } });
const tools = findTools();
if ('missing' in tools) process.exitCode = reportSkipped([tools]) ? 0 : 1;
else if (values.trail === undefined) await checkAll(tools);
else await tellTrail(values.trail, tools);
