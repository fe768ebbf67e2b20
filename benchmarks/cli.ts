// The command line: how fast it starts beside bare Node, how fast UUIDs go through a pipe beside `yes` and `uuidgen`, and
// that its memory stays flat, for ten million UUIDs made and ten million lines verified. By turns, so that a slow moment
// of the machine hits all alike; only the ratios mean anything.
// Run: npm run bench -- cli
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/run.ts';
import { ensureSystemPackage } from '../scripts/system-packages.ts';
import { table } from './harness.ts';

const bin = join(root, 'packages', 'cli', 'bin', 'kazahana.cjs');
const folder = mkdtempSync(join(tmpdir(), 'kazahana-bench-'));
const kazahana = `"${process.execPath}" "${bin}"`;

const STARTS = 61;
const PIPED = 3_000_000;
const PIPE_ROUNDS = 5;
const MANY = 10_000_000;

const median = (samples: readonly number[]) => [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? 0;
const millions = (perMs: number) => `${(perMs / 1000).toFixed(2)} M/s`;

interface Cost {
  /** Milliseconds by the clock, which a busy machine stretches, and of the processors, which it hardly does. */
  readonly wall: number;
  readonly cpu: number;
}

/** Runs a line and asks the shell what it cost. */
function shell(line: string): Cost {
  const script = `set -o pipefail; TIMEFORMAT='cost %R %U %S'; time { ${line}; }`;
  const { status, stderr } = spawnSync('bash', ['-c', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const [, wall, user, system] = /cost (\S+) (\S+) (\S+)/.exec(stderr) ?? [];
  if (status !== 0 || wall === undefined) throw new Error(`${line}: ${stderr}`);
  return { wall: Number(wall) * 1000, cpu: (Number(user) + Number(system)) * 1000 };
}

/** The medians of each, by turns. */
function byTurns<Name extends string>(
  rounds: number,
  lines: Readonly<Record<Name, string>>,
): Record<Name, Cost> {
  const names = Object.keys(lines) as Name[];
  const samples = new Map(names.map((name) => [name, [] as Cost[]]));
  for (let round = 0; round < rounds; round++)
    for (const name of names) samples.get(name)?.push(shell(lines[name]));
  const middle = (name: Name, part: keyof Cost) =>
    median((samples.get(name) ?? []).map((cost) => cost[part]));
  return Object.fromEntries(
    names.map((name) => [name, { wall: middle(name, 'wall'), cpu: middle(name, 'cpu') }]),
  ) as Record<Name, Cost>;
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

function start(): void {
  const { bare, uuid } = byTurns(STARTS, { bare: `"${process.execPath}" -e 0`, uuid: `${kazahana} uuid` });
  console.log(`Start, the median of ${STARTS} by turns (at most 30 ms more are wanted):`);
  console.log(
    table([
      ['', 'clock', 'processor'],
      ['  node -e 0', ms(bare.wall), ms(bare.cpu)],
      ['  kazahana uuid', ms(uuid.wall), ms(uuid.cpu)],
      ['  difference', ms(uuid.wall - bare.wall), ms(uuid.cpu - bare.cpu)],
    ]),
  );
}

function pipe(): void {
  const times = byTurns(PIPE_ROUNDS, {
    // It ends by the closed pipe, which is no failure.
    yes: `{ yes 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa || true; } | head -n ${PIPED} | cat > /dev/null`,
    'kazahana uuid': `${kazahana} uuid -n ${PIPED} | cat > /dev/null`,
    'kazahana uuid v4': `${kazahana} uuid v4 -n ${PIPED} | cat > /dev/null`,
  });
  console.log(
    `\n${PIPED.toLocaleString('en')} UUIDs through a pipe, start included, the median of ${PIPE_ROUNDS}:`,
  );
  console.log(
    table([
      ['', 'clock', 'processor', 'by the clock'],
      ...Object.entries(times).map(([name, { wall, cpu }]) => [
        `  ${name}`,
        millions(PIPED / wall),
        millions(PIPED / cpu),
        `${(times.yes.wall / wall).toFixed(2)} × yes`,
      ]),
    ]),
  );
}

function uuidgen(): void {
  const found = ensureSystemPackage({
    commands: ['uuidgen'],
    // Older ones have no -C; a newer one may be named.
    override: 'KAZAHANA_UUIDGEN',
    debian: 'uuid-runtime',
  });
  if (found.path === null) {
    console.log(`\nSKIPPED: uuidgen (${found.missing}). To run it: ${found.install}.`);
    return;
  }
  const help = spawnSync(found.path, ['--help'], { encoding: 'utf8' }).stdout;
  const hasCount = help.includes('--count');
  const count = hasCount ? 1_000_000 : 500;
  const theirs = hasCount
    ? `${found.path} -r -C ${count} | cat > /dev/null`
    : `for ((i = 0; i < ${count}; i++)); do ${found.path} -r; done | cat > /dev/null`;
  const { peer, ours } = byTurns(PIPE_ROUNDS, {
    peer: theirs,
    ours: `${kazahana} uuid v4 -n ${count} | cat > /dev/null`,
  });
  const name = hasCount ? 'uuidgen -r -C' : 'a loop of uuidgen -r, which has no -C here';
  console.log(`\n${count.toLocaleString('en')} UUIDs, start included (at least 5 × are wanted):`);
  console.log(
    table([
      ['', 'clock', 'processor'],
      [`  ${name}`, ms(peer.wall), ms(peer.cpu)],
      ['  kazahana uuid v4 -n', ms(ours.wall), ms(ours.cpu)],
      ['  as fast', `${(peer.wall / ours.wall).toFixed(1)} ×`, `${(peer.cpu / ours.cpu).toFixed(1)} ×`],
    ]),
  );
}

/** Says at its end, on stderr, how much memory the process ever had. */
const TELL_MEMORY = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs';" +
    "process.on('exit', () => writeSync(2, 'maxRSS ' + process.resourceUsage().maxRSS));",
)}`;

/** Runs a line whose last command is ours; the seconds it took and the megabytes it had. */
function measured(line: string): { seconds: number; megabytes: number; output: string } {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    encoding: 'utf8',
    env: { ...process.env, NODE: `${process.execPath} --import ${TELL_MEMORY} ${bin}` },
  });
  const peak = /maxRSS (\d+)/.exec(stderr)?.[1];
  if (status !== 0 || peak === undefined) throw new Error(`${line}: ${stderr}`);
  return { seconds: (performance.now() - started) / 1000, megabytes: Number(peak) / 1024, output: stdout };
}

function memory(): void {
  const uuids = join(folder, 'uuids');
  const bare = measured('$NODE --version');
  const rows = [['  kazahana --version', '', `${bare.megabytes.toFixed(0)} MB`]];
  const add = (name: string, { seconds, megabytes }: ReturnType<typeof measured>) =>
    rows.push([`  ${name}`, `${seconds.toFixed(1)} s`, `${megabytes.toFixed(0)} MB`]);
  for (const count of [MANY / 100, MANY / 10, MANY * 3])
    add(`uuid -n ${count}`, measured(`$NODE uuid -n ${count} | cat > /dev/null`));
  add(`uuid -n ${MANY}`, measured(`$NODE uuid -n ${MANY} > '${uuids}'`));
  const few = measured(`head -n ${MANY / 10} '${uuids}' | $NODE verify -`);
  add(`verify, ${MANY / 10} UUIDs`, few);
  const file = measured(`$NODE verify '${uuids}'`);
  add(`verify, ${MANY} UUIDs of a file`, file);
  // Numbers whose times have been, with the first of them once more in the end.
  const first = 115005299097601287n;
  const line = `{ seq ${first} ${first + BigInt(MANY) - 1n}; echo ${first}; } | { $NODE verify - || true; }`;
  const stream = measured(line);
  add(`verify, ${MANY + 1} numbers of a pipe, one twice`, stream);
  console.log('\nTime, and the most memory that the process ever had:');
  console.log(table(rows));
  for (const { output } of [file, stream]) console.log(`\n${output.trimEnd().replace(/^/gm, '  ')}`);
}

try {
  console.log(
    `Load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}\n`,
  );
  start();
  pipe();
  uuidgen();
  memory();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
