// The lease server under acquires and releases from another process, with a thousand sockets open that never finish their
// headers; metrics, logs, tokens, rate limits and quotas are on. Prints whether it reaches its two goals.
// Run: npm run bench -- server [--seconds 30]; or --minutes 10, to see that its memory stays flat.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MemoryLeaseProvider } from 'kazahana';
import { signRelease } from 'kazahana/lease';
import { root } from '../scripts/run.ts';
import { table } from './harness.ts';
import type { StormResult, StormTurn } from './server/storm.ts';

const SLOW_SOCKETS = 1000;
const CONNECTIONS = 64;
const TURN_SECONDS = 2;
/** Long enough for the optimiser to have seen everything. */
const WARM_UP_SECONDS = 6;
/** A full pool of 8,192 machine IDs brings 16 acquires a second; the worst day is all of its clients at once. */
const GOAL_ACQUIRES_A_CORE = 2000;
/** What the server may add to a lone acquire of the store. */
const GOAL_ADDED_P99_MS = 5;
const TOKEN = 'a-token-for-the-benchmark';
/** Successes, and limits that are written down; everything else is a fault. */
const EXPECTED = ['200', '204', '503 POOL_EXHAUSTED', '429 RATE_LIMITED'];

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { seconds: { type: 'string', default: '30' }, minutes: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'kazahana-bench-'));
const children: ChildProcess[] = [];
const PROGRAMS = {
  slowSockets: fileURLToPath(new URL('./server/slow-sockets.ts', import.meta.url)),
  storm: fileURLToPath(new URL('./server/storm.ts', import.meta.url)),
};

/** A process, and the lines that it prints. */
function start(...args: string[]) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${args.join(' ')} has ended`);
    return JSON.parse(value);
  };
  return { child, next };
}

async function startServer(name: string, ...args: string[]): Promise<{ name: string; url: string }> {
  const { url } = await start(...args).next();
  if (typeof url !== 'string') throw new Error(`${name} did not start`);
  return { name, url };
}

const bin = join(root, 'packages', 'cli', 'bin', 'kazahana.cjs');
const config = join(folder, 'config.json');
const limits = { maxLeases: 8192, requestsPerSecond: 1_000_000 };
const token = { name: 'bench', token: TOKEN, scopes: ['acquire', 'observe'], ...limits };
writeFileSync(config, JSON.stringify({ tokens: [token] }));
const serve = (store: string) => [bin, 'serve', '--port', '0', '--store', store, '--config', config];
const storm = start(PROGRAMS.storm);

async function turn(url: string, seconds: number, connections = CONNECTIONS): Promise<StormResult> {
  const order: StormTurn = { url, token: TOKEN, seconds, connections };
  storm.child.stdin?.write(`${JSON.stringify(order)}\n`);
  return storm.next();
}

/** The metrics of a server on its own process. */
async function metricsOf(url: string): Promise<{ cpuSeconds: number; residentMb: number; heapMb: number }> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    cpuSeconds: read('process_cpu_seconds_total'),
    residentMb: read('process_resident_memory_bytes') / 2 ** 20,
    heapMb: read('nodejs_heap_size_used_bytes') / 2 ** 20,
  };
}

/** The value below which so much of the samples lies. */
const percentile = (samples: number[], share: number) =>
  samples.sort((a, b) => a - b)[Math.floor(samples.length * share)] ?? Number.NaN;

function unexpected({ responses }: StormResult): string[] {
  return Object.entries(responses)
    .filter(([what]) => !EXPECTED.includes(what))
    .map(([what, count]) => `${count} × ${what}`);
}

/** Opens them, and gives a way to count them. */
async function slowSockets(urls: readonly string[]) {
  const slow = start(PROGRAMS.slowSockets, String(SLOW_SOCKETS), ...urls);
  const count = (): Promise<{ open: number; thrownOut: number }> => {
    slow.child.stdin?.write('\n');
    return slow.next();
  };
  while ((await count()).open < SLOW_SOCKETS * urls.length * 0.95) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return count;
}

/** Milliseconds of lone acquires of a store in this process, below which 99 % of them lie. */
async function ownP99(seconds: number): Promise<number> {
  const store = new MemoryLeaseProvider();
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const sent = performance.now();
    const { leases } = await store.acquire({});
    latencies.push(performance.now() - sent);
    for (const { id, secret, created: timestamp } of leases)
      await store.release({ id, timestamp, signature: signRelease(secret, id, timestamp) });
  }
  return percentile(latencies, 0.99);
}

function goal(what: string, value: string, isReached: boolean): boolean {
  console.log(`${what}: ${value}, ${isReached ? 'reached' : 'NOT REACHED'}`);
  return isReached;
}

async function load(seconds: number): Promise<boolean> {
  const servers = await Promise.all([
    startServer('kazahana serve, memory:', ...serve('memory:')),
    startServer('kazahana serve, sqlite:', ...serve(`sqlite:${join(folder, 'bench.db')}`)),
  ]);
  const runs = servers.map((server) => ({
    ...server,
    rates: [] as number[],
    aCore: [] as number[],
    latencies: [] as number[],
  }));
  const [memory] = runs;
  if (!memory) throw new Error('there is no server over memory');
  const faults: string[] = [];
  for (const { url } of servers) await turn(url, WARM_UP_SECONDS);
  const own = await ownP99(TURN_SECONDS);
  const lone = percentile([...(await turn(memory.url, TURN_SECONDS, 1)).latencies], 0.99);
  const countSlow = await slowSockets(servers.map(({ url }) => url));
  for (let round = 0; round < seconds / TURN_SECONDS; round++) {
    for (const run of runs) {
      const before = await metricsOf(run.url);
      const result = await turn(run.url, TURN_SECONDS);
      const { cpuSeconds } = await metricsOf(run.url);
      run.aCore.push(result.acquires / (cpuSeconds - before.cpuSeconds));
      run.rates.push(result.requests / result.seconds);
      for (const latency of result.latencies) run.latencies.push(latency);
      faults.push(...unexpected(result).map((fault) => `${run.name}: ${fault}`));
    }
  }
  const { open, thrownOut } = await countSlow();
  const median = (samples: readonly number[]) =>
    Math.round(percentile([...samples], 0.5)).toLocaleString('en');
  const rows = runs.map(({ name, rates, aCore, latencies }) => [
    name,
    median(rates),
    median(aCore),
    percentile(latencies, 0.5).toFixed(2),
    percentile(latencies, 0.99).toFixed(2),
  ]);
  const titles = ['', 'requests/s', 'acquires/s a core', 'acquire p50 ms', 'p99 ms'];
  console.log(table([titles, ...rows]));
  console.log(`\n${open} slow sockets open at the end, ${thrownOut} thrown out meanwhile.`);
  console.log(faults.length === 0 ? 'Nothing but 200 and 204 and documented limits.' : faults.join('\n'));
  const acquires = percentile([...memory.aCore], 0.5);
  const added = lone - own;
  const goals = [
    goal(
      `${GOAL_ACQUIRES_A_CORE.toLocaleString('en')} acquires a second a core, each with its release`,
      Math.round(acquires).toLocaleString('en'),
      acquires >= GOAL_ACQUIRES_A_CORE,
    ),
    goal(
      `p99 of a lone acquire within ${GOAL_ADDED_P99_MS} ms of the store's own`,
      `${lone.toFixed(2)} ms to ${own.toFixed(2)} ms`,
      added <= GOAL_ADDED_P99_MS,
    ),
  ];
  return faults.length === 0 && goals.every((isReached) => isReached);
}

async function endure(minutes: number): Promise<boolean> {
  const { url } = await startServer('sqlite', ...serve(`sqlite:${join(folder, 'long.db')}`));
  await slowSockets([url]);
  const minuteMedians: number[] = [];
  const faults: string[] = [];
  let requests = 0;
  const print = (cells: string[]) => console.log(cells.map((cell) => cell.padStart(12)).join(''));
  print(['minute', 'requests', 'resident MB', 'heap MB']);
  for (let minute = 1; minute <= minutes; minute++) {
    const residents: number[] = [];
    const heaps: number[] = [];
    for (let part = 0; part < 12; part++) {
      const result = await turn(url, 5);
      requests += result.requests;
      faults.push(...unexpected(result));
      const { residentMb, heapMb } = await metricsOf(url);
      residents.push(residentMb);
      heaps.push(heapMb);
    }
    const resident = percentile(residents, 0.5);
    minuteMedians.push(resident);
    const heap = percentile(heaps, 0.5);
    print([String(minute), requests.toLocaleString('en'), resident.toFixed(1), heap.toFixed(1)]);
  }
  // The first minute warms up; what comes after must not grow.
  const [, second = Number.NaN, ...later] = minuteMedians;
  const growth = (later.at(-1) ?? second) / second - 1;
  console.log(
    `\nFrom the second minute to the last, resident memory changed by ${(growth * 100).toFixed(1)} %.`,
  );
  console.log(faults.length === 0 ? 'Nothing but 200 and 204 and documented limits.' : faults.join('\n'));
  return faults.length === 0 && growth < 0.1;
}

try {
  const isFine =
    values.minutes === undefined ? await load(Number(values.seconds)) : await endure(Number(values.minutes));
  process.exitCode = isFine ? 0 : 1;
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
