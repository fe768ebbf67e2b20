// Acquires for as long as it lives, and prints every lease once it is acknowledged: `<store> <address> <services>`.
import { writeSync } from 'node:fs';
import { loadStore, type StoreName } from './store-under-test.ts';

const [name, address = '', services = '{}'] = process.argv.slice(2);
const store = await loadStore(name as StoreName);
const { provider } = await store.connect(address, { services: JSON.parse(services) });

const acquire = async () => {
  for (;;) {
    const { leases } = await provider.acquire({});
    // Synchronously: what was acknowledged is in the pipe before anything else happens.
    for (const lease of leases) writeSync(1, `${JSON.stringify(lease)}\n`);
  }
};
await Promise.all(Array.from({ length: 8 }, acquire));
