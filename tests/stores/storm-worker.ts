// One process of the storm: several threads, each with many loops that acquire and release as fast as they can. Prints
// every lease that it was granted and what became of it, one JSON array for a thread.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type LeaseInfo, PoolExhaustedError, signRelease } from 'kazahana/lease';
import { type Granted, givenBack, grantedLease } from './ledger.ts';
import { loadStore, type StoreName } from './store-under-test.ts';

export interface StormOptions {
  readonly store: StoreName;
  readonly address: string;
  readonly threads: number;
  readonly loops: number;
  readonly rounds: number;
  readonly services: Readonly<Record<string, { bitId?: number; bitSeq?: number; leaseDuration: number }>>;
}

export interface StormResult {
  readonly granted: readonly (Granted & { readonly isReleased: boolean })[];
  readonly exhausted: number;
}

async function runThread(options: StormOptions, seed: number): Promise<StormResult> {
  const store = await loadStore(options.store);
  const { provider, close } = await store.connect(options.address, { services: options.services });
  const granted: (Granted & { isReleased: boolean })[] = [];
  let exhausted = 0;
  const bitSeq = options.services.default?.bitSeq ?? 0;

  const release = async (lease: LeaseInfo) => {
    // As a client does that made its last ID when the lease began.
    const timestamp = lease.created;
    const signature = signRelease(lease.secret, lease.id, timestamp);
    await provider.release({ id: lease.id, signature, timestamp });
    granted.push({ ...givenBack(grantedLease(lease), timestamp), isReleased: true });
  };

  const loop = async (number: number) => {
    for (let round = 0; round < options.rounds; round++) {
      const slots = 1 + ((seed + number + round) % 3);
      try {
        const { leases } = await provider.acquire({
          throughputPerMs: slots * 2 ** bitSeq,
          requestId: `${seed}.${number}.${round}`,
        });
        // A few are never given back, as by clients that crash.
        const isCrash = round === options.rounds - 1 && number % 5 === 0;
        if (isCrash) granted.push(...leases.map((lease) => ({ ...grantedLease(lease), isReleased: false })));
        else await Promise.all(leases.map(release));
      } catch (error) {
        if (!(error instanceof PoolExhaustedError)) throw error;
        exhausted++;
      }
    }
  };
  await Promise.all(Array.from({ length: options.loops }, (_, number) => loop(number)));
  await close();
  return { granted, exhausted };
}

if (isMainThread) {
  const options = JSON.parse(process.argv[2] ?? '') as StormOptions;
  const seed = Number(process.argv[3]) * options.threads;
  const results = Array.from(
    { length: options.threads },
    (_, thread) =>
      new Promise<StormResult>((resolve, reject) => {
        const worker = new Worker(new URL(import.meta.url), { workerData: { options, seed: seed + thread } });
        worker.on('message', resolve);
        worker.on('error', reject);
      }),
  );
  process.stdout.write(JSON.stringify(await Promise.all(results)));
} else {
  const { options, seed } = workerData as { options: StormOptions; seed: number };
  parentPort?.postMessage(await runThread(options, seed));
}
