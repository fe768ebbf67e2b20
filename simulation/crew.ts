// Many worlds on several cores: each worker takes the next seed when it is done with one. Workers live as long as their
// crew, since a fresh one needs a second until its code is fast.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { Violation } from './oracle.ts';
import { type SimulationOptions, type SimulationResult, simulate } from './simulate.ts';

export interface ManyOptions extends Omit<SimulationOptions, 'seed'> {
  readonly from: number;
  readonly count: number;
  /** Stop at the first seed in which one of these was found. */
  readonly until?: readonly string[];
}

export interface Totals {
  readonly ids: { leased: number; fenced: number; random: number };
  /** How many worlds there were, with seeds one after another. */
  seeds: number;
  leases: number;
  randomMeetings: number;
  failedSeeds: number;
  /** The traces of all worlds, in whatever order they were run. */
  hash: string;
  readonly failures: { readonly seed: number; readonly rule: string; readonly text: string }[];
}

/** What a worker tells of a world. */
type Summary = Pick<SimulationResult, 'seed' | 'ids' | 'leases' | 'randomMeetings' | 'violations' | 'hash'>;

/** Workers that simulate what they are given. */
export class Crew {
  readonly #workers: readonly Worker[];
  #isStopped = false;

  constructor(size = availableParallelism()) {
    this.#workers = Array.from({ length: size }, () => new Worker(fileURLToPath(import.meta.url)));
  }

  async simulateMany(
    { from, count, until = [], ...world }: ManyOptions,
    progress: (done: number) => void = () => {},
  ): Promise<Totals> {
    const totals: Totals = {
      ids: { leased: 0, fenced: 0, random: 0 },
      seeds: 0,
      leases: 0,
      randomMeetings: 0,
      failedSeeds: 0,
      hash: '00000000',
      failures: [],
    };
    let next = from;
    const isFound = () => totals.failures.some(({ rule }) => until.includes(rule));
    const isOver = () => this.#isStopped || next >= from + count || isFound();
    const workOff = async (worker: Worker) => {
      while (!isOver()) {
        add(totals, await summaryOf(worker, { ...world, seed: next++ }));
        progress(totals.seeds);
      }
    };
    await Promise.all(this.#workers.map(workOff));
    return totals;
  }

  /** Begins no further world. */
  stop(): void {
    this.#isStopped = true;
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Has a worker simulate one world. */
function summaryOf(worker: Worker, options: SimulationOptions): Promise<Summary> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (summary: Summary) => {
      worker.off('error', reject);
      resolve(summary);
    });
    worker.postMessage(options);
  });
}

function add(totals: Totals, { seed, ids, leases, randomMeetings, violations, hash }: Summary): void {
  const mixed = (Number.parseInt(totals.hash, 16) ^ Number.parseInt(hash, 16)) >>> 0;
  totals.hash = mixed.toString(16).padStart(8, '0');
  totals.seeds++;
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
  parentPort?.on('message', async (options: SimulationOptions) => {
    const { seed, ids, leases, randomMeetings, violations, hash } = await simulate(options);
    const summary = { seed, ids, leases, randomMeetings, hash, violations: oneOfEach(violations) };
    parentPort?.postMessage(summary satisfies Summary);
  });
}
