// A fleet in one process: each worker thread serves orders on a port of its own, with a client of its own, which leases a machine ID
// from one SQLite file. A client cannot be shared between threads; a file can.
// The URL of an order is its external ID; a link that was made up is 404.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { createExternalIdCodec, decodeId, KazahanaClient } from 'kazahana';

const WORKERS = 3;
const ORDERS = 100;
const codec = createExternalIdCodec({ prefix: 'order', secret: 'from the environment, in your program' });

async function serveOrders(path: string): Promise<void> {
  const provider = new SqliteLeaseProvider({ path });
  const client = new KazahanaClient({ provider, disableFallback: true });
  const server = createServer(async ({ method, url = '' }, response) => {
    const id = method === 'POST' ? await client.nextId() : codec.parse(url.split('/').at(-1));
    response.writeHead(id === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(id === undefined ? {} : { id: codec.toExternalId(id) }));
  });
  await client.ready();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  parentPort?.postMessage((server.address() as AddressInfo).port);
  // The main thread says when to stop.
  parentPort?.once('message', async () => {
    server.close();
    server.closeAllConnections();
    await client.shutdown();
    await provider.close();
  });
}

async function runThreads(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kazahana-threads-'));
  const workerData = join(folder, 'leases.db');
  const workers = Array.from({ length: WORKERS }, () => new Worker(new URL(import.meta.url), { workerData }));
  const ports = await Promise.all(
    workers.map(async (worker) => (await once(worker, 'message'))[0] as number),
  );
  const urls = ports.map((port) => `http://127.0.0.1:${port}/orders`);

  const links = new Set<string>();
  for (let i = 0; i < ORDERS; i++) {
    const response = await fetch(urls[i % WORKERS] ?? '', { method: 'POST' });
    links.add(((await response.json()) as { id: string }).id);
  }
  const machines = new Set([...links].map((link) => decodeId(codec.toInternalId(link)).machineId));
  const [first = ''] = links;
  const statuses = [(await fetch(`${urls[1]}/${first}`)).status, (await fetch(`${urls[1]}/made-up`)).status];
  console.log(`${links.size} orders by ${machines.size} threads, ${statuses.join(' and ')}`);

  for (const worker of workers) worker.postMessage('stop');
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  rmSync(folder, { recursive: true });
  if (links.size !== ORDERS || machines.size !== WORKERS || statuses.join() !== '200,404')
    process.exitCode = 1;
}

if (isMainThread) await runThreads();
else await serveOrders(workerData as string);
