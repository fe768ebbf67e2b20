// The Node server around the app: TLS, limits against slow and many clients, and an end in order.
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Environment } from 'kazahana/lease';
import type { Asked } from './asked.js';
import { isStreaming, toListener, UnreadableRequestError } from './node-requests.js';
import { INTERNAL_PROBLEM, problemReply, Refusal } from './problem.js';
import { complete, type Reply } from './reply.js';

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** With it, only clients with a certificate of this authority get in. */
  readonly clientCa?: string;
}

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsFiles;
  readonly maxConnections: number;
  readonly environment: Environment;
  /** For tests, which have no time to wait for the usual ones. */
  readonly limits?: Partial<typeof LIMITS>;
}

/** A client sends its headers within this, and the whole request within twice as much; requests here are small. */
const HEADERS_TIMEOUT_MS = 5000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than balancers commonly keep a connection, so that it is they who close it. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** A connection on which nothing moves, because its client does not read for example; streams say something sooner. */
const STALLED_TIMEOUT_MS = 60_000;
/** How often connections are looked at for those limits. */
const CHECK_INTERVAL_MS = 1000;
const MAX_HEADER_BYTES = 8 * 1024;
/** At the end, how often connections are closed that have become idle. */
const SWEEP_MS = 20;

const LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  handshakeTimeout: HEADERS_TIMEOUT_MS,
  stalledTimeout: STALLED_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_INTERVAL_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
};

const readTls = ({ cert, key, clientCa }: TlsFiles) => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
  minVersion: 'TLSv1.2' as const,
  ...(clientCa !== undefined && { ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: true }),
});

const MALFORMED = new Refusal(400, 'MALFORMED_REQUEST', 'this is not a request in HTTP/1.1');
const MISPLACED = new Refusal(
  400,
  'MALFORMED_REQUEST',
  'the Host header or the path is missing or not a valid one',
);
const UNEXPECTED = new Refusal(417, 'EXPECTATION_FAILED', 'only 100-continue can be expected');
/** What is answered to bytes that are no request; nothing of them is repeated. */
const REFUSAL_OF_ERROR: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(408, 'REQUEST_TIMEOUT', 'the request did not come in time'),
  HPE_HEADER_OVERFLOW: new Refusal(
    431,
    'HEADERS_TOO_LARGE',
    `headers may have ${MAX_HEADER_BYTES} bytes in all`,
  ),
};

/** A refusal after which the connection ends. */
function lastAnswer(refusal: Refusal): { status: number; headers: Record<string, string>; body: string } {
  const { status, headers, body } = complete(problemReply(refusal));
  const length = String(Buffer.byteLength(String(body)));
  return {
    status,
    headers: { ...headers, 'content-length': length, connection: 'close' },
    body: String(body),
  };
}

function answerBadRequest({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  // Who has gone, or failed at TLS, could not read an answer, and in a stream it would be a part of that.
  const isHttp = /^(?:HPE_|ERR_HTTP_)/.test(code);
  if (!isHttp || !socket.writable || isStreaming(socket)) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = lastAnswer(REFUSAL_OF_ERROR[code] ?? MALFORMED);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** For requests that HTTP can read, but nobody can make a URL of. */
function answerUnreadable(error: unknown): Reply {
  return complete(problemReply(error instanceof UnreadableRequestError ? MISPLACED : INTERNAL_PROBLEM));
}

function answerUnexpected(response: ServerResponse): void {
  const { status, headers, body } = lastAnswer(UNEXPECTED);
  response.writeHead(status, headers).end(body);
}

export class Listener {
  readonly #server: Server | TlsServer;
  readonly #options: ListenerOptions;
  /** Connections that have not brought a request yet; Node does not count them among the idle ones. */
  readonly #fresh = new Set<Socket>();

  constructor(handle: (asked: Asked) => Promise<Reply>, options: ListenerOptions) {
    this.#options = options;
    const { tls, maxConnections } = options;
    const { stalledTimeout, ...limits } = { ...LIMITS, ...options.limits };
    const { environment } = options;
    const listener = toListener(handle, tls ? 'https' : 'http', answerUnreadable, environment);
    const settings = {
      ...limits,
      // A missing Host header is refused in our words, by the handler above.
      requireHostHeader: false,
      // Who sends a header twice means neither: together they fit no rule.
      joinDuplicateHeaders: true,
    };
    this.#server = tls
      ? createTlsServer({ ...settings, ...readTls(tls) }, listener)
      : createServer(settings, listener);
    this.#server.maxConnections = maxConnections;
    this.#server.setTimeout(stalledTimeout);
    this.#server.on('clientError', answerBadRequest);
    this.#server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#fresh.add(socket);
      socket.on('close', () => this.#fresh.delete(socket));
    });
    this.#server.on('request', ({ socket }) => this.#fresh.delete(socket));
    this.#server.on('checkExpectation', (_request, response) => answerUnexpected(response));
  }

  /** Resolves to where it listens. */
  async listen(): Promise<string> {
    const { host, port, tls } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const { address, family, port: bound } = this.#server.address() as AddressInfo;
    const name = family === 'IPv6' ? `[${address}]` : address;
    return `${tls ? 'https' : 'http'}://${name}:${bound}`;
  }

  /** Takes new certificates from the same files; connections that are open go on with the old ones. */
  reloadTls(): void {
    const { tls } = this.#options;
    if (tls && 'setSecureContext' in this.#server) this.#server.setSecureContext(readTls(tls));
  }

  /** Takes no more connections, lets requests end for so long, then ends what is left. */
  async close(patienceMs: number): Promise<void> {
    const { environment } = this.#options;
    const done = new AbortController();
    const { signal } = done;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#fresh) socket.destroy();
    const patience = environment.sleep(patienceMs, { signal }).then(() => {
      if (!signal.aborted) this.#server.closeAllConnections();
    });
    const sweep = async () => {
      // Node leaves a connection open when its last request has ended.
      while (!signal.aborted) {
        this.#server.closeIdleConnections();
        await environment.sleep(SWEEP_MS, { signal });
      }
    };
    const swept = sweep();
    await closed;
    done.abort();
    await Promise.all([patience, swept]);
  }
}
