// `npm run sim -- --seed 7 --nodes 40 --hours 24 [--off R5] [--scenario steady-fleet]`: one world, and what happened in it.
// `npm run sim -- --seeds 10000 [--workers 1]`: many worlds, one on each core or on so many, with a progress bar. Ctrl-C
// ends the run after the worlds that are under way, and tells what they showed.
// `--burst 1000` makes bursts longer than they are by default, and IDs more, in either.
// Exits with 1 when the oracle found anything; the same seed replays it exactly.
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.ts';
import { Progress } from './progress.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '20' },
    hours: { type: 'string', default: '1' },
    burst: { type: 'string' },
    workers: { type: 'string' },
    off: { type: 'string' },
    scenario: { type: 'string' },
  },
});

function whole(name: 'seed' | 'seeds' | 'nodes' | 'burst' | 'workers', min: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value < 2 ** 31) return value;
  throw new RangeError(`--${name} must be a whole number from ${min}, got ${values[name]}`);
}

const seed = whole('seed', 0);
const seeds = whole('seeds', 1);
const nodes = whole('nodes', 1);
const burst = values.burst === undefined ? undefined : whole('burst', 1);
const workers = values.workers === undefined ? undefined : whole('workers', 1);
const hours = Number(values.hours);
if (!(hours > 0 && hours <= 24 * 366))
  throw new RangeError(`--hours must be more than 0, got ${values.hours}`);

await build();
// These need the library.
const { RULES } = await import('./rules-off.ts');
const { SCENARIO_NAMES } = await import('./scenarios.ts');
const { simulate } = await import('./simulate.ts');
const { Crew } = await import('./crew.ts');

function nameIn<Name extends string>(option: 'off' | 'scenario', names: readonly Name[]): Name | undefined {
  const value = values[option];
  if (value === undefined) return undefined;
  const name = names.find((one) => one === value);
  if (name === undefined)
    throw new RangeError(`--${option} must be one of ${names.join(', ')}, got ${value}`);
  return name;
}
const off = nameIn('off', RULES);
const scenario = nameIn('scenario', SCENARIO_NAMES);

if (seeds === 1) {
  const result = await simulate({ seed, nodes, hours, burst, off, scenario });
  const { ids, events, violations } = result;
  console.log(`seed ${seed}, ${nodes} nodes, ${hours} h${off ? `, without ${off}` : ''}`);
  console.log(`leases   ${result.leases.toLocaleString('en')}`);
  console.log(
    `IDs      ${ids.leased.toLocaleString('en')} leased, ${ids.fenced.toLocaleString('en')} fenced, ${ids.random.toLocaleString('en')} random (${result.randomMeetings} runs of these met another)`,
  );
  console.log(
    `faults   ${Object.entries(events)
      .map(([what, count]) => `${count} × ${what}`)
      .join(', ')}`,
  );
  console.log(`trace    ${result.hash}`);
  if (violations.length > 0) {
    console.log(`\nthe last events:\n${result.log.slice(-30).join('\n')}\n`);
    for (const { rule, text } of violations.slice(0, 10)) console.log(`${rule}: ${text}`);
    console.log(`${violations.length} violations; seed ${seed} replays them`);
    process.exitCode = 1;
  } else {
    console.log('nothing wrong');
  }
} else {
  const progress = new Progress(seeds);
  const crew = new Crew(workers);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => crew.stop());
  const worlds = { from: seed, count: seeds, nodes, hours, burst, off, scenario };
  const total = await crew.simulateMany(worlds, (done) => progress.update(done));
  await crew.end();
  progress.end();
  const made = total.ids.leased + total.ids.fenced + total.ids.random;
  console.log(
    `${total.seeds} seeds from ${seed}, ${nodes} nodes, ${hours} h each: ${made.toLocaleString('en')} IDs, ${total.leases.toLocaleString('en')} leases`,
  );
  console.log(
    `${total.ids.leased.toLocaleString('en')} leased, ${total.ids.fenced.toLocaleString('en')} fenced, ${total.ids.random.toLocaleString('en')} random (${total.randomMeetings} runs of these met another)`,
  );
  console.log(`traces   ${total.hash}`);
  for (const { seed: bad, text } of total.failures.slice(0, 10)) console.log(`seed ${bad}: ${text}`);
  console.log(`${total.seeds - total.failedSeeds} passed, ${total.failedSeeds} failed`);
  process.exitCode = total.failedSeeds === 0 ? 0 : 1;
}
