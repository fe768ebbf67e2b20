// 64-bit IDs: cost of one beside peers, and whether a client reaches what its leases allow, with the cores it burns.
// Run: npm run bench -- client
import { Snowflake as Sapphire } from '@sapphire/snowflake';
import { KazahanaClient, MemoryLeaseProvider } from 'kazahana';
import { Snowflake as NodejsSnowflake } from 'nodejs-snowflake';
import { getTsid } from 'tsid-ts';
import { type Candidate, lowerTenth, measure } from './harness.ts';
import { compare, type Outcome, type Result } from './results.ts';

/** A loop of its own for each, for the reason that `strings` gives. */
export function bigints(name: string, make: () => bigint): Candidate {
  const compile = new Function(
    'make',
    `return (times) => {
      let sum = 0n;
      for (let i = 0; i < times; i++) sum ^= make();
      return Number(sum & 1n);
    };`,
  );
  return { name, run: compile(make) };
}

/** A client whose leases allow more than any machine can make, so that the cost of an ID is all there is. */
export async function unlimitedClient(bitId: number, bitSeq: number): Promise<KazahanaClient> {
  const client = new KazahanaClient({
    provider: new MemoryLeaseProvider({ services: { default: { bitId, bitSeq } } }),
    maxThroughputPerMs: 2 ** 20,
  });
  await client.ready();
  return client;
}

/** Nanoseconds of an awaited `nextId`: rounds of its own, since the harness does not await. */
async function awaited(client: KazahanaClient): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 401; round++) {
    const started = performance.now();
    for (let i = 0; i < 4000; i++) await client.nextId();
    samples.push((performance.now() - started) * 250);
  }
  return lowerTenth(samples);
}

const EQUAL_IN = 300_000;

function equalIds(make: () => bigint): number {
  const seen = new Set<bigint>();
  for (let i = 0; i < EQUAL_IN; i++) seen.add(make());
  return EQUAL_IN - seen.size;
}

async function costs(): Promise<Outcome> {
  const one = await unlimitedClient(2, 20);
  const many = await unlimitedClient(10, 12);
  const held = many.stats().leases;
  const sapphire = new Sapphire(new Date('2026-01-01T00:00:00Z'));
  const nodejs = new NodejsSnowflake({ custom_epoch: Date.parse('2026-01-01T00:00:00Z'), instance_id: 1 });
  const peers: Readonly<Record<string, () => bigint>> = {
    '@sapphire/snowflake': () => sapphire.generate(),
    'tsid-ts': () => getTsid().toBigInt(),
    'nodejs-snowflake': () => nodejs.getUniqueID() as bigint,
  };
  const target = new BigUint64Array(1024);
  const times = measure([
    bigints('nextIdSync', () => one.nextIdSync()),
    bigints('nextIdSync, 256 leases', () => many.nextIdSync()),
    {
      name: 'fill',
      batch: target.length,
      run(count) {
        for (let i = 0; i < count; i++) one.fill(target);
        return Number((target[0] as bigint) & 1n);
      },
    },
    {
      name: 'Date.now',
      run(count) {
        let sum = 0;
        for (let i = 0; i < count; i++) sum += Date.now();
        return sum;
      },
    },
    ...Object.entries(peers).map(([name, make]) => bigints(name, make)),
  ]);
  const ns = (name: string) => times.get(name) ?? Number.NaN;
  const sync = ns('nextIdSync');
  const fastest = Math.min(...Object.keys(peers).map(ns));
  const results: Result[] = [
    compare('nextIdSync', sync, 'Date.now', ns('Date.now')),
    compare('nextIdSync', sync, 'the fastest peer', fastest),
    ...Object.entries(peers).map(([name, make]) => {
      const equal = equalIds(make);
      const note = equal > 0 ? `makes ${equal} equal IDs in ${EQUAL_IN}` : undefined;
      return compare('nextIdSync', sync, name, ns(name), note);
    }),
    compare(
      'nextIdSync, 256 leases',
      ns('nextIdSync, 256 leases'),
      'Date.now',
      ns('Date.now'),
      `${held} leases`,
    ),
    compare('nextId, awaited', await awaited(one), 'nextIdSync', sync),
    { line: 'fill', against: 'ns an ID', value: ns('fill') },
  ];
  await Promise.all([one.shutdown(), many.shutdown()]);
  return { results };
}

interface Ceiling {
  readonly name: string;
  readonly perMs: number;
  /** Asks for IDs until the time is up, and returns how many it got. */
  readonly ask: (client: KazahanaClient, until: number) => Promise<number>;
}

/** Reads the clock after so many only: a reading costs half as much as an ID, and would count as the client's. */
const ROUND = 256;

const oneByOne = async (client: KazahanaClient, until: number) => {
  let made = 0;
  while (Date.now() < until) {
    for (let i = 0; i < ROUND; i++) await client.nextId();
    made += ROUND;
  }
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

async function ceiling({ name, perMs, ask }: Ceiling): Promise<Result[]> {
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
  await client.shutdown();
  return [
    { line: name, against: 'made ÷ allowed', value: made / (perMs * elapsed), note: `${equal} equal IDs` },
    { line: name, against: 'cores', value: (user + system) / 1000 / elapsed },
  ];
}

export async function run(): Promise<Outcome> {
  const { results } = await costs();
  const ceilings: Result[] = [];
  for (const row of CEILINGS) ceilings.push(...(await ceiling(row)));
  return { results: [...results, ...ceilings] };
}
