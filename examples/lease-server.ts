// The lease server inside a program of one's own: it is a function from Request to Response, so any HTTP server can hold
// it, and a test needs none. Two clients lease from it here, and make IDs that are never equal.
import { createLeaseApp } from '@kazahana/server';
import { decodeId, HttpLeaseProvider, KazahanaClient, MemoryLeaseProvider } from 'kazahana';

const services = { default: {}, orders: { leaseDuration: 60_000, maxLeases: 10 } };
// A store that several servers can share would stand here in production; see docs/stores.md.
const app = createLeaseApp({ store: new MemoryLeaseProvider({ services }), services });
await app.check();
app.start();

const provider = new HttpLeaseProvider('http://leases.example', {
  // In place of the network.
  fetch: async (url, init) => app.fetch(new Request(url, init)),
});
const clients = ['web-1', 'web-2'].map((name) => ({
  name,
  client: new KazahanaClient({ provider, serviceId: 'orders', disableFallback: true }),
}));

for (const { name, client } of clients) {
  const id = await client.nextId();
  console.log(`${name}: ${id}, machine ID ${decodeId(id).machineId}`);
}

const pool = (await (await app.fetch(new Request('http://leases.example/pool'))).json()) as {
  pool: { held: number; slots: number };
};
console.log(`${pool.pool.held} of ${pool.pool.slots} machine IDs are held`);

await Promise.all(clients.map(({ client }) => client.shutdown()));
await app.close();
