// `kazahana bench`: how fast IDs are made on this machine, beside what the platform itself makes.
import { randomUUID } from 'node:crypto';
import { KazahanaClient, MemoryLeaseProvider } from 'kazahana';
import { generateV1, generateV4, generateV7 } from 'kazahana/uuid';
import { EXIT, type Terminal } from '../terminal.js';

const ROUNDS = 15;
const ROUND_MS = 20;

/** The median nanoseconds of one call, in short rounds by turns. */
function measure(candidates: Readonly<Record<string, () => unknown>>): Map<string, number> {
  const samples = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, make] of Object.entries(candidates)) {
      const started = performance.now();
      let calls = 0;
      while (performance.now() - started < ROUND_MS) {
        for (let i = 0; i < 100; i++) make();
        calls += 100;
      }
      // The first round is for warming up.
      if (round > 0) samples.get(name)?.push(((performance.now() - started) * 1e6) / calls);
    }
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return new Map([...samples].map(([name, values]) => [name, middle(values)]));
}

export async function bench({ json }: { json?: boolean }, terminal: Terminal): Promise<number> {
  const client = new KazahanaClient({
    provider: new MemoryLeaseProvider({ services: { default: { bitId: 2, bitSeq: 20 } } }),
    maxThroughputPerMs: 2 ** 20,
  });
  await client.ready();
  const costs = measure({
    'crypto.randomUUID': randomUUID,
    'UUID v1': generateV1,
    'UUID v4': generateV4,
    'UUID v7': generateV7,
    'kazahana ID': () => client.nextIdSync(),
  });
  await client.shutdown();
  const base = costs.get('crypto.randomUUID') ?? Number.NaN;
  for (const [name, ns] of costs) {
    const perSecond = Math.round(1e9 / ns);
    if (json)
      await terminal.json({
        name,
        nanoseconds: Number(ns.toFixed(1)),
        perSecond,
        ratio: Number((base / ns).toFixed(2)),
      });
    else
      await terminal.line(
        `${name.padEnd(18)} ${ns.toFixed(0).padStart(6)} ns  ${perSecond.toLocaleString('en').padStart(12)} a second  ${(base / ns).toFixed(2).padStart(5)} × crypto.randomUUID`,
      );
  }
  return EXIT.fine;
}
