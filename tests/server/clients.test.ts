// A client with HttpLeaseProvider against a real server, over each store: IDs, then a server that is killed, then one
// that is back. Its IDs rise all the while.
import { decodeId, HttpLeaseProvider, KazahanaClient } from 'kazahana';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../services/process.ts';
import { loadStore, STORES } from '../stores/store-under-test.ts';
import { killServers, ServerProcess } from './process.ts';
import { isThere } from './programs.ts';

afterAll(killServers);

/** Short, so that a lease ends soon after its server has. */
const services = { default: { leaseDuration: 1200, fallbackGrace: 600 } };

/** Makes IDs as fast as they come, with a breath after each, and keeps them. */
function keepMaking(client: KazahanaClient) {
  const made: { id: bigint; isFallback: boolean }[] = [];
  let isOver = false;
  let longestWait = 0;
  const run = async () => {
    while (!isOver) {
      const sentAt = performance.now();
      const id = await client.nextId();
      longestWait = Math.max(longestWait, performance.now() - sentAt);
      made.push({ id, isFallback: decodeId(id).fallback });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const running = run();
  return {
    made,
    /** Resolves when the next IDs are of this kind. */
    async until(isFallback: boolean, count = 20): Promise<void> {
      while (made.slice(-count).filter((entry) => entry.isFallback === isFallback).length < count) {
        await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 10))]);
      }
    },
    async end(): Promise<number> {
      isOver = true;
      await running;
      return longestWait;
    },
  };
}

describe('a client of a server', () => {
  it.concurrent.each(STORES.filter(isThere))(
    'over %s goes through the death of the server and back',
    async (name) => {
      const started = await (await loadStore(name)).start();
      const port = await freePort();
      const options = { store: name, address: started.address, port, services };
      const first = ServerProcess.over(options);
      const client = new KazahanaClient({
        provider: new HttpLeaseProvider(await first.url()),
        acquireRetryInterval: 100,
        acquireRetryMaxInterval: 400,
      });
      await client.ready();
      const making = keepMaking(client);

      await making.until(false);

      await first.kill();
      await making.until(true);
      const { fencedIds, randomIds } = client.stats();
      expect(fencedIds + randomIds).toBeGreaterThan(0);

      const second = ServerProcess.over(options);
      await second.url();
      await making.until(false);

      const longestWait = await making.end();
      await client.shutdown();
      second.signal('SIGTERM');
      expect(await second.exited).toEqual({ code: 0, signal: null });
      await started.stop();

      const ids = making.made.map(({ id }) => id);
      expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0n))).toBe(true);
      const fallback = making.made.filter(({ isFallback }) => isFallback).length;
      console.log(
        `${name}: ${ids.length} IDs, ${fallback} of them fallback; the longest wait for one was ${longestWait.toFixed(0)} ms`,
      );
    },
  );
});
