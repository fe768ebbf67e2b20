// A lease server that lies: a real server responds, and what its clients get of that is decided by a seed. It remembers what
// it has told each client, so that their IDs can be judged by it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type RunningServer, resolveServerConfig, startServer } from '@kazahana/server';
import { MemoryLeaseProvider } from 'kazahana';
import type { LeaseInfo, PoolsOptions } from 'kazahana/lease';
import { Random } from '../../../simulation/world.ts';
import { collectingLog } from '../log.ts';
import { LIES, type Truth } from './lies.ts';

/** What one client was told. */
export class Told {
  readonly requests = new Set<string>();
  /** Leases of responses that named one of its requests, or none. */
  readonly leases: Partial<LeaseInfo>[] = [];

  note(body: string): void {
    let said: { requestId?: unknown; leases?: unknown } | null;
    try {
      said = JSON.parse(body);
    } catch {
      return;
    }
    const isOwn = said?.requestId === undefined || this.requests.has(String(said.requestId));
    if (!isOwn || !Array.isArray(said?.leases)) return;
    for (const lease of said.leases) if (typeof lease === 'object' && lease !== null) this.leases.push(lease);
  }
}

export interface HostileServer {
  readonly url: string;
  readonly told: ReadonlyMap<string, Told>;
  /** How often each lie was told. */
  readonly counts: ReadonlyMap<string, number>;
  readonly requests: number;
  /** The most bytes that a client took of one response. */
  readonly mostTaken: number;
  close(): Promise<void>;
}

/** Of responses to acquires; more of the past teaches a liar nothing. */
const MAX_EARLIER = 50;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}

/** Clients call it at `url/name`. It tells the truth with the given probability. */
export async function startHostileServer(
  seed: number,
  services: NonNullable<PoolsOptions['services']>,
  truthfulness: number,
): Promise<HostileServer> {
  const { log } = collectingLog();
  const honest: RunningServer = await startServer({
    config: { ...resolveServerConfig({ port: '0' }, {}), services },
    store: new MemoryLeaseProvider({ services }),
    storeName: 'memory',
    version: '0.0.0',
    log,
  });
  const random = new Random(seed);
  const told = new Map<string, Told>();
  const counts = new Map<string, number>();
  const earlier: string[] = [];
  let requests = 0;
  let mostTaken = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/([^/]+)(.*)$/.exec(request.url ?? '') ?? [];
    const body = await textOf(request);
    requests++;
    const client = told.get(name) ?? new Told();
    told.set(name, client);
    const requestId = /"requestId":"([^"]+)"/.exec(body)?.[1];
    if (requestId !== undefined) client.requests.add(requestId);
    const method = request.method ?? '';
    const upstream = await fetch(honest.url + path, {
      method,
      ...(body !== '' && { headers: { 'content-type': 'application/json' }, body }),
    });
    const truth: Truth = { status: upstream.status, body: await upstream.text() };
    const { socket } = response;
    const before = socket?.bytesWritten ?? 0;
    const count = () => {
      mostTaken = Math.max(mostTaken, (socket?.bytesWritten ?? 0) - before - (socket?.writableLength ?? 0));
    };
    response.on('close', count);
    const say = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => {
      client.note(text);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(status === 204 || status === 304 ? undefined : text);
    };
    const kind = random.chance(truthfulness) ? 'the truth' : random.pick(Object.keys(LIES));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const lie = LIES[kind];
    if (lie) {
      // Some lies are told around `say`: they may say the truth, too.
      client.note(truth.body);
      lie({ truth, earlier, response, random, say });
    } else say(truth.status, truth.body);
    if (path === '/lease' && truth.status === 200) earlier.push(truth.body);
    earlier.splice(0, earlier.length - MAX_EARLIER);
  }

  const server = createServer((request, response) => {
    response.on('error', () => {});
    // The client has gone.
    respond(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    told,
    counts,
    get requests() {
      return requests;
    },
    get mostTaken() {
      return mostTaken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await honest.stop();
    },
  };
}
