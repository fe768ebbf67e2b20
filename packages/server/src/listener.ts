// The Node server around the app: TLS, limits for slow and many clients, an orderly stop. `@hono/node-server` adapts
// requests and responses; the tests of what it cannot do are in listener.test.ts, by the names given here.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Environment } from 'kazahana/lease';
import type { TlsFiles } from './config.js';
import { INTERNAL_REFUSAL, Refusal, toProblem } from './problem.js';

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsFiles;
  readonly maxConnections: number;
  readonly environment: Environment;
  /** For tests, which cannot wait for the usual ones. */
  readonly limits?: Partial<typeof LIMITS>;
}

/** While the server closes, how often it ends connections that have become idle. */
const SWEEP_MS = 20;
const MAX_HEADER_BYTES = 8 * 1024;

const LIMITS = {
  // A client sends its headers within this, and the whole request within twice as much; requests here are small.
  headersTimeout: 5000,
  handshakeTimeout: 5000,
  requestTimeout: 10_000,
  // Longer than balancers commonly keep a connection, so that the balancer closes it.
  keepAliveTimeout: 75_000,
  // For connections on which nothing moves, for example because the client does not read; streams send more often. Node
  // waits once more when something was written in between, so a connection ends after one to two of these.
  stalledTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: MAX_HEADER_BYTES,
};

const readTls = ({ cert, key, clientCa }: TlsFiles) => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
  minVersion: 'TLSv1.2' as const,
  ...(clientCa !== undefined && { ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: true }),
});

const MALFORMED = new Refusal(400, 'MALFORMED_REQUEST', 'this is not a request in HTTP/1.1');
const MISPLACED = new Refusal(400, 'MALFORMED_REQUEST', 'the Host header or the path is missing or invalid');
const UNEXPECTED = new Refusal(417, 'EXPECTATION_FAILED', 'the server knows no expectation but 100-continue');
const HEADERS_TOO_LARGE = `headers may have ${MAX_HEADER_BYTES} bytes in all`;
/** Refusals of bytes that are not a request, by the code of Node's error. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(408, 'REQUEST_TIMEOUT', 'the request did not come in time'),
  HPE_HEADER_OVERFLOW: new Refusal(431, 'HEADERS_TOO_LARGE', HEADERS_TOO_LARGE),
};

/** A refusal after which the connection ends. */
function lastParts(refusal: Refusal) {
  const { status, headers, body } = toProblem(refusal);
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...headers, 'content-length': length, connection: 'close' }, body };
}

function errorHandler(error: unknown): Response {
  const { body, ...init } = lastParts(error instanceof RequestError ? MISPLACED : INTERNAL_REFUSAL);
  return new Response(body, init);
}

/**
 * The adapter takes a Host header with a path or a user in it when the header happens to be as long as the address that it
 * stands for, and then reads the path of the request there: "a host with a path as long as its address".
 */
const NOT_A_HOST = /[\s%/?#@\\]/;

const isOver = ({ writableFinished, req }: ServerResponse) => writableFinished && req.complete;

/** Ends a connection that is idle for so long after this response: as its header says, and sooner than Node would. */
function keepAlive(response: ServerResponse, seconds: number): void {
  // Behind Node's own listener, which sets the usual time.
  response.once('finish', () => response.req.socket.setTimeout(seconds * 1000));
}

export class Listener {
  readonly #server: Server | TlsServer;
  readonly #options: ListenerOptions;
  /** The last responses on each open connection, with all that are under way; none before its first request. */
  readonly #responses = new Map<Socket, readonly ServerResponse[]>();

  constructor(fetch: (request: Request, from?: object) => Promise<Response>, options: ListenerOptions) {
    this.#options = options;
    const { tls, maxConnections } = options;
    const { stalledTimeout, ...limits } = { ...LIMITS, ...options.limits };
    const checked = async (request: Request, { outgoing: to }: { outgoing: unknown }) => {
      const outgoing = to as ServerResponse;
      if (NOT_A_HOST.test(request.headers.get('host') ?? '')) throw new RequestError('Invalid host header');
      const response = await fetch(request, { address: outgoing.req.socket.remoteAddress });
      const [, seconds] = /^timeout=(\d+)$/.exec(response.headers.get('keep-alive') ?? '') ?? [];
      if (seconds !== undefined) keepAlive(outgoing, Number(seconds));
      return response;
    };
    const listener = getRequestListener(checked, { errorHandler });
    const settings = {
      ...limits,
      // Node's own refusal of a missing Host header is not a problem+json: "because of no host".
      requireHostHeader: false,
      // Together, two Host headers are no host: "because of two hosts".
      joinDuplicateHeaders: true,
    };
    this.#server = tls
      ? createTlsServer({ ...settings, ...readTls(tls) }, listener)
      : createServer(settings, listener);
    this.#server.maxConnections = maxConnections;
    this.#server.setTimeout(stalledTimeout, (socket) => this.#endStalled(socket));
    this.#server.on('clientError', (error, socket) => this.#refuseBytes(error, socket as Socket));
    this.#server.on('checkExpectation', (_request, response) => {
      const { status, headers, body } = lastParts(UNEXPECTED);
      response.writeHead(status, headers).end(body);
    });
    this.#server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#responses.set(socket, []);
      socket.on('close', () => this.#responses.delete(socket));
    });
    this.#server.on('request', ({ socket }, response) => {
      const others = this.#responses.get(socket)?.filter((other) => !isOver(other)) ?? [];
      this.#responses.set(socket, [...others, response]);
    });
  }

  /** Resolves to the URL of the server. */
  async listen(): Promise<string> {
    const { host, port, tls } = this.#options;
    this.#server.listen({ host, port });
    await once(this.#server, 'listening');
    const { address, family, port: bound } = this.#server.address() as AddressInfo;
    const name = family === 'IPv6' ? `[${address}]` : address;
    return `${tls ? 'https' : 'http'}://${name}:${bound}`;
  }

  /** Takes new certificates from the same files; open connections go on with the old ones. */
  reloadTls(): void {
    const { tls } = this.#options;
    if (tls && 'setSecureContext' in this.#server) this.#server.setSecureContext(readTls(tls));
  }

  /** Takes no more connections, lets requests end for so long, then ends the rest. */
  async close(patienceMs: number): Promise<void> {
    const { environment } = this.#options;
    const closed = new AbortController();
    const { signal } = closed;
    this.#server.close(() => closed.abort());
    // Node does not count these among the idle ones: "lets a request end that is under way".
    for (const [socket, responses] of this.#responses) if (responses.length === 0) socket.destroy();
    const patience = environment.sleep(patienceMs, { signal }).then(() => this.#server.closeAllConnections());
    // Node leaves a connection open when its last request has ended.
    while (!signal.aborted) {
      this.#server.closeIdleConnections();
      await environment.sleep(SWEEP_MS, { signal });
    }
    await patience;
  }

  /** Ends a connection on which nothing moves, unless the server is the one that takes so long. */
  #endStalled(socket: Socket): void {
    const responses = this.#responses.get(socket) ?? [];
    const isServersTurn = responses.some(({ headersSent, req }) => !headersSent && req.complete);
    if (!isServersTurn || socket.writableLength > 0) socket.destroy();
  }

  #refuseBytes({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    // A client that has gone, or failed at TLS, cannot read a refusal. After the head of a response it would become a part
    // of that: "is broken off by what is no request".
    const isHttp = /^(?:HPE_|ERR_HTTP_)/.test(code);
    const responses = this.#responses.get(socket) ?? [];
    const hasBegun = responses.some((response) => response.headersSent && !isOver(response));
    if (!isHttp || !socket.writable || hasBegun) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = lastParts(REFUSALS[code] ?? MALFORMED);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
}
