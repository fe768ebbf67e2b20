// The plot of docs/performance.md: the time of one operation, ours and each peer's, in groups of a line.
import type { Result } from './results.ts';

const WIDTH = 760;
const NAME_END = 190;
const BAR_START = 200;
const BAR_MAX = 470;
const BAR = 20;
const TITLE = 34;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const shown = (ns: number) => `${ns < 10 ? ns.toFixed(1) : Math.round(ns).toLocaleString('en')} ns`;

interface Group {
  readonly line: string;
  readonly bars: readonly (readonly [name: string, ns: number])[];
}

/** The lines that have peers, ours first. */
function groupsOf(results: readonly Result[]): Group[] {
  const lines = [...new Set(results.filter(({ peerNs }) => peerNs !== undefined).map(({ line }) => line))];
  return lines.map((line) => {
    const rows = results.filter((result) => result.line === line && result.against !== 'the fastest peer');
    const peers = rows.flatMap(({ against, peerNs }) =>
      peerNs === undefined ? [] : [[against, peerNs] as const],
    );
    return { line, bars: [['kazahana', rows[0]?.ns ?? 0], ...peers.sort(([, a], [, b]) => a - b)] };
  });
}

export function plot(results: readonly Result[], caption: string): string {
  let y = 44;
  const shapes = groupsOf(results).map(({ line, bars }) => {
    const slowest = Math.max(...bars.map(([, ns]) => ns));
    y += TITLE;
    const title = `<text x="20" y="${y - 8}" class="line">${escaped(line)}</text>`;
    const drawn = bars.map(([name, ns]) => {
      const width = Math.max(2, (BAR_MAX * ns) / slowest);
      const row = [
        `<text x="${NAME_END}" y="${y + 13}" class="name">${escaped(name)}</text>`,
        `<rect x="${BAR_START}" y="${y + 2}" width="${width.toFixed(1)}" height="14" rx="2" class="${name === 'kazahana' ? 'ours' : 'theirs'}"/>`,
        `<text x="${(BAR_START + width + 6).toFixed(1)}" y="${y + 13}" class="ns">${shown(ns)}</text>`,
      ].join('');
      y += BAR;
      return row;
    });
    return [title, ...drawn].join('\n');
  });
  const height = y + 20;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(`Time of one operation, shorter is better. ${caption}`)}</title>`,
    '<style>text{font-family:system-ui,sans-serif;font-size:12px;fill:#33475b}.line{font-size:14px;font-weight:600;fill:#0b3558}',
    '.name{text-anchor:end}.ours{fill:#0b5394}.theirs{fill:#a9b8c6}.head{font-size:16px;fill:#0b3558}</style>',
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#f4f8fb"/>`,
    '<text x="20" y="30" class="head">Time of one operation, each group on its own scale: shorter is better</text>',
    ...shapes,
    '</svg>\n',
  ].join('\n');
}
