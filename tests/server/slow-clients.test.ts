// The limits of a real server on slow and many clients, all at once; they are seconds, so this takes some.
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { dataFolder } from '../services/process.ts';
import { acquire } from './lease-calls.ts';
import { killServers, ServerProcess } from './process.ts';
import { openSocket, readResponse } from './raw-socket.ts';

afterAll(killServers);
const SLOW = 1000;
const folder = await dataFolder('slow-clients');
const config = join(folder, 'config.json');
writeFileSync(config, JSON.stringify({ maxConnections: SLOW + 50 }));
const server = ServerProcess.serve(['--port', '0', '--store', 'memory:', '--config', config]);
const url = await server.url();
afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

it('a thousand sockets that never finish their headers disturb no other client, and are thrown out', async () => {
  const started = performance.now();
  const open = await Promise.all(
    Array.from({ length: SLOW }, () => openSocket(url, 'POST /lease HTTP/1.1\r\nhost: localhost\r\n')),
  );
  const drip = setInterval(() => {
    for (const { socket } of open) if (socket.writable) socket.write('x-slow: 1\r\n');
  }, 500);
  // Others are served meanwhile.
  let served = 0;
  const ended = Promise.all(open.map((socket) => socket.ended));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await acquire(url, { serviceId: 'fast' });
    served++;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  clearInterval(drip);
  for (const response of await ended) {
    expect(readResponse(response)).toMatchObject({
      status: 408,
      body: expect.stringContaining('REQUEST_TIMEOUT'),
    });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`all thrown out after ${seconds} s, ${served} acquires served meanwhile`);
  expect(served).toBeGreaterThan(10);
  expect(server.lines.map(({ msg }) => msg)).toEqual(['listening']);
});
