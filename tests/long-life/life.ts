// The long life of a client, a server and a store, accelerated: leases of a second, so that a minute has as many renewals as ten
// hours have by default. Clients renew, others crash again and again and leave their leases behind, and the layout of the pool
// changes meanwhile. `node --expose-gc life.ts <store> <seconds>` prints a `Life` as JSON.
import { resolveServerConfig, startServer } from '@kazahana/server';
import { HttpLeaseProvider, KazahanaClient, MemoryLeaseProvider } from 'kazahana';
import { PoolExhaustedError } from 'kazahana/lease';
import { virtualEnvironment } from 'kazahana/testing';
import { pino } from 'pino';
import { loadStore, STORES, type StoreName } from '../stores/store-under-test.ts';
import { openCounter } from './record-counts.ts';
import type { Life, Sample } from './samples.ts';

const SAMPLES = 60;
const CLIENTS = 12;
/** An even number in each quarter, so that quarters can be compared: a pool of twice the machine IDs has more records. */
const LAYOUT_CHANGES = 8;
/** 64 machine IDs: a crash loop fills them in seconds, if nothing keeps it from that. */
const NARROW = { bitId: 7, bitSeq: 15 };
const WIDE = { bitId: 8, bitSeq: 14 };
const TIMES = { leaseDuration: 1000, fallbackGrace: 2000 };
const SERVICES = { default: { ...NARROW, ...TIMES }, web: TIMES, 'crash-loop': TIMES };
const SHARE = 0.75;
/** Five that crash twenty times a second × three seconds of window: three hundred machine IDs, were there room. */
const CRASHING = 5;
const CRASH_MS = 50;

declare const gc: () => void;

async function measure(began: number): Promise<Pick<Sample, 'at' | 'heap' | 'handles'>> {
  gc();
  // `fetch` lets go of what a request held when it hears that the request was collected: in the next turn.
  await turn();
  gc();
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length;
  return { at: (performance.now() - began) / 1000, heap: process.memoryUsage().heapUsed, handles };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An idle client in virtual time: nothing but renewals, ten minutes apart. */
async function idleLife(renewals: number): Promise<Life> {
  const environment = virtualEnvironment();
  const provider = new MemoryLeaseProvider({ environment });
  const client = new KazahanaClient({ provider, environment });
  await client.ready();
  const began = performance.now();
  const samples: Sample[] = [];
  let renewed = 0;
  client.on('lease', () => renewed++);
  while (renewed < renewals) {
    await environment.advance(60_000);
    if (renewed >= (samples.length * renewals) / SAMPLES)
      samples.push({
        ...(await measure(began)),
        records: (await provider.listLeases()).length,
        renewals: renewed,
      });
  }
  await client.shutdown();
  const nothing = {
    crashes: { granted: 0, refused: 0 },
    healthyRefused: {},
    layoutChanges: 0,
    fallbackIds: 0,
  };
  return { name: 'idle client', samples, ...nothing, ids: 0 };
}

async function storeLife(name: StoreName, seconds: number): Promise<Life> {
  const store = await loadStore(name);
  const started = await store.start();
  const { provider, close } = await store.connect(started.address, {
    services: SERVICES,
    serviceShare: SHARE,
  } as object);
  const config = { ...resolveServerConfig({ port: '0' }, {}), services: SERVICES, serviceShare: SHARE };
  const server = await startServer({
    config,
    store: provider,
    storeName: name,
    version: '0.0.0',
    log: pino({ level: 'silent' }),
  });
  const counter = await openCounter(name, started.address);
  const clients = Array.from(
    { length: CLIENTS },
    () =>
      new KazahanaClient({
        provider: new HttpLeaseProvider(server.url),
        serviceId: 'web',
        onWarning: () => {},
      }),
  );
  let renewals = 0;
  let ids = 0;
  let isOver = false;
  const crashes = { granted: 0, refused: 0 };
  const healthyRefused: Record<string, number> = {};
  let layoutChanges = 0;
  for (const client of clients) {
    client.on('lease', () => renewals++);
    client.on('acquireFailed', ({ error }) => {
      const reason = error instanceof PoolExhaustedError ? error.reason : String((error as Error).message);
      healthyRefused[reason] = (healthyRefused[reason] ?? 0) + 1;
    });
  }
  const run = async (ms: number, work: () => Promise<unknown>) => {
    while (!isOver) {
      await work();
      await pause(ms);
    }
  };
  const crashing = new HttpLeaseProvider(server.url);
  const working = [
    ...clients.map((client) =>
      run(20, async () => {
        const made = await client.nextIds(10);
        ids += made.length;
      }),
    ),
    // Processes that crash after their first lease, and are started again.
    ...Array.from({ length: CRASHING }, () =>
      run(CRASH_MS, () =>
        crashing.acquire({ serviceId: 'crash-loop' }).then(
          () => crashes.granted++,
          () => crashes.refused++,
        ),
      ),
    ),
    run((1000 * seconds) / LAYOUT_CHANGES, async () => {
      await provider.changeLayout(layoutChanges % 2 === 0 ? WIDE : NARROW).then(
        () => layoutChanges++,
        // A change that meets another one, or a store that is busy: the next one comes.
        () => {},
      );
    }),
  ];
  const began = performance.now();
  const samples: Sample[] = [];
  for (let i = 1; i <= SAMPLES; i++) {
    await pause(Math.max(0, began + (i * seconds * 1000) / SAMPLES - performance.now()));
    const records = await counter.count();
    samples.push({ ...(await measure(began)), records, renewals });
  }
  isOver = true;
  await Promise.all(working);
  const fallbackIds = clients.reduce(
    (sum, client) => sum + client.stats().fencedIds + client.stats().randomIds,
    0,
  );
  for (const client of clients) await client.shutdown();
  await counter.close();
  await server.stop();
  await close();
  await started.stop();
  return { name, samples, crashes, healthyRefused, layoutChanges, fallbackIds, ids };
}

const [name = '', length = '0'] = process.argv.slice(2);
const isStore = (text: string): text is StoreName => STORES.some((store) => store === text);
const life = isStore(name) ? await storeLife(name, Number(length)) : await idleLife(100 * Number(length));
process.stdout.write(`${JSON.stringify(life)}\n`);
process.exit(0);
