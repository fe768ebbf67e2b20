// Source lines by package, blank and comment lines and tests aside: `npm run lines`, `npm run lines -- --against <commit>`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './run.ts';

/** What is counted, and the most that it may have; the first part that a path begins with is its own. */
const PARTS: readonly (readonly [name: string, prefixes: readonly string[], limit?: number])[] = [
  [
    'engine',
    ['engine', 'pool-runner', 'view', 'calls'].map((file) => `packages/kazahana/src/lease/${file}.ts`),
    700,
  ],
  [
    'change of layout',
    ['change-layout', 'open-slots'].map((file) => `packages/kazahana/src/lease/${file}.ts`),
  ],
  ['postgres', ['packages/postgres/src/'], 500],
  ['redis', ['packages/redis/src/'], 600],
  ['etcd', ['packages/etcd/src/'], 800],
  ['sqlite', ['packages/sqlite/src/']],
  ['kazahana/lease, the rest', ['packages/kazahana/src/lease/']],
  ['kazahana/client', ['packages/kazahana/src/client/']],
  ['kazahana, the rest', ['packages/kazahana/src/']],
  ['server', ['packages/server/src/']],
  ['cli', ['packages/cli/src/']],
  ['web', ['packages/web/src/']],
  ['simulation', ['simulation/']],
];
/** Parts that also count together. */
const TOGETHER = {
  'the four stores': ['postgres', 'redis', 'etcd', 'sqlite'],
  'client and server': ['kazahana/client', 'server'],
};
const IS_SOURCE = /^(?!.*(\.test\.|\/testing\/)).*\.(ts|tsx|lua|sql)$/;

/** Lines with code: a comment of TypeScript, SQL or Lua may stand behind code, but not instead of it. */
function sourceLines(text: string): number {
  const withoutBlocks = text.replace(/\/\*[\s\S]*?\*\//g, '');
  return withoutBlocks.split('\n').filter((line) => !/^\s*((\/\/|-- ).*)?$/.test(line)).length;
}

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

function countAll(revision: string | undefined): Map<string, number> {
  const listed = revision
    ? git('ls-tree', '-r', '--name-only', revision)
    : git('ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate');
  const counts = new Map<string, number>();
  for (const path of listed.split('\n').filter((name) => IS_SOURCE.test(name))) {
    const part = PARTS.find(([, prefixes]) => prefixes.some((prefix) => path.startsWith(prefix)));
    if (!part) continue;
    const text = textOf(path, revision);
    counts.set(part[0], (counts.get(part[0]) ?? 0) + sourceLines(text));
  }
  return counts;
}

function textOf(path: string, revision: string | undefined): string {
  if (revision) return git('show', `${revision}:${path}`);
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    // Deleted, and not committed yet.
    return '';
  }
}

const { against } = parseArgs({ options: { against: { type: 'string' } } }).values;
const now = countAll(undefined);
const before = against === undefined ? undefined : countAll(against);
const sum = (counts: Map<string, number>, names: readonly string[]) =>
  names.reduce((total, name) => total + (counts.get(name) ?? 0), 0);
const rows = [
  ...PARTS.map(([name, , limit]) => ({ name, names: [name], limit })),
  ...Object.entries(TOGETHER).map(([name, names]) => ({ name, names, limit: undefined })),
];
console.log(
  `${''.padEnd(26)}${before ? against?.slice(0, 10).padStart(11) : ''}${'now'.padStart(8)}${'limit'.padStart(8)}`,
);
for (const { name, names, limit } of rows) {
  const count = sum(now, names);
  const old = before ? String(sum(before, names)).padStart(11) : '';
  const verdict =
    limit === undefined ? '' : `${String(limit).padStart(8)}  ${count <= limit ? 'reached' : 'OVER'}`;
  console.log(`${name.padEnd(26)}${old}${String(count).padStart(8)}${verdict}`);
}
