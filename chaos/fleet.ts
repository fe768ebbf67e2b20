// A fleet on one store: two real `kazahana serve` processes, and processes whose makers get leases from the servers or
// from the store itself. Servers and processes can be killed and started again.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '../packages/cli/dist/serve/open-store.js';
import { ServerProcess } from '../tests/server/process.ts';
import { dataFolder, freePort } from '../tests/services/process.ts';
import type { MakerCommand, MakerOptions } from './maker-process.ts';
import { makerNames, readEvents } from './records.ts';

const MAKER_PROCESS = fileURLToPath(new URL('maker-process.ts', import.meta.url));
export const SERVERS = [0, 1] as const;
/** The makers of even processes use a server, those of the others the store itself. */
export const PROCESSES = [0, 1, 2, 3] as const;
/** Servers believe a caller with this token only what it has proof of. */
export const TOKEN = 'chaos-0123456789abcdef';
const TOKENS = [{ name: 'maker', token: TOKEN, scopes: ['acquire', 'observe'], requestsPerSecond: 100_000 }];
const LOSS = 'the store has lost leases';

/** Waits until something holds, and tells whether it did in time. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(100)) if (await holds()) return true;
  return holds();
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a process that makers can be started in. */
export function forkMakers(at: number): ChildProcess {
  const env = { ...process.env, HOSTNAME: `chaos-${at}` };
  const child = fork(MAKER_PROCESS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Creates the pool, and starts servers and processes. */
export async function startFleet(storeUrl: string, engine: MakerOptions['engine'], seed: number) {
  /** Where makers write down what they do. */
  const folder = await dataFolder('chaos');
  const config = join(folder, 'server.config');
  const ports = await Promise.all(SERVERS.map(freePort));
  const servers: ServerProcess[] = [];
  const everyServer: ServerProcess[] = [];
  const processes = new Map<number, ChildProcess>();
  const processOf = new Map<string, number>();
  const serverUrl = (at: number) => `http://127.0.0.1:${ports[at]}`;
  const tell = (at: number, command: MakerCommand) => processes.get(at)?.send(command);
  /** All that a maker has noted so far. */
  const eventsOf = (name: string) => (makerNames(folder).includes(name) ? readEvents(folder, name) : []);

  async function startServer(at: number): Promise<void> {
    const server = ServerProcess.serve(['--port', String(ports[at]), '--config', config]);
    servers[at] = server;
    everyServer.push(server);
    await server.url();
  }

  /** Resolves to the pid. */
  async function startProcess(at: number): Promise<number> {
    const child = forkMakers(at);
    processes.set(at, child);
    return child.pid ?? 0;
  }

  /** Ends the makers of a process in order, and then the process; or kills it. */
  async function endProcess(at: number, how: 'disconnect' | 'kill' = 'disconnect'): Promise<void> {
    const child = processes.get(at);
    if (!child?.connected) return;
    const exited = once(child, 'exit');
    if (how === 'kill') child.kill('SIGKILL');
    else child.disconnect();
    await exited;
  }

  const { store, close } = await openStore(storeUrl, engine, () => {});
  await store.createPool();
  await close();
  // All makers are of one host, which may fill the pool.
  const settings = { store: storeUrl, serviceShare: 1, ...engine, tokens: TOKENS };
  await writeFile(config, JSON.stringify(settings));
  await Promise.all([...SERVERS.map(startServer), ...PROCESSES.map(startProcess)]);

  return {
    ...{ folder, serverUrl, eventsOf, startServer, startProcess, endProcess },
    killServer: async (at: number) => servers[at]?.kill(),

    /** Starts a maker in a process; returns its name. */
    startMaker(
      at: number,
      title: string,
      client: MakerOptions['client'],
      more: { staysMs?: number } = {},
    ): string {
      const number = processOf.size;
      const name = `${title}-${number}`;
      const server = { server: serverUrl(Math.floor(number / 2) % SERVERS.length), token: TOKEN };
      const source = at % 2 === 0 ? server : { store: storeUrl };
      processOf.set(name, at);
      tell(at, { start: { name, source, engine, client, folder, seed: seed + number, ...more } });
      return name;
    },

    stopMaker: (name: string) => tell(processOf.get(name) ?? -1, { stop: name }),

    /** Waits until all of these have a lease; names those that have none. */
    async withoutLease(names: readonly string[], limitMs: number): Promise<string[]> {
      const waiting = () => names.filter((name) => !eventsOf(name).some(({ kind }) => kind === 'lease'));
      await until(() => waiting().length === 0, limitMs);
      return waiting();
    },

    /** All losses that servers and providers have noticed. */
    losses(): { readonly at: number; readonly by: string; readonly why: string }[] {
      const logged = everyServer.flatMap(({ lines }, number) =>
        lines
          .filter(({ msg }) => msg.startsWith(LOSS))
          .map(({ time, reason }) => ({ at: Number(time), by: `server ${number}`, why: String(reason) })),
      );
      const events = makerNames(folder).flatMap(eventsOf);
      return [...logged, ...events.flatMap((event) => (event.kind === 'loss' ? [event] : []))];
    },

    /** Ends makers, then servers. */
    async end(): Promise<void> {
      await Promise.all([...processes.keys()].map((at) => endProcess(at)));
      for (const server of servers) server.signal('SIGTERM');
      await Promise.all(everyServer.map(({ exited }) => exited));
    },
  };
}
