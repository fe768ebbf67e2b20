// All packages in one stranger's project: the command runs, and a lease goes from a store through the server to a client.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const PROGRAM = `
import { EtcdLeaseProvider } from '@kazahana/etcd';
import { PostgresLeaseProvider } from '@kazahana/postgres';
import { RedisLeaseProvider } from '@kazahana/redis';
import { createLeaseApp } from '@kazahana/server';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { decodeId, HttpLeaseProvider, KazahanaClient } from 'kazahana';

for (const store of [EtcdLeaseProvider, PostgresLeaseProvider, RedisLeaseProvider]) {
  if (typeof store !== 'function') throw new Error('a store is missing');
}
await using store = new SqliteLeaseProvider({ path: './leases.db' });
const app = createLeaseApp({ store });
const provider = new HttpLeaseProvider('http://localhost', { fetch: async (url, init) => app.fetch(new Request(url, init)) });
await using client = new KazahanaClient({ provider, disableFallback: true });
if (decodeId(await client.nextId()).fallback) throw new Error('not leased');
await app.close();
`;

/** Installs the tarballs in a folder of their own and uses them there; resolves to what was made. */
export async function useTogether(tarballs: readonly string[], options: { shell: boolean }): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'kazahana-together-'));
  try {
    await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    await execute('npm', ['install', ...tarballs, ...flags], { ...options, cwd });
    await writeFile(join(cwd, 'program.js'), PROGRAM);
    await execute(process.execPath, ['program.js'], { cwd });
    const { stdout } = await execute(
      process.execPath,
      ['node_modules/@kazahana/cli/bin/kazahana.cjs', 'uuid'],
      {
        cwd,
      },
    );
    return `kazahana uuid: ${stdout.trim()}`;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
