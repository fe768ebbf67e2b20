// The Node server around the app: TLS, limits against slow and many clients, and an end in order.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Environment } from 'kazahana/lease';

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
}

/** A client sends its headers within this, and the whole request within twice as much; requests here are small. */
const HEADERS_TIMEOUT_MS = 5000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than balancers commonly keep a connection, so that it is they who close it. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** How often connections are looked at for those limits. */
const CHECK_INTERVAL_MS = 1000;
const MAX_HEADER_BYTES = 8 * 1024;

const LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
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

/** What is answered to bytes that are no request; nothing of them is repeated. */
const STATUS_OF_ERROR: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

function answerBadRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_ERROR[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

export class Listener {
  readonly #server: Server | TlsServer;
  readonly #options: ListenerOptions;

  constructor(fetch: (request: Request) => Response | Promise<Response>, options: ListenerOptions) {
    this.#options = options;
    const { tls, maxConnections } = options;
    const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
    this.#server = tls
      ? createTlsServer({ ...LIMITS, ...readTls(tls) }, listener)
      : createServer(LIMITS, listener);
    this.#server.maxConnections = maxConnections;
    this.#server.on('clientError', answerBadRequest);
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
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const done = new AbortController();
    const patience = this.#options.environment.sleep(patienceMs, { signal: done.signal }).then(() => {
      if (!done.signal.aborted) this.#server.closeAllConnections();
    });
    await closed;
    done.abort();
    await patience;
  }
}
