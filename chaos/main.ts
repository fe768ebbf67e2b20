// `npm run chaos -- <trial> --store <store> [--rounds n] [--minutes m] [--seconds s] [--seed n] [--trust] [--json]`:
// the promises of docs/uniqueness.md on real processes and real stores. Exits with 1 when a trial has found something.
// `--trust` runs `fail-over` with `afterFailOver: 'trust'`, where it must find something.
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.ts';
import { STORES, type StoreName } from '../tests/stores/store-under-test.ts';
import type { Trial } from './summary.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    store: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    trust: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const store = values.store as StoreName;
if (!STORES.includes(store))
  throw new RangeError(`--store must be one of ${STORES.join(', ')}, got ${store}`);

function number(option: 'rounds' | 'minutes' | 'seconds' | 'seed'): number | undefined {
  const text = values[option];
  if (text === undefined || Number(text) > 0) return text === undefined ? undefined : Number(text);
  throw new RangeError(`--${option} must be a number above 0, got ${text}`);
}
const [rounds, minutes, seconds] = [number('rounds'), number('minutes'), number('seconds')];
const seed = number('seed') ?? 1;

// The processes of a trial end with this one's `exit`, which a signal alone does not bring about.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

await build();
const { describe } = await import('./summary.ts');
type Run = (trial: Trial) => Promise<{ readonly isFine: boolean }>;
const TRIALS = new Map<string, () => Promise<Run>>([
  ['fail-over', async () => (await import('./fail-over.ts')).failOver],
  ['full-pool', async () => (await import('./full-pool.ts')).fullPool],
  ['kill', async () => (await import('./kill.ts')).kill],
  ['refusals', async () => (await import('./refusals.ts')).refusals],
  ['whois', async () => (await import('./whois.ts')).whois],
]);
const load = TRIALS.get(name);
if (!load) throw new RangeError(`the trial must be one of ${[...TRIALS.keys()].join(', ')}, got ${name}`);

const run = await load();
const summary = await run({
  ...{ trial: name, store, seed, trusts: values.trust, began: Date.now() },
  ...{ ...(rounds && { rounds }), ...(minutes && { minutes }), ...(seconds && { seconds }) },
  say: (line) => process.stderr.write(`${line}\n`),
});
console.log(values.json ? JSON.stringify(summary) : describe(summary));
process.exit(summary.isFine ? 0 : 1);
