// The measure: hono routes that read the same bodies as JSON and answer as much as the lease server does, behind a Node
// server with the same limits. Prints its URL.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

const ANSWER = {
  leases: [
    {
      id: 5,
      created: 1_800_000_000_000,
      expired: 1_800_000_600_000,
      fallbackUntil: 1_800_001_200_000,
      secret: '00112233445566778899aabbccddeeff',
      customEpoch: 1_767_225_600_000,
      bitReserve: 1,
      bitTs: 41,
      bitId: 14,
      bitSeq: 8,
    },
  ],
  now: 1_800_000_000_000,
  pool: '00112233445566778899aabbccddeeff',
  serial: 17,
};

const app = new Hono();
app.post('/lease', async (context) => {
  const { requestId } = await context.req.json();
  return context.json({ ...ANSWER, requestId });
});
app.delete('/lease/:id', async (context) => {
  const { signature } = await context.req.json();
  return context.body(null, typeof signature === 'string' ? 204 : 400);
});

// Under the name that the lease server's metrics have it.
app.get('/metrics', (context) => {
  const { user, system } = process.cpuUsage();
  return context.text(`process_cpu_seconds_total ${(user + system) / 1e6}\n`);
});

const limits = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 8 * 1024,
};
const server = createServer(limits, getRequestListener(app.fetch));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
