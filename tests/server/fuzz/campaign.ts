// Sends hostile requests, most of them straight to the app, a share of them over a socket as they are, and lets the
// world judge every response.
import { type RunningServer, resolveServerConfig, startServer } from '@kazahana/server';
import { Random } from '../../../simulation/world.ts';
import { openSocket, readResponse } from '../raw-socket.ts';
import { type HostileRequest, hostileRequest } from './generate.ts';
import { FuzzedWorld, type Outcome } from './world.ts';

const AT_ONCE_ON_SOCKETS = 20;

export interface CampaignOptions {
  readonly seed: number;
  readonly requests: number;
  /** Of them, over a socket. */
  readonly onSockets: number;
  readonly progress?: (done: number) => void;
}

export interface CampaignResult {
  readonly counts: ReadonlyMap<string, number>;
  /** Those that no Request can be made of; a socket takes them. */
  readonly notSendable: number;
  readonly logLines: readonly object[];
}

function toRequest({ method, path, headers, body, isChunked }: HostileRequest): Request | undefined {
  try {
    const content = isChunked && body ? inPieces(body) : (body as BodyInit | undefined);
    return new Request(`http://localhost${path}`, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(content !== undefined && { body: content, duplex: 'half' }),
    } as RequestInit);
  } catch {
    return undefined;
  }
}

function inPieces(body: Uint8Array): ReadableStream {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) controller.close();
      else controller.enqueue(body.slice(at, at + 1000));
      at += 1000;
    },
  });
}

async function askApp(world: FuzzedWorld, request: Request): Promise<Outcome> {
  const response = await world.app.fetch(request);
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType !== 'text/event-stream') {
    return { status: response.status, contentType, text: await response.text() };
  }
  await response.body?.cancel();
  return { status: response.status, contentType, text: '' };
}

/** The request as it stands, right or wrong, and nothing after it. */
function onTheWire({ method, path, headers, body, isChunked }: HostileRequest, isHostGood: boolean): string {
  const content = Buffer.from(body ?? []).toString('latin1');
  const length = isChunked
    ? 'transfer-encoding: chunked\r\n'
    : body === undefined
      ? ''
      : `content-length: ${content.length}\r\n`;
  const pieces = content === '' ? '0\r\n\r\n' : `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;
  const lines = headers
    .map(([name, value]) => `${name}: ${Buffer.from(value).toString('latin1')}\r\n`)
    .join('');
  const host = isHostGood ? 'host: localhost\r\n' : 'host: a b/\r\n';
  return (
    `${method} ${Buffer.from(path).toString('latin1')} HTTP/1.1\r\n${host}connection: close\r\n${length}${lines}\r\n` +
    (isChunked ? pieces : content)
  );
}

async function askSocket(url: string, request: HostileRequest, random: Random): Promise<Outcome> {
  const words = onTheWire(request, random.chance(0.97));
  const { socket, until } = await openSocket(
    url,
    random.chance(0.95) ? words : words.slice(0, -random.integer(1, 40)),
  );
  // Whatever is missing will not come.
  socket.end();
  const raw = await until((text) => /\r\ncontent-type: text\/event-stream\r\n/i.test(text));
  socket.destroy();
  const { status, headers, body } = readResponse(raw);
  // No response at all is the right one to half a request.
  if (raw === '') return { status: 0, contentType: '', text: '' };
  return { status, contentType: headers['content-type'] ?? '', text: Buffer.from(body, 'latin1').toString() };
}

export async function runCampaign({
  seed,
  requests,
  onSockets,
  progress,
}: CampaignOptions): Promise<CampaignResult> {
  const random = new Random(seed);
  const world = new FuzzedWorld();
  await world.begin();
  let notSendable = 0;
  for (let i = 1; i <= requests - onSockets; i++) {
    const hostile = hostileRequest(random, world.target);
    const request = toRequest(hostile);
    if (request) await world.judge(hostile, await askApp(world, request));
    else notSendable++;
    if (i % 1000 === 0) progress?.(i);
  }
  // On sockets many come at once: one that stopped the pool would spoil the others.
  const tokens = world.tokens.map((token) => ({ ...token, scopes: ['acquire', 'observe', 'mint'] as const }));
  await world.compare();
  const server: RunningServer = await startServer({
    config: { ...resolveServerConfig({ port: '0' }, {}), services: world.services, tokens },
    store: world.store,
    storeName: 'memory',
    version: '0.0.0',
    log: world.log,
  });
  await world.settleMinter((request) => fetch(request), server.url);
  for (let i = 0; i < onSockets; i += AT_ONCE_ON_SOCKETS) {
    const batch = Array.from({ length: AT_ONCE_ON_SOCKETS }, () => hostileRequest(random, world.target));
    const outcomes = await Promise.all(batch.map((request) => askSocket(server.url, request, random)));
    for (const [at, outcome] of outcomes.entries()) await world.judge(batch[at] as HostileRequest, outcome);
  }
  await world.compare();
  await server.stop();
  await world.app.close();
  return { counts: world.counts, notSendable, logLines: world.logLines };
}
