// `npm run chaos -- [trial] [--store s] …`: the promises of docs/uniqueness.md on real processes and real stores. Exits with 1 when a
// trial has found something, or when a negative control was not found out. docs/reliability.md says what there is.
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.ts';
import { STORES, type StoreName } from '../tests/stores/store-under-test.ts';
import type { Trial } from './trials/summary.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    store: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string' },
    out: { type: 'string' },
    control: { type: 'string' },
    controls: { type: 'boolean', default: false },
    trust: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [name = 'storm'] = positionals;

function number(option: 'rounds' | 'minutes' | 'seconds' | 'seed'): number | undefined {
  const text = values[option];
  if (text === undefined || Number(text) > 0) return text === undefined ? undefined : Number(text);
  throw new RangeError(`--${option} must be a number above 0, got ${text}`);
}
const [rounds, minutes, seconds] = [number('rounds'), number('minutes'), number('seconds')];
const seed = number('seed') ?? 1;
const say = (line: string) => void process.stderr.write(`${line}\n`);

// The processes of a trial end with this one's `exit`, which a signal alone does not bring about.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

await build();

type Run = (trial: Trial) => Promise<{ readonly isFine: boolean }>;
const TRIALS = new Map<string, () => Promise<Run>>([
  ['fail-over', async () => (await import('./trials/fail-over.ts')).failOver],
  ['full-pool', async () => (await import('./trials/full-pool.ts')).fullPool],
  ['kill', async () => (await import('./trials/kill.ts')).kill],
  ['refusals', async () => (await import('./trials/refusals.ts')).refusals],
  ['whois', async () => (await import('./trials/whois.ts')).whois],
]);

async function runTrial(): Promise<boolean> {
  const load = TRIALS.get(name);
  if (!load)
    throw new RangeError(`the trial must be one of storm, ${[...TRIALS.keys()].join(', ')}, got ${name}`);
  const store = (values.store ?? 'sqlite') as StoreName;
  if (!STORES.includes(store))
    throw new RangeError(`--store must be one of ${STORES.join(', ')}, got ${store}`);
  const { describe } = await import('./trials/summary.ts');
  const summary = await (await load())({
    ...{ trial: name, store, seed, trusts: values.trust, began: Date.now(), say },
    ...{ ...(rounds && { rounds }), ...(minutes && { minutes }), ...(seconds && { seconds }) },
  });
  console.log(values.json ? JSON.stringify(summary) : describe(summary));
  return summary.isFine;
}

async function runStorm(): Promise<boolean> {
  const { runControls, runStorms } = await import('./storm/main.ts');
  const { store = 'sqlite', out, control, controls, json } = values;
  const output = { json, say, ...(out !== undefined && { out }) };
  if (controls || control !== undefined) return runControls(control, seed, output);
  const lengthMs = seconds === undefined ? (minutes ?? 1) * 60_000 : seconds * 1000;
  const faults = values.faults?.split(',');
  return runStorms(store, { seed, lengthMs, ...(faults && { faults }) }, output);
}

async function printTables(): Promise<boolean> {
  if (values.out === undefined) throw new RangeError('tables needs --out, a folder with reports of storms');
  (await import('./storm/main.ts')).printTables(values.out);
  return true;
}

const COMMANDS: Readonly<Record<string, () => Promise<boolean>>> = { storm: runStorm, tables: printTables };
const isFine = await (COMMANDS[name] ?? runTrial)();
process.exit(isFine ? 0 : 1);
