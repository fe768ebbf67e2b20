// Puts what was measured into docs/performance.md, between its marks, and draws docs/images/performance.svg.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/run.ts';
import { plot } from './plot.ts';
import { cells, HEAD, type Result, type Table } from './results.ts';

const PAGE = join(root, 'docs', 'performance.md');
const PICTURE = join(root, 'docs', 'images', 'performance.svg');
const BEGIN = '<!-- begin: npm run bench -- --write -->';
const END = '<!-- end -->';

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]) => {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [
    line(head),
    `|${head.map((_, i) => (i === 0 ? '---|' : '---:|')).join('')}`,
    ...rows.map(line),
  ].join('\n');
};

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** A peer: in the benchmarks' own folder where another package needs another version. */
function installed(name: string): Manifest {
  const own = join('benchmarks', 'node_modules', name);
  return manifestOf(existsSync(join(root, own)) ? own : join('node_modules', name));
}

function machine(): string {
  const [cpu] = cpus();
  const peers = Object.keys(manifestOf('benchmarks').dependencies ?? {})
    .filter((name) => name !== 'kazahana' && name !== '@noble/ciphers')
    .map((name) => `${name} ${installed(name).version}`);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpu?.model.trim() ?? 'unknown processor'} × ${cpus().length}, ${platform()} ${arch()}, Node ${process.versions.node}, load of the last minutes ${loadavg()[2]?.toFixed(1)}; ${peers.join(', ')}.`;
}

export function writePerformance(results: readonly Result[], tables: readonly Table[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has lost its marks`);
  const where = machine();
  const parts = [
    where,
    markdown(HEAD, results.map(cells)),
    ...tables.map(({ title, head, rows }) => `### ${title}\n\n${markdown(head, rows)}`),
  ];
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${parts.join('\n\n')}\n\n${END}${after}`);
  writeFileSync(PICTURE, plot(results, where));
}
