// What a benchmark found, and how it is shown: every figure with its goal and whether that is reached.
import { GOALS, goalOf, shareOfGoal, TOLERATED_SHARE } from './goals.ts';
import { type Candidate, measure, table } from './harness.ts';

export interface Result {
  readonly line: string;
  /** A peer, or the unit of a line that stands alone. */
  readonly against: string;
  /** How many times as fast as the peer; against a clock or ourselves, how many times its time; else in the unit. */
  readonly value: number;
  readonly ns?: number;
  readonly peerNs?: number;
  /** What else should be known of the peer, for example that it repeats itself. */
  readonly note?: string;
}

/** What a benchmark returns: results that may have goals, and tables that only inform. */
export interface Outcome {
  readonly results: readonly Result[];
  readonly tables?: readonly Table[];
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Lines against these are costs: their value is a share of time, and smaller is better. */
const FLOORS = ['Date.now', 'nextIdSync'];

export function compare(line: string, ns: number, peer: string, peerNs: number, note?: string): Result {
  const value = FLOORS.includes(peer) ? ns / peerNs : peerNs / ns;
  return { line, against: peer, value, ns, peerNs, ...(note === undefined ? {} : { note }) };
}

/** One of ours beside its peers, timed together. */
export interface Contest {
  readonly line: string;
  readonly ours: Candidate;
  readonly peers: readonly Candidate[];
}

export function runContest({ line, ours, peers }: Contest): Result[] {
  const times = measure([ours, ...peers]);
  const ns = (candidate: Candidate) => times.get(candidate.name) ?? Number.NaN;
  return peers.map((peer) => compare(line, ns(ours), peer.name, ns(peer)));
}

const round = (value: number) => (value >= 10 ? value.toFixed(1) : value.toFixed(2));

function goalText({ line, against }: Result): string {
  const goal = goalOf(line, against);
  if (!goal) return '';
  return goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
}

function verdict({ line, against, value }: Result): string {
  const goal = goalOf(line, against);
  if (!goal) return '';
  const share = shareOfGoal(goal, value);
  return share >= 1 ? 'reached' : `${Math.floor(100 * share)} %`;
}

export const HEAD = ['line', 'against', 'ours, ns', 'theirs, ns', 'measured', 'goal', ''] as const;

export function cells(result: Result): string[] {
  const ns = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1));
  const { line, against, value, ns: ours, peerNs, note } = result;
  const last = [verdict(result), note].filter(Boolean).join('; ');
  return [line, against, ns(ours), ns(peerNs), round(value), goalText(result), last];
}

export const resultTable = (results: readonly Result[]): string => table([HEAD, ...results.map(cells)]);

/** The results that miss their goal by more than what is tolerated, in words. */
export function shortfalls(results: readonly Result[]): string[] {
  return results.flatMap((result) => {
    const goal = goalOf(result.line, result.against);
    if (!goal || shareOfGoal(goal, result.value) >= TOLERATED_SHARE) return [];
    return [`${result.line} against ${result.against}: ${round(result.value)}, goal ${goalText(result)}`];
  });
}

/** Goals that nothing was measured for: a line that was renamed, or a runtime that is missing here. */
export function unmeasured(results: readonly Result[]): string[] {
  return GOALS.filter(
    (goal) => !results.some(({ line, against }) => line === goal.line && against === goal.against),
  ).map(({ line, against }) => `${line} against ${against}`);
}
