// A fleet on one store: two real `kazahana serve` processes, and processes whose makers get leases from the servers or
// from the store itself. Servers and processes can be killed and started again.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dataFolder } from '../tests/services/process.ts';
import type { MakerCommand, MakerOptions } from './maker-process.ts';
import { makerNames, readEvents, withClockOffset } from './records.ts';
import { type Loss, startServers, TOKEN } from './servers.ts';

const MAKER_PROCESS = fileURLToPath(new URL('maker-process.ts', import.meta.url));
export const SERVERS = [0, 1] as const;
/** The makers of even processes use a server, those of the others the store itself. */
export const PROCESSES = [0, 1, 2, 3] as const;

/** Waits until something holds, and tells whether it did in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs: number,
  everyMs = 100,
): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(everyMs))
    if (await holds()) return true;
  return holds();
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a process of a fleet, which ends with this one. */
export function forkChild(
  file: string,
  title: string,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const env = { ...process.env, ...withClockOffset(), HOSTNAME: title, ...environment };
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
  children.add(child);
  child.on('exit', () => children.delete(child));
  // It may be killed while it is told something.
  child.on('error', () => {});
  return child;
}

/** Starts a process that makers can be started in. */
export const forkMakers = (title: string, environment?: Readonly<Record<string, string>>): ChildProcess =>
  forkChild(MAKER_PROCESS, title, environment);

/** Ends the makers of a process in order, and then the process. */
export async function endInOrder(child: ChildProcess): Promise<void> {
  if (!child.connected) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Creates the pool, and starts servers and processes. */
export async function startFleet(storeUrl: string, engine: MakerOptions['engine'], seed: number) {
  /** Where makers write down what they do. */
  const folder = await dataFolder('chaos');
  const servers = await startServers(SERVERS.length, storeUrl, engine, folder);
  const processes = new Map<number, ChildProcess>();
  const processOf = new Map<string, number>();
  const tell = (at: number, command: MakerCommand) => processes.get(at)?.send(command);
  /** All that a maker has noted so far. */
  const eventsOf = (name: string) => (makerNames(folder).includes(name) ? readEvents(folder, name) : []);

  /** Resolves to the pid. */
  async function startProcess(at: number): Promise<number> {
    const child = forkMakers(`chaos-${at}`);
    processes.set(at, child);
    return child.pid ?? 0;
  }

  /** Ends the makers of a process in order, and then the process; or kills it. */
  async function endProcess(at: number, how: 'disconnect' | 'kill' = 'disconnect'): Promise<void> {
    const child = processes.get(at);
    if (!child?.connected) return;
    if (how === 'disconnect') return endInOrder(child);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  await Promise.all(PROCESSES.map(startProcess));

  return {
    ...{ folder, serverUrl: servers.urlOf, eventsOf, startProcess, endProcess },
    ...{ startServer: servers.start, killServer: servers.kill },

    /** Starts a maker in a process; returns its name. */
    startMaker(
      at: number,
      title: string,
      client: MakerOptions['client'],
      more: { staysMs?: number } = {},
    ): string {
      const number = processOf.size;
      const name = `${title}-${number}`;
      const server = { server: servers.urlOf(Math.floor(number / 2) % SERVERS.length), token: TOKEN };
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
    losses(): Loss[] {
      const events = makerNames(folder).flatMap(eventsOf);
      return [
        ...servers.losses(),
        ...events.flatMap((event) => (event.kind === 'loss' ? [event as Loss & typeof event] : [])),
      ];
    },

    /** Ends makers, then servers. */
    async end(): Promise<void> {
      await Promise.all([...processes.keys()].map((at) => endProcess(at)));
      await servers.end();
    },
  };
}
