// The simulator's part of `npm test`: two hundred worlds with all rules on, every rule switched off in turn, and the
// same seed twice; and the judge itself. The library must be built. The exit code tells.

import { judgeErrors } from './judge-check.ts';
import { simulateMany } from './many.ts';
import { RULES } from './rules-off.ts';
import { simulate } from './simulate.ts';

const SEEDS = 200;
const NODES = 20;
const HOURS = 1;
/** With a rule off, the oracle must find something within so many seeds. */
const SEEDS_TO_CATCH = 100;

let passed = 0;
let failed = 0;
function report(title: string, isFine: boolean, detail: string): void {
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${title.padEnd(24)} ${detail}`);
  if (isFine) passed++;
  else failed++;
}

const errors = judgeErrors();
report('the judge itself', errors.length === 0, errors.join(', ') || 'finds all that a set of bigints finds');

const on = await simulateMany({ from: 1, count: SEEDS, nodes: NODES, hours: HOURS });
const made = on.ids.leased + on.ids.fenced + on.ids.random;
const figures = `${made.toLocaleString('en')} IDs, ${on.leases.toLocaleString('en')} leases`;
report(
  `rules on, ${SEEDS} seeds`,
  on.failedSeeds === 0,
  on.failures[0] ? `seed ${on.failures[0].seed}: ${on.failures[0].text}` : figures,
);

// A run that made no fallback IDs would show nothing about fallback.
const { leased, fenced, random } = on.ids;
report(
  'every kind of ID',
  Math.min(leased, fenced, random) > 1000,
  `${leased} leased, ${fenced} fenced, ${random} random`,
);

// Runs of random IDs meet by chance only: two runs of a millisecond have 2^21 places. Many meetings are no chance.
report('random IDs', on.randomMeetings <= 5, `${on.randomMeetings} runs of ${random} IDs met another`);

for (const off of RULES) {
  // Without R6 the order breaks; without any other rule, two leases are used for the same time.
  const until = off === 'R6' ? ['R6'] : ['duplicate', 'overlap'];
  const world = { from: 1, count: SEEDS_TO_CATCH, nodes: NODES, hours: HOURS };
  const { failures } = await simulateMany({ ...world, off, until });
  const found = failures.find(({ rule }) => until.includes(rule));
  report(
    `${off} off`,
    found !== undefined,
    found ? `caught in seed ${found.seed}: ${found.text}` : 'not caught',
  );
}

const [once, again] = [
  await simulate({ seed: 7, nodes: NODES, hours: HOURS }),
  await simulate({ seed: 7, nodes: NODES, hours: HOURS }),
];
report('the same seed twice', once.hash === again.hash, `${once.hash} and ${again.hash}`);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
