// From Stryker's report to a score: which mutants the tests noticed, which survived, and which cannot be noticed because
// they change nothing (`equivalent.ts`).
import type { Equivalent } from './equivalent.ts';

/** What is used of Stryker's report (mutation testing report schema 2). */
export interface StrykerReport {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly StrykerMutant[] }>
  >;
}

interface StrykerMutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** The line of the source on which it begins. */
  readonly source: string;
  readonly mutator: string;
  /** The text that was replaced, and by what; on one line each. */
  readonly original: string;
  readonly replacement: string;
  readonly isCovered: boolean;
}

export interface FileScore {
  readonly file: string;
  readonly killed: number;
  readonly timedOut: number;
  readonly equivalent: number;
  readonly survivors: readonly Survivor[];
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The text between two places; lines and columns count from 1. */
function textBetween(lines: readonly string[], start: Place, end: Place): string {
  const part = lines.slice(start.line - 1, end.line);
  const last = part.length - 1;
  return part
    .map((line, i) => line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined))
    .join('\n');
}

const isListed = (survivor: Survivor) => (one: Equivalent) =>
  one.file === survivor.file &&
  one.line === survivor.source &&
  one.original === survivor.original &&
  one.replacement === survivor.replacement;

/** The scores of the files of a report, and the entries of the list that no survivor matches. */
export function scoresOf(
  report: StrykerReport,
  listed: readonly Equivalent[],
): { readonly scores: FileScore[]; readonly stale: Equivalent[] } {
  const used = new Set<Equivalent>();
  const scores = Object.entries(report.files).map(([path, { source, mutants }]): FileScore => {
    const file = path.replace(/^src\//, '');
    const lines = source.split('\n');
    const count = (status: string) => mutants.filter((mutant) => mutant.status === status).length;
    const alive = mutants
      // One that Stryker could not judge was not noticed either.
      .filter(({ status }) => ['Survived', 'NoCoverage', 'RuntimeError'].includes(status))
      .map(({ mutatorName, replacement = '', status, location: { start, end } }) => ({
        file,
        line: start.line,
        source: oneLine(lines[start.line - 1] ?? ''),
        mutator: mutatorName,
        original: oneLine(textBetween(lines, start, end)),
        replacement: oneLine(replacement),
        isCovered: status !== 'NoCoverage',
      }));
    const survivors = alive.filter((survivor) => {
      const matching = listed.filter(isListed(survivor));
      for (const one of matching) used.add(one);
      return matching.length === 0;
    });
    return {
      file,
      killed: count('Killed'),
      timedOut: count('Timeout'),
      equivalent: alive.length - survivors.length,
      survivors,
    };
  });
  const files = new Set(scores.map(({ file }) => file));
  return { scores, stale: listed.filter((one) => files.has(one.file) && !used.has(one)) };
}

/** The share of mutants that were noticed, in percent. */
export function percent(scores: readonly FileScore[]): number {
  const noticed = scores.reduce((sum, { killed, timedOut }) => sum + killed + timedOut, 0);
  const all = scores.reduce((sum, { survivors }) => sum + survivors.length, noticed);
  return all === 0 ? 100 : (100 * noticed) / all;
}
