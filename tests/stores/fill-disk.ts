// Acquires from an SQLite store in a folder until its disk is full, makes room, and acquires once more. Prints what it
// saw as JSON.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteLeaseProvider } from '@kazahana/sqlite';

const folder = process.argv[2] ?? '';
const ballast = join(folder, 'ballast');
writeFileSync(ballast, Buffer.alloc(200_000));
const provider = new SqliteLeaseProvider({ path: join(folder, 'leases.db') });

let acknowledged = 0;
let error: { name: string; code?: unknown } | undefined;
while (error === undefined && acknowledged < 8000) {
  await provider.acquire({ throughputPerMs: 16 * 256 }).then(
    ({ leases }) => {
      acknowledged += leases.length;
    },
    (reason: Error & { code?: unknown }) => {
      error = { name: reason.name, code: reason.code };
    },
  );
}
rmSync(ballast);
const next = (await provider.acquire({})).leases[0]?.id;
const { held } = await provider.inspectPool();
console.log(JSON.stringify({ acknowledged, error, next, held }));
await provider.close();
