// Times candidates side by side. They take turns, in short rounds, so that a slow moment of the machine hits
// all alike. A candidate's figure is the lower tenth of its rounds: what other programs do on the machine only ever adds
// time. Only ratios within one run mean anything.

export interface Candidate {
  readonly name: string;
  /**
   * Does the operation so many times, in a loop of its own, and returns something that depends on every
   * result: the engine may remove work whose result is not read, and ropes of strings are only paid for
   * when they are read.
   */
  readonly run: (times: number) => number;
  /** How many operations `run` does for each of the times; 1 when left out. */
  readonly batch?: number;
}

/**
 * A loop of its own for a function that makes strings, compiled anew: in one shared loop all candidates would pay for a
 * call site that has seen every one of them, which no program with one generator does. A character of each is read.
 */
export function strings(name: string, make: () => string): Candidate {
  const compile = new Function(
    'make',
    `return (times) => {
      let sum = 0;
      for (let i = 0; i < times; i++) sum = (sum + make().charCodeAt(14)) | 0;
      return sum;
    };`,
  );
  return { name, run: compile(make) };
}

/**
 * How many different inputs a reader gets by turns. A processor learns a few hundred by heart, and then predicts every branch of a
 * regular expression, which it cannot do for texts that it has not met: `uuid`'s takes 40 ns for one of 512, 125 ns for one of 8,192.
 */
export const INPUTS = 8192;

/** The same for a function of one of the inputs; what it returns is turned into a number by `weigh`. */
export function reads<Input, Output>(
  name: string,
  inputs: readonly Input[],
  read: (input: Input) => Output,
  weigh: (output: Output) => number,
): Candidate {
  if (inputs.length !== INPUTS) throw new Error(`give ${INPUTS} inputs`);
  const compile = new Function(
    'inputs, read, weigh',
    `return (times) => {
      let sum = 0;
      for (let i = 0; i < times; i++) sum = (sum + weigh(read(inputs[i & ${INPUTS - 1}]))) | 0;
      return sum;
    };`,
  );
  return { name, run: compile(inputs, read, weigh) };
}

export interface MeasureOptions {
  /** How long one turn of one candidate should take, about. */
  readonly turnMs?: number;
  readonly rounds?: number;
}

/** What the candidates returned, added up: kept where the optimiser cannot see that nothing reads it. */
let consumed = 0;

function time(candidate: Candidate, times: number): number {
  const start = performance.now();
  consumed += candidate.run(times);
  return performance.now() - start;
}

const WARM_MS = 40;

/** As often as fills a turn, once the candidate has warmed up. */
function calibrate(candidate: Candidate, turnMs: number): number {
  let times = 1;
  // The fastest of three, since a moment in which the machine was busy elsewhere must not end the search.
  const fastest = () => Math.min(...Array.from({ length: 3 }, () => time(candidate, times)));
  while (fastest() < turnMs / 2) times *= 2;
  const warmEnd = performance.now() + WARM_MS;
  while (performance.now() < warmEnd) time(candidate, times);
  return Math.max(1, Math.round((times * turnMs) / Math.max(fastest(), turnMs / 100)));
}

/**
 * A busy machine takes the processor away every few milliseconds: most turns should end before that. Browsers round their clock
 * to a tenth of a millisecond, and need longer ones.
 */
const DEFAULTS = 'document' in globalThis ? { turnMs: 2, rounds: 101 } : { turnMs: 0.4, rounds: 401 };

/** Nanoseconds per operation of each candidate, by name. */
export function measure(
  candidates: readonly Candidate[],
  { turnMs = DEFAULTS.turnMs, rounds = DEFAULTS.rounds }: MeasureOptions = {},
): Map<string, number> {
  const entries = candidates.map((candidate) => ({
    candidate,
    times: calibrate(candidate, turnMs),
    samples: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { candidate, times, samples } of entries) {
      samples.push((time(candidate, times) * 1e6) / (times * (candidate.batch ?? 1)));
    }
  }
  if (Number.isNaN(consumed)) throw new Error('a candidate returned no number');
  return new Map(entries.map(({ candidate, samples }) => [candidate.name, lowerTenth(samples)]));
}

/** What a figure is of its samples. */
export function lowerTenth(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 10)] as number;
}

/** Rows of text in columns: the first to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
