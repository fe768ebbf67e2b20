// Processes that name no service and crash one after another, against a real `kazahana serve`: they leave machine IDs to other hosts.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HttpLeaseProvider } from 'kazahana';
import { afterAll, expect, it } from 'vitest';
import { killServers, ServerProcess } from './process.ts';

afterAll(killServers);

const CLIENT = fileURLToPath(new URL('client-process.ts', import.meta.url));
const SLOTS = 8;
const SHARE = 6;

it('a crash loop of clients without a service name leaves a quarter of the pool to other hosts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kazahana-crash-loop-'));
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ services: { default: { bitId: 4, bitSeq: 18 } } }));
  const server = ServerProcess.serve(['--port', '0', '--store', 'memory:', '--config', config]);
  const url = await server.url();
  const crash = async (...host: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, 'crash', url, ...host]);
    return (JSON.parse(stdout) as { isFallback: boolean }).isFallback ? 'fallback' : 'leased';
  };
  const loop: string[] = [];
  for (let start = 0; start < SLOTS; start++) loop.push(await crash());
  expect(loop).toEqual([...Array(SHARE).fill('leased'), ...Array(SLOTS - SHARE).fill('fallback')]);
  expect(await crash('another-host')).toBe('leased');
  const { held, slots } = await new HttpLeaseProvider(url).inspectPool();
  expect({ held, slots }).toEqual({ held: SHARE + 1, slots: SLOTS });
  server.signal('SIGTERM');
  await server.exited;
  rmSync(folder, { recursive: true });
});
