// The client in workerd, the runtime of Cloudflare Workers: one client at module level, many requests at once, and a lease server
// that restarts in between. Requests there must not await what another request began, so a client that does so hangs.
import { serve } from '@hono/node-server';
import { createLeaseApp } from '@kazahana/server';
import { build } from 'esbuild';
import { MemoryLeaseProvider } from 'kazahana';
import { Miniflare } from 'miniflare';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.ts';

const LEASE_MS = 2000;
const SERVICES = { default: { leaseDuration: LEASE_MS } };

const workerOf = (port: number) => `
  import { HttpLeaseProvider, KazahanaClient } from 'kazahana';

  const provider = new HttpLeaseProvider('http://127.0.0.1:${port}');
  const client = new KazahanaClient({ provider, disableRandomFallback: true });

  export default {
    fetch: async () => new Response(String(await client.nextId())),
  };
`;

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** A lease server on a port, on a store that outlives it. */
async function listen(store: MemoryLeaseProvider, wanted: number) {
  const app = createLeaseApp({ store, services: SERVICES });
  app.start();
  const server = serve({ fetch: app.fetch, port: wanted, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const stop = async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: typeof address === 'object' && address !== null ? address.port : wanted, stop };
}

describe('a client at module level in workerd', () => {
  it('makes different IDs for 1,000 requests at once, while its lease server restarts, and past its lease', async () => {
    const store = new MemoryLeaseProvider({ services: SERVICES });
    const first = await listen(store, 0);
    const worker = new Miniflare({
      modules: true,
      script: await bundle(workerOf(first.port)),
      compatibilityDate: '2026-01-01',
    });
    const ids: string[] = [];
    const request = async (url: URL) => {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      ids.push(await response.text());
    };
    const many = (url: URL, count: number) => Promise.all(Array.from({ length: count }, () => request(url)));
    try {
      const url = await worker.ready;
      await request(url);
      const restart = async () => {
        await first.stop();
        return listen(store, first.port);
      };
      // The lease that it has goes on.
      const [second] = await Promise.all([restart(), many(url, 999)]);
      // Past the window of that lease: the client has to renew, though the request that acquired it is long gone.
      await new Promise((resolve) => setTimeout(resolve, LEASE_MS + 500));
      await many(url, 400);
      await second.stop();
    } finally {
      await worker.dispose();
    }
    expect(ids).toHaveLength(1400);
    expect(new Set(ids).size).toBe(1400);
    for (const id of ids) expect(id).toMatch(/^\d{15,19}$/);
  });
});
