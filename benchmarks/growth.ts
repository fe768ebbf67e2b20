// How the cost of one ID grows: with the leases that a client holds, with the clients of a process, with the IDs made in a millisecond.
// Run: npm run bench -- growth
import { generateV7 } from 'kazahana/uuid';
import { bigints, unlimitedClient } from './client.ts';
import { lowerTenth, measure } from './harness.ts';
import type { Outcome, Table } from './results.ts';

/** Bits of the machine ID and of the sequence together, in every layout here. */
const SUFFIX_BITS = 22;
const LEASES = [1, 4, 16, 64, 256];
const CLIENTS = [1, 4, 16, 64];
const PER_MS = [1, 4, 16, 64, 256, 1024, 4096];
const MILLISECONDS = 200;

const cell = (ns: number | undefined) => (ns ?? Number.NaN).toFixed(1);

async function byLeases(): Promise<Table> {
  const clients = await Promise.all(
    LEASES.map((leases) => {
      const bitSeq = 20 - Math.log2(leases);
      return unlimitedClient(SUFFIX_BITS - bitSeq, bitSeq);
    }),
  );
  const times = measure(
    clients.map((client) => bigints(String(client.stats().leases), () => client.nextIdSync())),
  );
  await Promise.all(clients.map((client) => client.shutdown()));
  return { title: 'Leases held', head: ['leases', 'nextIdSync, ns'], rows: rowsOf(times) };
}

async function byClients(): Promise<Table> {
  const clients = await Promise.all(
    Array.from({ length: Math.max(...CLIENTS) }, () => unlimitedClient(2, 20)),
  );
  const times = measure(
    CLIENTS.map((count) => {
      let turn = 0;
      // Each call goes to the next client; the counts are powers of two.
      return bigints(String(count), () =>
        (clients[turn++ & (count - 1)] as (typeof clients)[0]).nextIdSync(),
      );
    }),
  );
  await Promise.all(clients.map((client) => client.shutdown()));
  return {
    title: 'Clients by turns',
    head: ['clients of one process', 'nextIdSync, ns'],
    rows: rowsOf(times),
  };
}

const rowsOf = (times: ReadonlyMap<string, number>) => [...times].map(([name, ns]) => [name, cell(ns)]);

/** Nanoseconds of one call, when so many are made at the beginning of each millisecond and none in its rest. */
function atRate(perMs: number, make: () => unknown): number {
  const samples: number[] = [];
  for (let i = 0; i < MILLISECONDS; i++) {
    const before = Date.now();
    while (Date.now() === before) {}
    const started = performance.now();
    for (let made = 0; made < perMs; made++) make();
    samples.push(((performance.now() - started) * 1e6) / perMs);
  }
  return lowerTenth(samples);
}

async function byRate(): Promise<Table> {
  const client = await unlimitedClient(2, 20);
  const makers = [generateV7, () => client.nextIdSync()];
  for (const make of makers) atRate(4096, make);
  const rows = PER_MS.map((perMs) => [
    perMs.toLocaleString('en'),
    ...makers.map((make) => cell(atRate(perMs, make))),
  ]);
  await client.shutdown();
  return {
    title: 'IDs in a millisecond',
    head: ['IDs in a millisecond', 'generateV7, ns', 'nextIdSync, ns'],
    rows,
  };
}

export async function run(): Promise<Outcome> {
  return { results: [], tables: [await byLeases(), await byClients(), await byRate()] };
}
