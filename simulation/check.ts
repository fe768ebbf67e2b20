// The simulator's part of `npm test`: worlds in which everything goes wrong, worlds that show one thing, every rule
// switched off in turn, the same seed twice, and the judge itself. The library must be built. The exit code tells.

import { Crew } from './crew.ts';
import { judgeErrors } from './judge-check.ts';
import { controlOf, RULES } from './rules-off.ts';
import type { Scenario } from './scenarios.ts';
import { simulate } from './simulate.ts';

const NODES = 20;
const HOURS = 1;
/** How many seeds of each kind of world, all rules on. */
const SEEDS: Readonly<Record<Scenario, number>> = {
  chaos: 100,
  'two-regions': 20,
  'full-pool': 20,
  'steady-fleet': 20,
  'told-loss': 8,
  'silent-loss': 8,
  'silent-loss-one-server': 8,
  'slow-store': 8,
  crowd: 4,
  'clocks-apart': 4,
};
/** With a rule off, the judge must find something within so many seeds. */
const SEEDS_TO_CATCH = 100;

let passed = 0;
let failed = 0;
function report(title: string, isFine: boolean, detail: string): void {
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${title.padEnd(32)} ${detail}`);
  if (isFine) passed++;
  else failed++;
}

const errors = judgeErrors();
report('the judge itself', errors.length === 0, errors.join(', ') || 'finds all that a set of bigints finds');

const crew = new Crew();
const made = { leased: 0, fenced: 0, random: 0 };
let randomMeetings = 0;
for (const [scenario, count] of Object.entries(SEEDS) as [Scenario, number][]) {
  const totals = await crew.simulateMany({ from: 1, count, nodes: NODES, hours: HOURS, scenario });
  const { leased, fenced, random } = totals.ids;
  made.leased += leased;
  made.fenced += fenced;
  made.random += random;
  randomMeetings += totals.randomMeetings;
  const [first] = totals.failures;
  const figures = `${(leased + fenced + random).toLocaleString('en')} IDs, ${totals.leases.toLocaleString('en')} leases`;
  const detail = first ? `seed ${first.seed}: ${first.rule}, ${first.text}` : figures;
  report(`${scenario}, ${count} seeds`, totals.failedSeeds === 0, detail);
}

// A run that made no fallback IDs would show nothing about fallback.
const { leased, fenced, random } = made;
report(
  'every kind of ID',
  Math.min(leased, fenced, random) > 1000,
  `${leased} leased, ${fenced} fenced, ${random} random`,
);

// Runs of random IDs meet by chance only: two runs of a millisecond have 2^21 places. Many meetings are no chance.
report('random IDs', randomMeetings <= 5, `${randomMeetings} runs of ${random} IDs met another`);

for (const off of RULES) {
  const until = controlOf(off).finds;
  const { failures } = await crew.simulateMany({
    from: 1,
    count: SEEDS_TO_CATCH,
    nodes: NODES,
    hours: HOURS,
    off,
    until,
  });
  const found = failures.find(({ rule }) => until.includes(rule));
  const detail = found ? `caught in seed ${found.seed}: ${found.text}` : 'not caught';
  report(`${off} off`, found !== undefined, detail);
}

// Once here and once in a worker.
const world = { nodes: NODES, hours: HOURS };
const [once, again] = [
  await simulate({ seed: 7, ...world }),
  await crew.simulateMany({ from: 7, count: 1, ...world }),
];
report('the same seed twice', once.hash === again.hash, `${once.hash} and ${again.hash}`);

await crew.end();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
