// A web server on every core: each process of the cluster leases a machine ID of its own, and releases it when it is stopped.
// The URL of an order is its external ID; a link that was made up is 404.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { createExternalIdCodec, decodeId, KazahanaClient } from 'kazahana';

const WORKERS = 2;
const codec = createExternalIdCodec({ prefix: 'order', secret: 'from the environment, in your program' });

async function serveOrders(path: string): Promise<void> {
  const provider = new SqliteLeaseProvider({ path });
  const client = new KazahanaClient({ provider, disableFallback: true });
  const server = createServer(async ({ method, url = '' }, response) => {
    const id = method === 'POST' ? await client.nextId() : codec.parse(url.split('/').at(-1));
    response.writeHead(id === undefined ? 404 : 200, {
      'content-type': 'application/json',
      connection: 'close',
    });
    response.end(JSON.stringify(id === undefined ? {} : { id: codec.toExternalId(id) }));
  });
  await client.ready();
  server.listen(0, '127.0.0.1');
  process.once('SIGTERM', () => {
    server.close(async () => {
      await client.shutdown();
      await provider.close();
      process.disconnect();
    });
  });
}

async function runCluster(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kazahana-cluster-'));
  const workers = Array.from({ length: WORKERS }, () => cluster.fork({ LEASES: join(folder, 'leases.db') }));
  const [{ port }] = (await Promise.all(workers.map((worker) => once(worker, 'listening'))))[0] as [
    { port: number },
  ];
  const orders = `http://127.0.0.1:${port}/orders`;

  const links = new Set<string>();
  for (let i = 0; i < 100; i++) {
    const order = (await (await fetch(orders, { method: 'POST' })).json()) as { id: string };
    links.add(order.id);
  }
  const machines = new Set([...links].map((link) => decodeId(codec.toInternalId(link)).machineId));
  const [first = ''] = links;
  const statuses = [(await fetch(`${orders}/${first}`)).status, (await fetch(`${orders}/made-up`)).status];
  console.log(`${links.size} orders by ${machines.size} processes, ${statuses.join(' and ')}`);

  for (const worker of workers) worker.process.kill('SIGTERM');
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  rmSync(folder, { recursive: true });
  if (links.size !== 100 || machines.size !== WORKERS || statuses.join() !== '200,404') process.exitCode = 1;
}

if (cluster.isPrimary) await runCluster();
else await serveOrders(process.env.LEASES ?? '');
