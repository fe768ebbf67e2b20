// A program that uses a client, in a process of its own: `node client-process.ts <program> <url>`. It prints one line of
// JSON when it has done its work, and then ends when nothing keeps it alive.
import { decodeId, HttpLeaseProvider, KazahanaClient, type KazahanaClientConfig } from 'kazahana';

const [, , program = '', url = ''] = process.argv;
const say = (what: object) => console.log(JSON.stringify(what));
const clientWith = (config: KazahanaClientConfig = {}, timeout = 5000) =>
  new KazahanaClient({ provider: new HttpLeaseProvider(url, { timeout }), ...config });
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Shuts a client down while its first request is under way. */
async function endEarly(): Promise<void> {
  const client = clientWith({ shutdownTimeout: 800 });
  client.nextId().catch(() => undefined);
  await after(200);
  const started = performance.now();
  await client.shutdown();
  say({ took: performance.now() - started });
}

const PROGRAMS: Readonly<Record<string, () => Promise<void>>> = {
  /** A loop that lets go of the thread only where `nextId` does. */
  async 'busy-loop'() {
    const client = clientWith({ acquireThreshold: 0.25, acquireTimeout: 1500 });
    await client.ready();
    const end = performance.now() + 6000;
    let longest = 0;
    for (let last = performance.now(); last < end; ) {
      await client.nextId();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      for (const work = now + 0.01; performance.now() < work; );
    }
    say({ ...client.stats(), longest });
    await client.shutdown();
  },

  /** Waits for its first lease, and is stopped meanwhile. */
  async stopped() {
    const client = clientWith({ acquireTimeout: 1000 }, 1000);
    const id = await client.nextId();
    say({ isFallback: decodeId(id).fallback, ...client.stats() });
    await client.shutdown();
  },

  /** Makes one ID and ends as a crash does: its lease stays behind. The host is the third argument, if there is one. */
  async crash() {
    const [, , , , host] = process.argv;
    const client = clientWith({ ...(host && { meta: { host } }), onWarning: () => {} });
    const id = await client.nextId();
    say({ isFallback: decodeId(id).fallback });
    process.exit();
  },

  'early-end': () => endEarly(),

  async 'early-exit'() {
    await endEarly();
    process.exit();
  },
};

await PROGRAMS[program]?.();
