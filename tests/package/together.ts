// All packages in one stranger's project: the command runs, and a lease goes from a store through the server to a client.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandIn } from './installed-server.ts';

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

/** Installs packages in a folder of their own, where `use` finds them. */
export async function withInstalled<Result>(
  packages: readonly string[],
  options: { shell: boolean },
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const cwd = await mkdtemp(join(tmpdir(), 'kazahana-together-'));
  try {
    await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    await execute('npm', ['install', ...packages, ...flags], { ...options, cwd });
    return await use(cwd);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** Uses the packages of a folder; resolves to what was made. */
export async function useTogether(cwd: string): Promise<string> {
  await writeFile(join(cwd, 'program.js'), PROGRAM);
  await execute(process.execPath, ['program.js'], { cwd });
  const { stdout } = await execute(process.execPath, [commandIn(cwd), 'uuid'], { cwd });
  return `kazahana uuid: ${stdout.trim()}`;
}
