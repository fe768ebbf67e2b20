// What an acquire costs in each store and whether that grows with the fill and the history of a pool; the bad day, on
// which all clients come at once; and two processes on one SQLite file. Against real servers, which it starts.
// Run: npm run bench:stores [-- sqlite redis …]
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type LeaseInfo, type LeaseProvider, PoolExhaustedError, signRelease } from 'kazahana/lease';
import {
  loadStore,
  STORES,
  type StartedStore,
  type StoreName,
  type StoreUnderTest,
} from '../tests/stores/store-under-test.ts';
import { table } from './harness.ts';

const SLOTS = 8192;
/** Pools of one store, each kept at its own fill, so that they can be measured by turns. */
const FILLS = [
  ['empty', 0],
  ['50 %', SLOTS / 2],
  ['99 %', Math.floor(SLOTS * 0.99)],
  ['full', SLOTS],
  ['history', 0],
] as const;
const HISTORY = 100_000;
const ROUNDS = 20;
const PER_ROUND = 10;
const AT_ONCE = 64;

/** Goals: multiples of the cost at empty, and seconds of the bad day. */
const FLAT = 1.5;
const THREE_SERVERS_S: Readonly<Record<StoreName, number>> = { sqlite: 5, redis: 5, postgres: 5, etcd: 15 };
const MANY_PROCESSES_S: Readonly<Record<StoreName, number>> = { sqlite: 3, redis: 3, postgres: 3, etcd: 10 };
const SERVERS = 3;
const PROCESSES = 200;
const SHARE_OF_SLOWER = 0.25;

const services = Object.fromEntries(
  FILLS.map(([name]) => [name, { pool: name, leaseDuration: 3_600_000, bitId: 14 }]),
);

const verdict = (isReached: boolean) => (isReached ? 'reached' : 'MISSED');

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

/** So many grants that were given back, many at a time. */
async function grantAndRelease(provider: LeaseProvider, serviceId: string, grants: number): Promise<void> {
  for (let done = 0; done < grants; done += AT_ONCE) {
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, () => provider.acquire({ serviceId })),
    );
    const leases = responses.flatMap((response) => response.leases);
    await Promise.all(leases.map((lease) => release(provider, serviceId, lease)));
  }
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

async function measureFills(
  name: StoreName,
  store: StoreUnderTest,
  { address }: StartedStore,
): Promise<string[]> {
  const { provider, close } = await store.connect(address, { services });
  for (const [serviceId, count] of FILLS) await fill(provider, serviceId, count);
  await grantAndRelease(provider, 'history', HISTORY);
  const samples = FILLS.map(([serviceId]) => ({ serviceId, micros: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { serviceId, micros } of samples) {
      for (let i = 0; i < PER_ROUND; i++) micros.push(await timeAcquire(provider, serviceId));
    }
  }
  await close();
  const [empty = Number.NaN, ...others] = samples.map(({ micros }) => median(micros));
  const ratios = others.map((micros) => micros / empty);
  return [
    name,
    `${empty.toFixed(0)} µs`,
    ...ratios.map((ratio) => ratio.toFixed(2)),
    verdict(ratios.every((ratio) => ratio <= FLAT)),
  ];
}

/** Seconds until every one of so many clients has a lease, requested through so many providers at once. */
async function storm(
  store: StoreUnderTest,
  address: string,
  providers: number,
  clients: number,
): Promise<number> {
  const pool = `storm-${providers}`;
  const options = { services: { [pool]: { pool, leaseDuration: 3_600_000 } } };
  const connections = await Promise.all(
    Array.from({ length: providers }, () => store.connect(address, options)),
  );
  await connections[0]?.provider.inspectPool(pool);
  const started = performance.now();
  const responses = await Promise.all(
    Array.from({ length: clients }, (_, i) =>
      (connections[i % providers] as (typeof connections)[number]).provider.acquire({ serviceId: pool }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  const ids = new Set(responses.flatMap(({ leases }) => leases.map(({ id }) => id)));
  if (ids.size !== clients) throw new Error(`${clients} clients have ${ids.size} machine IDs`);
  for (const { close } of connections) await close();
  return seconds;
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
      `, the slower at ${(slower * 100).toFixed(0)} % of the faster (goal: ${SHARE_OF_SLOWER * 100} %): ${verdict(slower >= SHARE_OF_SLOWER)}`,
  );
}

const wanted = process.argv.slice(2).filter((name): name is StoreName => STORES.includes(name as StoreName));
const names = wanted.length === 0 ? STORES : wanted;
const fills = [
  [
    'acquire, one by one',
    ...FILLS.map(([name]) => (name === 'history' ? `${HISTORY} grants` : name)),
    'flat',
  ],
];
const storms = [
  ['the bad day', `${SLOTS} through ${SERVERS}`, 'goal', '', `${PROCESSES} providers`, 'goal', ''],
];
for (const name of names) {
  const store = await loadStore(name);
  const started = await store.start();
  const throughServers = await storm(store, started.address, SERVERS, SLOTS);
  const direct = await storm(store, started.address, PROCESSES, PROCESSES);
  storms.push([
    name,
    ...[
      `${throughServers.toFixed(1)} s`,
      `${THREE_SERVERS_S[name]} s`,
      verdict(throughServers <= THREE_SERVERS_S[name]),
    ],
    ...[`${direct.toFixed(1)} s`, `${MANY_PROCESSES_S[name]} s`, verdict(direct <= MANY_PROCESSES_S[name])],
  ]);
  fills.push(await measureFills(name, store, started));
  await started.stop();
  console.error(`measured ${name}`);
}
console.log(table(fills));
console.log(`(empty: the median; the others as multiples of it, goal ≤ ${FLAT})\n`);
console.log(table(storms));
if (names.includes('sqlite')) await measureSharing();
