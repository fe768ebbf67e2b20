// The `kazahana serve` processes of a fleet, all on one store, each on a port of its own: they can be hurt and started again.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openStore } from '../packages/cli/dist/serve/open-store.js';
import { ServerProcess } from '../tests/server/process.ts';
import { freePort } from '../tests/services/process.ts';
import type { MakerOptions } from './maker-process.ts';
import { withClockOffset } from './records.ts';

/** Servers believe a caller with this token only what it has proof of. */
export const TOKEN = 'chaos-0123456789abcdef';
const SCOPES = ['acquire', 'observe', 'mint'];
const TOKENS = [{ name: 'maker', token: TOKEN, scopes: SCOPES, requestsPerSecond: 100_000 }];
const LOSS = 'the store has lost leases';
/** The service of clients that get IDs from `POST /ids`. */
export const MINTED_SERVICE = 'mint';
const PRELOAD = pathToFileURL(join(import.meta.dirname, 'server-preload.ts')).href;

export interface Loss {
  readonly at: number;
  readonly by: string;
  readonly why: string;
}

/** Creates the pool, and starts so many servers; `environments` are further variables of each. */
export async function startServers(
  count: number,
  storeUrl: string,
  engine: MakerOptions['engine'],
  folder: string,
  environments: readonly Readonly<Record<string, string>>[] = [],
) {
  const config = join(folder, 'server.config');
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const servers: ServerProcess[] = [];
  const every: { readonly server: ServerProcess; readonly name: string }[] = [];
  const ended = new Set<ServerProcess>();
  const crashes: string[] = [];

  async function start(at: number): Promise<void> {
    const name = `server ${at}`;
    const server = ServerProcess.serve(['--port', String(ports[at]), '--config', config], {
      ...withClockOffset(),
      NODE_OPTIONS: `--import ${PRELOAD}`,
      CHAOS_GRANTS: join(folder, `server-${at}.grants`),
      CHAOS_MINTED_SERVICE: MINTED_SERVICE,
      ...environments[at],
    });
    servers[at] = server;
    every.push({ server, name });
    void server.exited.then(({ code, signal }) => {
      if (!ended.has(server))
        crashes.push(`${name} ended with ${signal ?? code}: ${server.talk.slice(-500)}`);
    });
    await server.url();
  }

  const end = async (at: number, how: 'SIGTERM' | 'SIGKILL') => {
    const server = servers[at];
    if (!server) return;
    ended.add(server);
    server.signal(how);
    await server.exited;
  };

  const { store, close } = await openStore(storeUrl, engine, () => {});
  await store.createPool();
  await close();
  // All makers are of one host, which may fill the pool.
  const settings = { store: storeUrl, serviceShare: 1, ...engine, tokens: TOKENS };
  await writeFile(config, JSON.stringify(settings));
  await Promise.all(ports.map((_, at) => start(at)));

  return {
    ports,
    start,
    /** Those that ended without having been told to. */
    crashes,
    urlOf: (at: number) => `http://127.0.0.1:${ports[at]}`,
    kill: (at: number) => end(at, 'SIGKILL'),
    stop: (at: number) => end(at, 'SIGTERM'),
    signal: (at: number, signal: 'SIGSTOP' | 'SIGCONT') => servers[at]?.signal(signal),

    /** All losses that servers have noticed; when their lines arrived, since a server's own clock may be wrong. */
    losses: (): Loss[] =>
      every.flatMap(({ server, name }) =>
        server.lines
          .filter(({ msg }) => msg.startsWith(LOSS))
          .map(({ arrivedAt, reason }) => ({ at: Number(arrivedAt), by: name, why: String(reason) })),
      ),

    async end(): Promise<void> {
      await Promise.all(ports.map((_, at) => end(at, 'SIGTERM')));
    },
  };
}
