// Times candidates side by side. They take turns, in short rounds, so that a slow moment of the machine hits
// all alike, and the median of a candidate's rounds is its figure. Only ratios within one run mean anything.

export interface Candidate {
  readonly name: string;
  /**
   * Does the operation so many times, in a loop of its own, and returns something that depends on every
   * result: work whose result nobody reads may be optimised away, and ropes of strings are only paid for
   * when they are read.
   */
  readonly run: (times: number) => number;
}

export interface MeasureOptions {
  /** How long one turn of one candidate should take, about. */
  readonly turnMs?: number;
  readonly rounds?: number;
}

/** What the candidates returned, added up: kept where the optimiser must believe that somebody reads it. */
let consumed = 0;

function time(candidate: Candidate, times: number): number {
  const start = performance.now();
  consumed += candidate.run(times);
  return performance.now() - start;
}

/** As many operations as fill a turn, once the candidate has warmed up. */
function calibrate(candidate: Candidate, turnMs: number): number {
  let times = 1;
  while (time(candidate, times) < turnMs / 2) times *= 2;
  const warmEnd = performance.now() + 20 * turnMs;
  while (performance.now() < warmEnd) time(candidate, times);
  return Math.max(1, Math.round((times * turnMs) / Math.max(time(candidate, times), turnMs / 100)));
}

/** The median nanoseconds per operation of each candidate, by name. */
export function measure(
  candidates: readonly Candidate[],
  { turnMs = 2, rounds = 61 }: MeasureOptions = {},
): Map<string, number> {
  const entries = candidates.map((candidate) => ({
    candidate,
    times: calibrate(candidate, turnMs),
    samples: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { candidate, times, samples } of entries) {
      samples.push((time(candidate, times) * 1e6) / times);
    }
  }
  if (Number.isNaN(consumed)) throw new Error('a candidate returned no number');
  return new Map(entries.map(({ candidate, samples }) => [candidate.name, median(samples)]));
}

function median(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[samples.length >> 1] as number;
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
