// Several reports as tables for a page: what was checked and found on each store, the faults of all of them, and how long clients
// took to recover.
import type { StormReport } from './report.ts';

type Shown = Pick<
  StormReport,
  'setUp' | 'minutes' | 'seed' | 'ids' | 'broken' | 'faults' | 'recovery' | 'availability' | 'losses'
>;

const whole = (value: number) => value.toLocaleString('en');
const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A row for each report, and one for all. */
function idsTable(reports: readonly Shown[]): string {
  const row = (name: string, of: readonly Shown[]) => [
    name,
    whole(Math.round(sum(of.map(({ minutes }) => minutes)))),
    ...(['checked', 'leased', 'fenced', 'random'] as const).map((kind) =>
      whole(sum(of.map(({ ids }) => ids[kind]))),
    ),
    ...(['equal IDs', 'R1', 'R2', 'R6'] as const).map((rule) =>
      whole(sum(of.map(({ broken }) => broken[rule]))),
    ),
    ...(of.length === 1 ? of.map(({ availability }) => percent(availability)) : ['']),
  ];
  return table(
    [
      ...['store', 'minutes', 'IDs checked', 'leased', 'fenced', 'random', 'equal', 'outside', 'overlaps'],
      ...['out of order', 'available'],
    ],
    [...reports.map((report) => row(`${report.setUp}, seed ${report.seed}`, [report])), row('all', reports)],
  );
}

/** How often each fault came, on each store and in all. */
function faultsTable(reports: readonly Shown[]): string {
  const stores = [...new Set(reports.map(({ setUp }) => setUp))];
  const names = [...new Set(reports.flatMap(({ faults }) => Object.keys(faults)))].sort();
  const count = (name: string, of: readonly Shown[]) => sum(of.map(({ faults }) => faults[name] ?? 0));
  return table(
    ['fault', ...stores, 'all'],
    names.map((name) => [
      `\`${name}\``,
      ...stores.map((store) =>
        whole(
          count(
            name,
            reports.filter(({ setUp }) => setUp === store),
          ),
        ),
      ),
      whole(count(name, reports)),
    ]),
  );
}

/** Median and 95 of 100, of the longest report of each store. */
function recoveryTable(reports: readonly Shown[]): string {
  const longest = [...Map.groupBy(reports, ({ setUp }) => setUp).values()].flatMap((of) =>
    of.toSorted((a, b) => b.minutes - a.minutes).slice(0, 1),
  );
  const names = [...new Set(longest.flatMap(({ recovery }) => Object.keys(recovery)))].sort();
  const cell = (name: string, { recovery }: Shown) => {
    const found = recovery[name];
    return found ? `${seconds(found.medianMs)} / ${seconds(found.p95Ms)}` : '';
  };
  return table(
    ['after the end of', ...longest.map(({ setUp }) => setUp)],
    names.map((name) => [`\`${name}\``, ...longest.map((report) => cell(name, report))]),
  );
}

export function reportTables(reports: readonly Shown[]): string {
  return [idsTable(reports), faultsTable(reports), recoveryTable(reports)].join('\n\n');
}
