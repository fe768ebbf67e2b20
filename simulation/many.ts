// Many worlds on all cores: each worker takes the next seed when it is done with one.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Violation } from './oracle.ts';
import type { Rule } from './rules-off.ts';
import type { Scenario } from './scenarios.ts';
import { type SimulationResult, simulate } from './simulate.ts';

export interface ManyOptions {
  readonly from: number;
  readonly count: number;
  readonly nodes: number;
  readonly hours: number;
  readonly burst?: number | undefined;
  readonly off?: Rule | undefined;
  readonly scenario?: Scenario | undefined;
  /** Stop at the first seed in which one of these was found. */
  readonly until?: readonly string[];
}

export interface Totals {
  readonly ids: { leased: number; fenced: number; random: number };
  leases: number;
  randomMeetings: number;
  failedSeeds: number;
  /** The traces of all worlds, in whatever order they were run. */
  hash: string;
  readonly failures: { readonly seed: number; readonly rule: string; readonly text: string }[];
}

/** What a worker is told, and what it answers. */
type Summary = Pick<SimulationResult, 'seed' | 'ids' | 'leases' | 'randomMeetings' | 'violations' | 'hash'>;

export async function simulateMany(
  options: ManyOptions,
  progress: (done: number) => void = () => {},
): Promise<Totals> {
  const totals: Totals = {
    ids: { leased: 0, fenced: 0, random: 0 },
    leases: 0,
    randomMeetings: 0,
    failedSeeds: 0,
    hash: '00000000',
    failures: [],
  };
  let next = options.from;
  let done = 0;
  const end = options.from + options.count;
  const isFound = () => totals.failures.some(({ rule }) => options.until?.includes(rule));
  const isOver = () => next >= end || isFound();

  const work = () =>
    new Promise<void>((resolve, reject) => {
      if (isOver()) {
        resolve();
        return;
      }
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: options });
      worker.on('error', reject);
      worker.on('message', (summary: Summary) => {
        add(totals, summary);
        progress(++done);
        if (isOver()) void worker.terminate().then(() => resolve());
        else worker.postMessage(next++);
      });
      worker.postMessage(next++);
    });
  await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, work));
  return totals;
}

function add(totals: Totals, { seed, ids, leases, randomMeetings, violations, hash }: Summary): void {
  const mixed = (Number.parseInt(totals.hash, 16) ^ Number.parseInt(hash, 16)) >>> 0;
  totals.hash = mixed.toString(16).padStart(8, '0');
  totals.ids.leased += ids.leased;
  totals.ids.fenced += ids.fenced;
  totals.ids.random += ids.random;
  totals.leases += leases;
  totals.randomMeetings += randomMeetings;
  if (violations.length > 0) totals.failedSeeds++;
  for (const { rule, text } of violations) totals.failures.push({ seed, rule, text });
}

/** A broken rule may show in thousands of places; the first of each kind tells enough. */
function oneOfEach(violations: readonly Violation[]): Violation[] {
  return violations.filter(({ rule }, i) => violations.findIndex((other) => other.rule === rule) === i);
}

if (!isMainThread) {
  const { nodes, hours, burst, off, scenario } = workerData as ManyOptions;
  parentPort?.on('message', async (seed: number) => {
    const result = await simulate({ seed, nodes, hours, burst, off, scenario });
    const { ids, leases, randomMeetings, violations, hash } = result;
    parentPort?.postMessage({
      seed,
      ids,
      leases,
      randomMeetings,
      hash,
      violations: oneOfEach(violations),
    } satisfies Summary);
  });
}
