// A server from start to stop, without a process of its own.
import { MemoryLeaseProvider } from 'kazahana';
import { describe, expect, it } from 'vitest';
import { collectingLog } from '../../../tests/server/log.ts';
import { resolveServerConfig, type ServerSettings } from './config.js';
import { startServer } from './server.js';

/** The warnings of a server with these settings, from start to stop. */
async function warningsOf(settings: ServerSettings): Promise<unknown[]> {
  const { log, lines } = collectingLog();
  const config = resolveServerConfig({ port: '0', store: 'memory:', ...settings }, {});
  const store = new MemoryLeaseProvider();
  const server = await startServer({ config, store, storeName: 'memory', version: '0.0.0', log });
  await server.stop();
  return lines.filter(({ level }) => level === 40);
}

describe('a server without tokens', () => {
  it('that is insecure says so in the log', async () => {
    expect(await warningsOf({ insecure: true })).toMatchObject([
      { host: '127.0.0.1', msg: 'insecure: every caller that reaches this address may do everything' },
    ]);
  });

  it('warns of nothing on loopback', async () => {
    expect(await warningsOf({})).toEqual([]);
  });
});
