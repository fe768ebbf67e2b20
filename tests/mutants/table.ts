// The scores of parts and their files as a table: for the terminal, and for docs/reliability.md.
import { type FileScore, percent } from './score.ts';

/** A part, the files of it that were mutated, and whether those are all. */
export interface PartScore {
  readonly part: string;
  readonly goal: number;
  readonly isWhole: boolean;
  readonly scores: readonly FileScore[];
}

const COLUMNS = ['mutants', 'killed', 'timed out', 'survived', 'equivalent', 'score'];

function cellsOf(scores: readonly FileScore[]): string[] {
  const sum = (of: (score: FileScore) => number) => scores.reduce((all, score) => all + of(score), 0);
  const counts = [
    sum(({ killed }) => killed),
    sum(({ timedOut }) => timedOut),
    sum(({ survivors }) => survivors.length),
    sum(({ equivalent }) => equivalent),
  ];
  const all = counts.reduce((a, b) => a + b, 0);
  return [all, ...counts].map(String).concat(`${percent(scores).toFixed(1)} %`);
}

const row = (name: string, cells: readonly string[]) =>
  `${name.padEnd(32)}${cells.map((cell) => cell.padStart(12)).join('')}`;

export const fileRow = (score: FileScore) => row(score.file, cellsOf([score]));

export function textTable(parts: readonly PartScore[]): string {
  const rows = parts.flatMap(({ part, scores }) => [
    ...scores.map((score) => row(`  ${score.file}`, cellsOf([score]))),
    row(part, cellsOf(scores)),
  ]);
  return [row('', COLUMNS), ...rows].join('\n');
}

const BEGIN = '<!-- begin: npm run mutants -- --write -->';
const END = '<!-- end: mutants -->';

/** The page with this table in the place of its former one. */
export function withTable(page: string, parts: readonly PartScore[], how: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    line(['', ...COLUMNS]),
    `|---|${COLUMNS.map(() => '---:|').join('')}`,
    ...parts.flatMap(({ part, scores }) => [
      line([part, ...cellsOf(scores)].map((cell) => `**${cell}**`)),
      ...scores.map((score) => line([`\`${score.file}\``, ...cellsOf([score])])),
    ]),
  ];
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no ${BEGIN} … ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${how}\n\n${table.join('\n')}\n\n${page.slice(end)}`;
}
