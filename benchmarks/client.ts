// 64-bit IDs: cost of one, and whether a client reaches what its leases allow, with the cores it burns for that.
// Run: npm run bench -- client
import { KazahanaClient, MemoryLeaseProvider } from 'kazahana';
import { measure, table } from './harness.ts';

const services = (bitId: number, bitSeq: number) => ({ services: { default: { bitId, bitSeq } } });

/** A client whose leases allow more than any machine can make, so that the cost of an ID is all there is. */
const unlimited = new KazahanaClient({
  provider: new MemoryLeaseProvider(services(2, 20)),
  maxThroughputPerMs: 2 ** 20,
});
await unlimited.ready();
const target = new BigUint64Array(1024);

const costs = measure([
  {
    name: 'nextIdSync',
    run(times) {
      let sum = 0n;
      for (let i = 0; i < times; i++) sum ^= unlimited.nextIdSync();
      return Number(sum & 1n);
    },
  },
  {
    name: 'fill, 1,024 at once',
    run(times) {
      for (let i = 0; i < times; i += target.length) unlimited.fill(target);
      return Number((target[0] as bigint) & 1n);
    },
  },
  {
    name: 'Date.now alone',
    run(times) {
      let sum = 0;
      for (let i = 0; i < times; i++) sum += Date.now();
      return sum;
    },
  },
]);

/** Nanoseconds of an awaited `nextId`: rounds of its own, since the harness does not await. */
async function awaited(): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 30; round++) {
    const started = performance.now();
    for (let i = 0; i < 10_000; i++) await unlimited.nextId();
    samples.push((performance.now() - started) * 100);
  }
  return samples.sort((a, b) => a - b)[15] as number;
}

const sync = costs.get('nextIdSync') ?? Number.NaN;
const clock = costs.get('Date.now alone') ?? Number.NaN;
const rows = [...costs, ['nextId, awaited', await awaited()] as const].map(([name, ns]) => [
  name,
  ns.toFixed(1),
  (ns / clock).toFixed(2),
  (ns / sync).toFixed(2),
]);
console.log(`${table([['one ID', 'ns', '× Date.now', '× nextIdSync'], ...rows])}\n`);
await unlimited.shutdown();

interface Ceiling {
  readonly name: string;
  readonly perMs: number;
  /** Asks for IDs until the time is up, and returns how many it got. */
  readonly ask: (client: KazahanaClient, until: number) => Promise<number>;
}

const oneByOne = async (client: KazahanaClient, until: number) => {
  let made = 0;
  for (; Date.now() < until; made++) await client.nextId();
  return made;
};

const inBatches = async (client: KazahanaClient, until: number) => {
  let made = 0;
  while (Date.now() < until) made += (await client.nextIds(4096)).length;
  return made;
};

const CEILINGS: readonly Ceiling[] = [
  { name: '256 a ms, one by one', perMs: 256, ask: oneByOne },
  { name: '4,096 a ms, one by one', perMs: 4096, ask: oneByOne },
  { name: '4,096 a ms, in batches', perMs: 4096, ask: inBatches },
];

const MS = 2000;
const results: string[][] = [['ceiling, over 2 s', 'made ÷ allowed', 'cores burnt', 'equal IDs']];
for (const { name, perMs, ask } of CEILINGS) {
  const client = new KazahanaClient({ provider: new MemoryLeaseProvider(), maxThroughputPerMs: perMs });
  await client.ready();
  const cpu = process.cpuUsage();
  const started = Date.now();
  const made = await ask(client, started + MS);
  const elapsed = Date.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  // Benchmark with duplicate checks on, or the figure means nothing.
  const sample = await client.nextIds(100_000);
  const equal = sample.length - new Set(sample).size;
  results.push([
    name,
    (made / (perMs * elapsed)).toFixed(3),
    ((user + system) / 1000 / elapsed).toFixed(2),
    String(equal),
  ]);
  await client.shutdown();
}
console.log(table(results));
