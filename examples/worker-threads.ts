// A fleet in one process: each worker thread has a client of its own, which leases a machine ID of its own from one SQLite
// file. A client cannot be shared between threads; a file can.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { decodeId, KazahanaClient } from 'kazahana';

const WORKERS = 3;
const IDS = 1000;

if (isMainThread) {
  const folder = mkdtempSync(join(tmpdir(), 'kazahana-threads-'));
  const made = await Promise.all(
    Array.from({ length: WORKERS }, () => {
      const worker = new Worker(new URL(import.meta.url), { workerData: join(folder, 'leases.db') });
      return new Promise<bigint[]>((resolve, reject) =>
        worker.once('message', resolve).once('error', reject),
      );
    }),
  );
  const ids = made.flat();
  const machines = new Set(ids.map((id) => decodeId(id).machineId));
  console.log(`${new Set(ids).size} different IDs under ${machines.size} machine IDs`);
  rmSync(folder, { recursive: true });
  if (new Set(ids).size !== WORKERS * IDS || machines.size !== WORKERS) process.exitCode = 1;
} else {
  const provider = new SqliteLeaseProvider({ path: workerData as string });
  const client = new KazahanaClient({ provider, disableFallback: true });
  const ids = await client.nextIds(IDS);
  parentPort?.postMessage(ids);
  await client.shutdown();
  await provider.close();
}
