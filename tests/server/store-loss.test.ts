// A store that forgets under a running server: the server knows more than its store, and grants nothing that a client may hold.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder } from '../services/process.ts';
import { startRedis } from '../services/redis.ts';
import { killServers, ServerProcess } from './process.ts';
import { isThere } from './programs.ts';

afterAll(killServers);
const folder = await dataFolder('store-loss');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const LOST =
  'the store has lost leases of the pool, or may have: no new machine IDs until their windows have ended';

async function acquire(url: string): Promise<{ leases?: { id: number }[]; reason?: string }> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/lease`, { method: 'POST', headers, body: '{}' })).json() as Promise<object>;
}

/** No machine ID that was granted before is granted again, and the log says why. */
async function noticesLoss(server: ServerProcess, lose: () => unknown): Promise<void> {
  const url = await server.url();
  expect((await acquire(url)).leases?.[0]?.id).toBe(0);
  await lose();
  const after = await acquire(url);
  expect([after.leases, after.reason]).toEqual([undefined, 'in quarantine']);
  expect((await server.line(LOST)).level).toBe(50);
  server.signal('SIGTERM');
  expect((await server.exited).code).toBe(0);
}

describe('a server whose store has lost what it acknowledged grants nothing:', () => {
  const remove = (path: string) => {
    for (const companion of ['', '-wal', '-shm']) rmSync(path + companion, { force: true });
  };

  it.concurrent('an SQLite file that was deleted', async () => {
    const path = join(folder, 'deleted.db');
    const server = ServerProcess.serve(['--port', '0', '--store', `sqlite:${path}`]);
    await noticesLoss(server, () => remove(path));
  });

  it.concurrent('an SQLite file in whose place an older copy was put', async () => {
    const path = join(folder, 'replaced.db');
    const first = ServerProcess.serve(['--port', '0', '--store', `sqlite:${path}`]);
    await first.url();
    // Ended in order, so that the file is all that there is.
    first.signal('SIGTERM');
    await first.exited;
    copyFileSync(path, `${path}.backup`);
    const server = ServerProcess.serve(['--port', '0', '--store', `sqlite:${path}`]);
    await noticesLoss(server, () => {
      remove(path);
      copyFileSync(`${path}.backup`, path);
    });
  });

  it.skipIf(!isThere('redis'))('a Redis that was flushed', async () => {
    const service = await startRedis(['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']);
    const url = `redis://127.0.0.1:${service.port}`;
    const settings = { KAZAHANA_STORE: url, KAZAHANA_CREATE_POOLS: 'auto' };
    const redis = await createClient({ url }).connect();
    await noticesLoss(ServerProcess.serve(['--port', '0'], settings), () => redis.flushAll());
    await redis.close();
    await service.dispose();
  });
});
