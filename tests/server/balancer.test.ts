// Two servers over one store behind a balancer, one of which is killed on the way: no two IDs are equal.
import { request } from 'node:http';
import { HttpLeaseProvider, KazahanaClient } from 'kazahana';
import { afterAll, describe, expect, it } from 'vitest';
import { loadStore } from '../stores/store-under-test.ts';
import { startBalancer } from './balancer.ts';
import { killServers, ServerProcess } from './process.ts';

afterAll(killServers);

/** Renewed often; and who cannot renew goes on fenced for longer than this takes. */
const services = { default: { leaseDuration: 400, fallbackGrace: 60_000 } };
const CLIENTS = 4;

/** A connection for every call, so that each may go to another server. */
function fetchAnew(url: string, { method, headers, body, signal }: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: false as const,
      method: method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(signal && { signal }),
    };
    const call = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const status = response.statusCode ?? 500;
        const sent = response.headers as Record<string, string>;
        resolve(new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers: sent }));
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

describe('two servers over one store', () => {
  it('serve clients through a balancer, also when one of them dies, and no two IDs are equal', async () => {
    const started = await (await loadStore('sqlite')).start();
    const servers = [1, 2].map(() =>
      ServerProcess.over({ store: 'sqlite', address: started.address, port: 0, services }),
    );
    const balancer = await startBalancer(await Promise.all(servers.map((server) => server.url())));
    const clients = Array.from(
      { length: CLIENTS },
      () =>
        new KazahanaClient({
          provider: new HttpLeaseProvider(balancer.url, { fetch: fetchAnew }),
          disableRandomFallback: true,
          acquireRetryInterval: 50,
          acquireRetryMaxInterval: 50,
        }),
    );
    const made: bigint[][] = clients.map(() => []);
    const make = async (milliseconds: number) => {
      const end = performance.now() + milliseconds;
      await Promise.all(
        clients.map(async (client, i) => {
          while (performance.now() < end) {
            made[i]?.push(...(await client.nextIds(50)));
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }),
      );
    };
    await Promise.all(clients.map((client) => client.ready()));
    await make(1500);
    const before = [...balancer.counts];
    for (const count of before) expect(count).toBeGreaterThan(CLIENTS);
    await servers[0]?.kill();
    await make(1000);
    expect(balancer.counts[1]).toBeGreaterThan(before[1] ?? 0);

    await Promise.all(clients.map((client) => client.shutdown()));
    servers[1]?.signal('SIGTERM');
    expect(await servers[1]?.exited).toEqual({ code: 0, signal: null });
    await balancer.close();
    await started.stop();

    for (const ids of made) expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0n))).toBe(true);
    const all = made.flat();
    expect(new Set(all).size).toBe(all.length);
    const acquires = balancer.counts.join(' and ');
    console.log(`${all.length} IDs of ${CLIENTS} clients, ${acquires} connections to the two servers`);
  });
});
