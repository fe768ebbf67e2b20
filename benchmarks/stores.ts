// What an acquire costs in each store, and whether that grows with the fill of the pool; Redis beside a script that does
// nothing; two processes on one SQLite file. Against real servers, which it starts.
// Run: npm run bench:stores [-- sqlite redis …]
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type LeaseInfo, type LeaseProvider, PoolExhaustedError, signRelease } from 'kazahana/lease';
import { loadStore, STORES, type StoreName } from '../tests/stores/store-under-test.ts';
import { table } from './harness.ts';
import { measureRedis } from './stores/redis.ts';

const SLOTS = 8192;
/** Pools of one store, each kept at its own fill, so that they can be measured by turns. */
const FILLS = [
  ['empty', 0],
  ['50 %', SLOTS / 2],
  ['99 %', Math.floor(SLOTS * 0.99)],
  ['full', SLOTS],
] as const;
const ROUNDS = 40;
const PER_ROUND = 10;
const AT_ONCE = 16;

const services = Object.fromEntries(
  FILLS.map(([name]) => [name, { pool: name, leaseDuration: 3_600_000, bitId: 14 }]),
);

async function fill(provider: LeaseProvider, serviceId: string, count: number): Promise<void> {
  for (let held = 0; held < count; ) {
    const slots = Math.min(AT_ONCE, count - held);
    held += (await provider.acquire({ serviceId, throughputPerMs: slots * 256 })).leases.length;
  }
}

function release(
  provider: LeaseProvider,
  serviceId: string,
  { id, secret, created }: LeaseInfo,
): Promise<void> {
  // Not used at all: free again at once, and the pool stays as full as it was.
  const timestamp = created - 1;
  return provider.release({ id, serviceId, timestamp, signature: signRelease(secret, id, timestamp) });
}

/** Microseconds of an acquire that is granted, or refused because the pool is full. */
async function timeAcquire(provider: LeaseProvider, serviceId: string): Promise<number> {
  const started = performance.now();
  try {
    const { leases } = await provider.acquire({ serviceId });
    const micros = (performance.now() - started) * 1000;
    for (const lease of leases) await release(provider, serviceId, lease);
    return micros;
  } catch (error) {
    if (!(error instanceof PoolExhaustedError)) throw error;
    return (performance.now() - started) * 1000;
  }
}

const median = (samples: readonly number[]) =>
  [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;

async function measureFills(name: StoreName): Promise<string[]> {
  const store = await loadStore(name);
  const started = await store.start();
  const { provider, close } = await store.connect(started.address, { services });
  for (const [serviceId, count] of FILLS) await fill(provider, serviceId, count);
  const samples = FILLS.map(([serviceId]) => ({ serviceId, micros: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { serviceId, micros } of samples) {
      for (let i = 0; i < PER_ROUND; i++) micros.push(await timeAcquire(provider, serviceId));
    }
  }
  await close();
  await started.stop();
  const [empty = Number.NaN, ...others] = samples.map(({ micros }) => median(micros));
  return [name, `${empty.toFixed(0)} µs`, ...others.map((micros) => (micros / empty).toFixed(2))];
}

/** Acquires a second of each of two processes that share a file, when one works alone and when both do. */
async function measureSharing(): Promise<void> {
  const started = await (await loadStore('sqlite')).start();
  const worker = fileURLToPath(new URL('stores/worker.ts', import.meta.url));
  const rate = () =>
    new Promise<number>((resolve, reject) => {
      const child = spawn(process.execPath, [worker, started.address], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      child.on('error', reject);
      child.on('close', () => resolve(Number(output)));
    });
  const alone = await rate();
  const both = await Promise.all([rate(), rate()]);
  await started.stop();
  const slower = Math.min(...both) / Math.max(...both);
  console.log(
    `\nSQLite, acquires a second: one process ${alone.toFixed(0)}; two on one file ${both.map((n) => n.toFixed(0)).join(' and ')}` +
      `, the slower at ${(slower * 100).toFixed(0)} % of the faster (goal: 25 %)`,
  );
}

const wanted = process.argv.slice(2).filter((name): name is StoreName => STORES.includes(name as StoreName));
const names = wanted.length === 0 ? STORES : wanted;
const rows: string[][] = [['acquire, one by one', 'empty', '50 %', '99 %', 'full']];
for (const name of names) rows.push(await measureFills(name));
console.log(table(rows));
console.log('(empty: the median; the others as multiples of it, goal ≤ 1.5)');
if (names.includes('sqlite')) await measureSharing();
if (names.includes('redis')) await measureRedis();
