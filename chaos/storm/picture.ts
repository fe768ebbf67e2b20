// The time line of a storm as a picture: IDs a second by kind, below them every fault in its lane, and the warnings of clients.
import type { Counts } from '../checker/kinds.ts';
import type { StormReport } from './report.ts';

const WIDTH = 1000;
const LEFT = 150;
const RIGHT = 16;
const TOP = 46;
const CHART = 170;
const LANE = 16;
const GAP = 26;
/** Kinds from the bottom up, and what each looks like; the same on light and dark pages. */
const FILLS = { leased: '#3b82c4', fenced: '#d9902f', random: '#c2416b' } as const;
const WARNING_FILLS: Readonly<Record<string, string>> = {
  ...{ fenced: FILLS.fenced, random: FILLS.random, refused: '#7c3aed', limited: '#7c3aed' },
  recovered: '#3f9950',
};
type Shown = keyof typeof FILLS;
const SHOWN = Object.keys(FILLS) as Shown[];

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const round = (value: number) => Math.round(value * 10) / 10;

/** A number at or above all values that people like to read. */
export function niceCeiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((value) => value >= most) ?? 10 * power;
}

/** One area for each kind, stacked. */
function areas(seconds: readonly Counts[], x: (ms: number) => number, most: number): string[] {
  const y = (value: number) => round(TOP + CHART * (1 - value / most));
  const sums = seconds.map(() => 0);
  return SHOWN.map((kind) => {
    const lower = sums.map((sum, at) => `${round(x(at * 1000))},${y(sum)}`).reverse();
    seconds.forEach((counts, at) => {
      sums[at] = (sums[at] ?? 0) + counts[kind];
    });
    const upper = sums.map((sum, at) => `${round(x(at * 1000))},${y(sum)}`);
    return `<polygon fill="${FILLS[kind]}" points="${[...upper, ...lower].join(' ')}"/>`;
  });
}

export function drawStorm(report: Pick<StormReport, 'setUp' | 'seed' | 'timeline' | 'ids'>): string {
  const { timeline, ids } = report;
  const { began, seconds, faults, warnings } = timeline;
  const lengthMs = Math.max(1, seconds.length) * 1000;
  const x = (ms: number) => LEFT + ((WIDTH - LEFT - RIGHT) * ms) / lengthMs;
  const most = niceCeiling(
    Math.max(1, ...seconds.map((counts) => SHOWN.reduce((sum, kind) => sum + counts[kind], 0))),
  );
  const lanes = [...new Set(faults.map(({ lane }) => lane))].sort();
  const laneTop = TOP + CHART + GAP;
  const kinds = [...new Set(warnings.map(({ kind }) => kind))].sort();
  const warningTop = laneTop + lanes.length * LANE + 14;
  const height = warningTop + kinds.length * LANE + 34;
  const minute = seconds.length > 180 ? 60 : 10;
  const ticks = Array.from({ length: Math.floor(seconds.length / minute) + 1 }, (_, at) => at * minute);
  const label = (text: string, at: number, y: number, more = '') =>
    `<text x="${round(at)}" y="${y}" ${more}>${escaped(text)}</text>`;
  const line = (parts: readonly string[], stroke: string, width: number) =>
    `<path d="${parts.join('')}" stroke="${stroke}" stroke-width="${width}"/>`;
  const row = (name: string, y: number) => label(name, LEFT - 8, y + LANE - 5, 'text-anchor="end"');
  const title = `Storm on ${report.setUp}, seed ${report.seed}: ${ids.made.toLocaleString('en')} IDs`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" fill="#333">`,
    `<title>${escaped(title)}</title><rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    label(title, LEFT, 18, 'font-size="14"'),
    ...SHOWN.map(
      (kind, at) =>
        `<rect x="${LEFT + at * 90}" y="26" width="10" height="10" fill="${FILLS[kind]}"/>${label(kind, LEFT + 14 + at * 90, 35)}`,
    ),
    label('IDs a second', LEFT - 8, TOP + 12, 'text-anchor="end"'),
    ...[0, 0.5, 1].map((part) => {
      const y = round(TOP + CHART * (1 - part));
      const rule = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}" stroke="#ddd"/>`;
      return part === 1
        ? rule
        : `${rule}${label((most * part).toLocaleString('en'), LEFT - 8, y + 4, 'text-anchor="end"')}`;
    }),
    label(`${most.toLocaleString('en')}`, LEFT - 8, TOP, 'text-anchor="end"'),
    ...areas(seconds, x, most),
    ...ticks.map((second) =>
      label(`${second} s`, x(second * 1000), TOP + CHART + 14, 'text-anchor="middle" fill="#666"'),
    ),
    ...lanes.flatMap((lane, at) => {
      const y = laneTop + at * LANE + LANE / 2;
      const bars = faults
        .filter((fault) => fault.lane === lane)
        .map(({ from, to }) => {
          const left = x(from - began);
          return `M${round(left)} ${y}h${round(Math.max(1, x(to - began) - left))}`;
        });
      return [row(lane, laneTop + at * LANE), line(bars, '#888', LANE - 6)];
    }),
    ...kinds.flatMap((kind, at) => {
      const y = warningTop + at * LANE + 2;
      const ticks = warnings
        .filter((warning) => warning.kind === kind)
        .map((warning) => `M${round(x(warning.at - began))} ${y}v${LANE - 4}`);
      return [row(`warning: ${kind}`, warningTop + at * LANE), line(ticks, WARNING_FILLS[kind] ?? '#555', 1)];
    }),
    '</svg>\n',
  ].join('\n');
}
