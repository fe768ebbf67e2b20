// One of several processes on an SQLite file: acquires for two seconds, prints how many a second.
import { loadStore } from '../../tests/stores/store-under-test.ts';

const SECONDS = 2;
const store = await loadStore('sqlite');
// Leases that end at once, so that the pool is never exhausted.
const services = { default: { leaseDuration: 1, fallbackGrace: 0 } };
const { provider, close } = await store.connect(process.argv[2] ?? '', { services });
let count = 0;
const end = performance.now() + SECONDS * 1000;
while (performance.now() < end) {
  await provider.acquire({});
  count++;
}
await close();
console.log(count / SECONDS);
