// What virtual time cannot show of a client: a real event loop, a process that is stopped and goes on, and a process that
// ends. The provider is a lease server whose responses the test holds back.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MemoryLeaseProvider } from 'kazahana';
import { afterEach, describe, expect, it } from 'vitest';

const CLIENT = fileURLToPath(new URL('client-process.ts', import.meta.url));
const LEASE_MS = 4000;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A lease server over memory: `onAcquire` decides when a request to acquire gets its response. */
async function startServer(onAcquire: (request: IncomingMessage) => Promise<unknown> = async () => {}) {
  const pool = new MemoryLeaseProvider({
    services: { default: { leaseDuration: LEASE_MS, fallbackGrace: 1000 } },
  });
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    if (request.method === 'DELETE') {
      await pool.release({ id: Number(request.url?.split('/').at(-1)), ...body });
      response.writeHead(204).end();
      return;
    }
    const leases = JSON.stringify(await pool.acquire(body));
    await onAcquire(request);
    response.writeHead(200, { 'content-type': 'application/json' }).end(leases);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { pool, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface ProgramResult {
  readonly isFallback?: boolean;
  readonly leasedIds?: number;
  readonly took?: number;
}

/** Starts a program with a client; what it said comes when it has ended. */
function run(program: string, url: string) {
  const child: ChildProcess = spawn(process.execPath, [CLIENT, program, url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ends.push(() => child.kill('SIGKILL'));
  const said = async () => {
    if (!child.stdout || !child.stderr) throw new Error('a piped process has its outputs');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { ...(JSON.parse(output) as ProgramResult), errors };
  };
  return { child, said: said() };
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a loop of `await client.nextId()`', () => {
  it('does not starve its own renewal: no fallback ID against a server that is well', async () => {
    const requests: number[] = [];
    const { url } = await startServer(async () => requests.push(performance.now()));
    const stats = await run('busy-loop', url).said;
    expect(stats).toMatchObject({ fencedIds: 0, randomIds: 0, errors: '' });
    expect(stats.leasedIds).toBeGreaterThan(1000);
    // The lease is renewed when it is due, not when it has expired and callers wait.
    const [first = 0, second = 0] = requests;
    expect(second - first).toBeLessThan(LEASE_MS * 0.75);
  });
});

describe('a process that is stopped while it waits for a response', () => {
  it('takes the response that came meanwhile, though its deadline has passed', async () => {
    let isRequested: (() => void) | undefined;
    const requested = new Promise<void>((resolve) => {
      isRequested = resolve;
    });
    let respond: (() => void) | undefined;
    const { url } = await startServer(() => {
      isRequested?.();
      return new Promise<void>((resolve) => {
        respond = resolve;
      });
    });
    const { child, said } = run('stopped', url);
    await requested;
    child.kill('SIGSTOP');
    respond?.();
    await after(1500);
    child.kill('SIGCONT');
    expect(await said).toMatchObject({ isFallback: false, leasedIds: 1, acquireFailures: 0, errors: '' });
  });
});

describe('shutdown while an acquire is under way', () => {
  it('of a server that hangs is over after `shutdownTimeout`, and the process ends', async () => {
    const { url } = await startServer((request) => once(request, 'close'));
    const { child, said } = run('early-end', url);
    const { took } = await said;
    const ended = performance.now();
    if (child.exitCode === null) await once(child, 'exit');
    expect(took).toBeGreaterThan(700);
    expect(took).toBeLessThan(3000);
    expect(performance.now() - ended).toBeLessThan(2000);
  });

  it('gives back the lease that arrives meanwhile, though the process exits right after', async () => {
    const { url, pool } = await startServer(() => after(500));
    const { took } = await run('early-exit', url).said;
    expect(took).toBeLessThan(5000);
    expect(await pool.listLeases()).toEqual([]);
  });
});
